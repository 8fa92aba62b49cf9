import { useMemo } from "react";
import { useWords } from "../../i18n/language.tsx";
import { workingsByNote } from "./expression-parts.ts";
import { Quote, SourceLine } from "./quote-facts.tsx";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";

/** The quotes with their sources, and the calculations made of them: on paper nothing can be hovered. */
export function PrintedNotes() {
  const say = useWords(readWords);
  const { notes, report } = useReport();
  const workings = useMemo(() => workingsByNote(report, notes), [report, notes]);
  if (notes.size === 0) return null;
  return (
    <div className="read-notes">
      <h2>{say("quotes")}</h2>
      <ol>
        {[...notes.values()].map(({ number, passage, source }) => (
          <li key={number} value={number ?? undefined}>
            <Quote text={passage.quote} />
            <SourceLine source={source} />
            {workings.get(number ?? 0)?.map((working) => (
              <p key={working} className="read-printed-working">
                {`= ${say("working")} ${working}`}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </div>
  );
}
