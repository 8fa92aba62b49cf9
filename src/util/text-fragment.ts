/** In UTF-16 code units. A longer quote is found by its first and last words. */
const MAX_WHOLE = 120;
const WORDS = 6;
const MAX_END = 60;

/** Adds a text directive (WICG "URL Fragment Text Directives"), with which a browser scrolls to the quote. Keeps the fragment. */
export function withTextFragment(href: string, quote: string): string {
  const directive = directiveOf(quote);
  if (directive === null) return href;
  const at = href.indexOf("#");
  const fragment = at < 0 ? "" : href.slice(at + 1).replace(/:~:.*$/s, "");
  return `${at < 0 ? href : href.slice(0, at)}#${fragment}:~:text=${directive}`;
}

function directiveOf(quote: string): string | null {
  // The ` | ` between the cells of a table is not on the page, so one cell is looked for.
  const cell = quote.split(" | ").find((part) => /[\p{L}\p{N}]/u.test(part)) ?? "";
  const text = cell.toWellFormed().replaceAll(/\s+/gu, " ").trim();
  if (text === "" || text.includes("\ufffd")) return null;
  if (text.length <= MAX_WHOLE) return encode(text);
  const words = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].filter(({ isWordLike }) => isWordLike);
  const [first, last] = [words.slice(0, WORDS).at(-1), words.slice(-WORDS).at(0)];
  if (first === undefined || last === undefined || first.index + first.segment.length > last.index) return null;
  const [start, end] = [text.slice(0, first.index + first.segment.length), text.slice(last.index)];
  return start.length > MAX_END || end.length > MAX_END ? null : `${encode(start)},${encode(end)}`;
}

/** Encodes also `-`, which has a meaning in text directives, and parentheses, which end links in some Markdown renderers. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[-'()!*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
