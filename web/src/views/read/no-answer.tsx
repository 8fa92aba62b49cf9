import { searchedLines, verdictOf } from "../../../../src/words/verdict.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Quote, SourceLine, Ways } from "./quote-facts.tsx";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { closestOf } from "./source-facts.ts";

/** Says that there is no answer and why, with the closest passages. */
export function NoAnswer() {
  const say = useWords(readWords);
  const { language } = useLanguage();
  const { run, report } = useReport();
  const closest = closestOf(report);
  return (
    <>
      <p className="read-no-answer">{verdictOf(report, language).text}</p>
      {run.termination?.detail != null && <p dir="auto">{run.termination.detail}</p>}
      {searchedLines(report, language, (source) => (source === "corpus" ? say("corpus") : source)).map((line) => (
        <p key={line} className="quiet">
          {line}
        </p>
      ))}
      {closest.length > 0 && (
        <section>
          <h2>{say("closest")}</h2>
          <p className="quiet">{say("closestHelp")}</p>
          <ul className="read-closest">
            {closest.map((note) => (
              <li key={`${note.passage.contentHash} ${note.passage.start}`}>
                <Quote text={note.passage.quote} />
                <SourceLine source={note.source} />
                <Ways note={note} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
