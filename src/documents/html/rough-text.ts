/** Elements whose text no reader sees. */
const HIDDEN = /<(script|style|noscript|template|svg|title|iframe)\b/iy;

/**
 * The text that a page of HTML shows, roughly and in one pass: good enough to tell a wall from an article, not to quote.
 * White space is collapsed. The time grows with the length alone, however the tags are nested or left open.
 */
export function roughText(html: string): string {
  const lower = html.toLowerCase();
  const pieces: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    pieces.push(html.slice(at, open === -1 ? html.length : open));
    const close = open === -1 ? -1 : endOfTag(lower, open);
    if (close === -1) break;
    at = close;
  }
  return pieces.join(" ").replaceAll(/\s+/g, " ").trim();
}

/** Where the text goes on after the tag, or the hidden element, that begins at `open`; -1 where it does not. */
function endOfTag(lower: string, open: number): number {
  if (lower.startsWith("<!--", open)) return after(lower, "-->", open);
  HIDDEN.lastIndex = open;
  const hidden = HIDDEN.exec(lower);
  const start = hidden === null ? open : lower.indexOf(`</${hidden[1]}`, open);
  return start === -1 ? -1 : after(lower, ">", start);
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found === -1 ? -1 : found + end.length;
}
