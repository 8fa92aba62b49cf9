import { useWords } from "../../i18n/language.tsx";
import { readWords } from "./read-words.ts";
import { headingId } from "./report-blocks.tsx";
import { useReport } from "./report-context.ts";
import { blocksOf } from "./report-text.ts";

/** A report with fewer headings is seen at a glance. */
const MIN_HEADINGS = 3;

/** The headings of a long report as links. */
export function Contents() {
  const say = useWords(readWords);
  const { report } = useReport();
  const headings = blocksOf(report).flatMap((block, index) => (block.kind === "heading" ? [{ ...block, index }] : []));
  const highest = Math.min(...headings.map(({ level }) => level));
  if (headings.length < MIN_HEADINGS) return null;
  return (
    <nav className="read-contents" aria-label={say("contents")}>
      <p className="read-quiet">{say("contents")}</p>
      <ul>
        {headings
          .filter(({ level }) => level <= highest + 1)
          .map(({ text, level, index }) => (
            <li key={index} className={level > highest ? "read-deeper" : undefined}>
              <a href={`#${headingId(index)}`}>{text}</a>
            </li>
          ))}
      </ul>
    </nav>
  );
}
