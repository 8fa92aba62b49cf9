import type { BlockDraft } from "../block-text.ts";
import { LIST_MARK, type Paragraph } from "./paragraphs.ts";

/** A paragraph is a heading when its letters are larger than those of the text by this factor, or bold where the text is not. */
const LARGER = 1.12;
const MAX_HEADING_LENGTH = 160;
const MAX_BOLD_HEADING_LENGTH = 100;
const MAX_LEVEL = 6;
const NO_HEADING_END = /[.,;:。，；、：]$/u;
const CHAPTER = /^第[一二三四五六七八九十百零\d]+[章节編篇部]|^[一二三四五六七八九十]+、/u;
const SECTION_NUMBER = /^(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\p{Lu}/u;
/** What follows the title of a section is running text, or the title of its first part; items of a list follow each other. */
const MIN_SECTION_LENGTH = 120;
const HAS_LETTER = /\p{L}{2}|\p{sc=Han}/u;

/** The size in which most of a document is set; 0 without text. */
export function bodySize(paragraphs: readonly Paragraph[]): number {
  const lengths = new Map<number, number>();
  for (const { kind, size, lines } of paragraphs) {
    if (kind === "text") lengths.set(size, (lengths.get(size) ?? 0) + lines.reduce((sum, line) => sum + line.length, 0));
  }
  return [...lengths].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0];
}

/** What kind of block a paragraph with `text` is. Levels of headings follow their sizes, the largest first. */
export function createClassifier(
  paragraphs: readonly Paragraph[],
): (paragraph: Paragraph, text: string, next?: string) => Pick<BlockDraft, "kind" | "level"> {
  const body = bodySize(paragraphs);
  const large = paragraphs.filter((paragraph) => isLarger(paragraph, paragraph.lines.join(" "), body));
  const sizes = [...new Set(large.map(({ size }) => Math.round(size)))].toSorted((a, b) => b - a);
  return (paragraph, text, next = "") => {
    if (paragraph.kind === "row") return { kind: "table-row", level: 0 };
    if (isLarger(paragraph, text, body) || standsOut(paragraph, text, body)) {
      const rank = sizes.indexOf(Math.round(paragraph.size));
      return { kind: "heading", level: Math.min(MAX_LEVEL, (rank < 0 ? sizes.length : rank) + 1) };
    }
    const number = SECTION_NUMBER.exec(text)?.[1];
    if (number !== undefined && isSectionTitle(paragraph, text, next))
      return { kind: "heading", level: Math.min(MAX_LEVEL, sizes.length + number.split(".").length) };
    return LIST_MARK.test(text) ? { kind: "list-item", level: 1 } : { kind: "paragraph", level: 0 };
  };
}

function isLarger({ kind, size, aside }: Paragraph, text: string, body: number): boolean {
  const titled = text.length <= MAX_HEADING_LENGTH && HAS_LETTER.test(text) && !/[,;，；、]$/u.test(text);
  return kind === "text" && !aside && size >= LARGER * body && titled;
}

/** A line of its own that is bold in a text that is not, or numbered as chapters are. */
function standsOut(paragraph: Paragraph, text: string, body: number): boolean {
  if (paragraph.aside || text.length > MAX_BOLD_HEADING_LENGTH || paragraph.lines.length > 2 || !HAS_LETTER.test(text)) return false;
  return paragraph.size >= 0.95 * body && !NO_HEADING_END.test(text) && (paragraph.bold || CHAPTER.test(text));
}

function isSectionTitle({ lines, aside }: Paragraph, text: string, next: string): boolean {
  if (aside || lines.length > 1 || text.length > MAX_BOLD_HEADING_LENGTH || NO_HEADING_END.test(text)) return false;
  const number = SECTION_NUMBER.exec(text)?.[1] ?? "";
  return SECTION_NUMBER.exec(next)?.[1]?.startsWith(`${number}.`) ?? (next.length >= MIN_SECTION_LENGTH && !LIST_MARK.test(next));
}
