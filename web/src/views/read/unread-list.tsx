import { useWords } from "../../i18n/language.tsx";
import { Fold } from "../../ui/fold.tsx";
import { readableAddress } from "../../ui/readable-address.ts";
import { useFailureText } from "../failure-text.ts";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { type Unread, unreadOf } from "./unread.ts";

const MAX_OPEN = 5;
const MAX_ROWS = 300;

/** What could not be read or asked, each with the reason. */
export function UnreadList() {
  const say = useWords(readWords);
  const { report } = useReport();
  const unread = unreadOf(report);
  if (unread.length === 0) return null;
  return (
    <Fold
      className="read-fold"
      startsOpen={unread.length <= MAX_OPEN}
      summary={
        <>
          <h2>{say("unread")}</h2> <span className="quiet">{unread.length}</span>
        </>
      }
    >
      {() => (
        <ul className="bare read-unread">
          {unread.slice(0, MAX_ROWS).map((one) => (
            <UnreadRow key={JSON.stringify(one)} {...one} />
          ))}
        </ul>
      )}
    </Fold>
  );
}

function UnreadRow({ what, name, code, detail }: Unread) {
  const say = useWords(readWords);
  const failureText = useFailureText();
  return (
    <li>
      <bdi>{say(`${what}Of`, { name: readableAddress(name) })}</bdi>
      <span className="quiet">
        {failureText(code)} {detail !== null && <bdi>{detail}</bdi>}
      </span>
    </li>
  );
}
