import { type ReactNode, useState } from "react";
import type { LedgerEntry } from "../../../../src/domain/report.ts";
import { formatDuration, formatNumber } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Fold } from "../../ui/fold.tsx";
import { readableAddress } from "../../ui/readable-address.ts";
import { useFailureText } from "../failure-text.ts";
import { useSourceName } from "../source-names.ts";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { ScrollingTable } from "./scrolling-table.tsx";
import { sayReason } from "./support.ts";
import { supportWords } from "./support-words.ts";

const FIRST_ROWS = 100;

/** A file that was not read is no attempt: the report names it above its text. */
type Attempt = LedgerEntry & { readonly what: Exclude<LedgerEntry["what"], "file"> };

/** Every attempt to search, read and ask, and the sentences that were left out. */
export function Ledger() {
  const say = useWords(readWords);
  const { report } = useReport();
  const entries = report.ledger.flatMap((entry) => (entry.what === "file" ? [] : { ...entry, what: entry.what }));
  return (
    <>
      {report.struck.length > 0 && (
        <Fold className="read-fold" summary={<h2>{say("struck")}</h2>}>
          {() => <Struck />}
        </Fold>
      )}
      {entries.length > 0 && (
        <Fold className="read-fold" summary={<h2>{say("ledger")}</h2>}>
          {() => <LedgerTable entries={entries} />}
        </Fold>
      )}
    </>
  );
}

function Struck() {
  const say = useWords(supportWords);
  const { report } = useReport();
  return (
    <ul className="bare read-unread">
      {report.struck.map(({ text, reason }) => (
        <li key={`${text} ${reason}`}>
          <bdi>{text}</bdi>
          <span className="quiet">{sayReason(reason, say)}</span>
        </li>
      ))}
    </ul>
  );
}

function LedgerTable({ entries }: { readonly entries: readonly Attempt[] }): ReactNode {
  const say = useWords(readWords);
  const [isWhole, setWhole] = useState(entries.length <= FIRST_ROWS);
  const shown = isWhole ? entries : entries.slice(0, FIRST_ROWS);
  return (
    <>
      <ScrollingTable label={say("ledger")}>
        <thead>
          <tr>
            <th scope="col" className="read-what">
              {say("what")}
            </th>
            <th scope="col">{say("where")}</th>
            <th scope="col">{say("outcome")}</th>
            <th scope="col" className="read-number">
              {say("time")}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((entry, index) => {
            // The rows of a ledger never change their order.
            const key = `${index}`;
            return <LedgerRow key={key} entry={entry} />;
          })}
        </tbody>
      </ScrollingTable>
      {!isWhole && <Button onPress={() => setWhole(true)}>{say("showAll", { count: entries.length })}</Button>}
    </>
  );
}

const OUTCOMES = { found: "foundOutcome", nothing: "nothing", failed: "failedOutcome", reused: "reused" } as const;

function LedgerRow({ entry: { what, source, target, outcome, failure, detail, results, ms } }: { readonly entry: Attempt }) {
  const say = useWords(readWords);
  const failureText = useFailureText();
  const { language } = useLanguage();
  const sourceName = useSourceName();
  const why = failureText(failure);
  return (
    <tr>
      <td className="read-what">{say(`attempt_${what}`)}</td>
      <td dir="auto">
        {what === "download" ? readableAddress(target) : sourceName({ id: source, kind: "", title: source })}{" "}
        {what !== "download" && target !== source && <span className="quiet">{readableAddress(target)}</span>}
      </td>
      <td>
        <span className="read-what">
          {say(OUTCOMES[outcome])} {results > 0 && what !== "download" && formatNumber(results, language)}
        </span>{" "}
        {(why !== "" || detail !== null) && <span className="quiet">{[why, detail].filter(Boolean).join(" ")}</span>}
      </td>
      <td className="read-number">{formatDuration(ms, language)}</td>
    </tr>
  );
}
