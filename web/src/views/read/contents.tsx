import { useWords } from "../../i18n/language.tsx";
import { Fold } from "../../ui/fold.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { readWords } from "./read-words.ts";
import { headingId } from "./report-blocks.tsx";
import { useReport } from "./report-context.ts";
import { blocksOf } from "./report-text.ts";

/** A report with fewer headings is seen at a glance. */
const MIN_HEADINGS = 3;

/** The headings of a long report as links: beside the text where there is room, otherwise folded. */
export function Contents() {
  const say = useWords(readWords);
  const { report, places } = useReport();
  const isBeside = useMedia("(min-width: 68rem)") && places.open === null;
  const headings = blocksOf(report).flatMap((block, index) => (block.kind === "heading" ? [{ ...block, index }] : []));
  const highest = Math.min(...headings.map(({ level }) => level));
  if (headings.length < MIN_HEADINGS) return null;
  const list = (
    <ul className="bare">
      {headings
        .filter(({ level }) => level <= highest + 1)
        .map(({ text, level, index }) => (
          <li key={index} className={level > highest ? "read-deeper" : undefined}>
            <a href={`#${headingId(index)}`}>{text}</a>
          </li>
        ))}
    </ul>
  );
  return (
    <nav className="read-contents" aria-label={say("contents")}>
      {isBeside ? (
        <>
          <p className="quiet">{say("contents")}</p>
          {list}
        </>
      ) : (
        <Fold summary={say("contents")}>{() => list}</Fold>
      )}
    </nav>
  );
}
