import { useWords } from "../../i18n/language.tsx";
import { Quote, SourceLine } from "./quote-facts.tsx";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { countBySupport } from "./support.ts";
import { SIGNS, supportWords } from "./support-words.ts";

/** The quotes with their sources: on paper, and in what is copied, nothing can be hovered. */
export function PrintedNotes() {
  const say = useWords(readWords);
  const sayKind = useWords(supportWords);
  const { notes, report } = useReport();
  if (notes.size === 0) return null;
  const computed = report.claims.filter(({ expression }) => expression !== null);
  // The mark of an unverified sentence is a word already.
  const signs = countBySupport(report.claims).filter(([kind]) => kind !== "quoted" && kind !== "unverified");
  return (
    <div className="read-notes">
      <h2>{say("quotes")}</h2>
      <ol>
        {[...notes.values()].map(({ number, passage, source }) => (
          <li key={number} value={number ?? undefined}>
            <Quote text={passage.quote} />
            <SourceLine source={source} />
            {source.href !== null && <p className="read-address">{source.href}</p>}
          </li>
        ))}
      </ol>
      {computed.length > 0 && (
        <>
          <h2>{say("working")}</h2>
          <ul>
            {computed.map(({ text, expression, citations }) => (
              <li key={text} dir="auto">
                {text} {expression} [{citations.join(", ")}]
              </li>
            ))}
          </ul>
        </>
      )}
      {signs.length > 0 && <p>{signs.map(([kind]) => `${SIGNS[kind]} ${sayKind(`${kind}Help`)}`).join(" ")}</p>}
    </div>
  );
}
