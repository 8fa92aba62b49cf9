import type { Run } from "../../../../src/domain/run.ts";
import { Link } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { compareAddress } from "../../ui/addresses.ts";
import { Button } from "../../ui/button.tsx";
import { nameOf } from "./group-threads.ts";
import { historyWords } from "./history-words.ts";

/** The runs that are chosen, the older one on the left. */
export function CompareBar({ chosen, onClear }: { readonly chosen: readonly Run[]; readonly onClear: () => void }) {
  const say = useWords(historyWords);
  const [left, right] = chosen.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
  if (left === undefined) return null;
  return (
    <div className="history-compare" role="status">
      <p>
        {right === undefined
          ? say("chooseTwo", { name: short(nameOf(left)) })
          : say("compareTwo", { left: short(nameOf(left)), right: short(nameOf(right)) })}
      </p>
      <div className="row">
        {right !== undefined && (
          <Link to={compareAddress(left.id, right.id)} className="button button-main history-compare-link">
            {say("compare")}
          </Link>
        )}
        <Button onPress={onClear}>{say("cancel")}</Button>
      </div>
    </div>
  );
}

function short(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}
