const BEGINNING = /^[\s*_#>"'“]{0,200}NO[ _]ANSWER\b[\s*_]*[:：.。—–-]?[\s*_]*/i;
export const NO_ANSWER = "NO ANSWER";
const MAX_REASON_LENGTH = 1_000;
/** In UTF-16 code units. A longer beginning cannot become NO ANSWER. */
const MAX_HEAD_LENGTH = 220;

/** Returns the paragraph after NO ANSWER, which says why; null if `text` does not begin with it. */
export function readNoAnswer(text: string): string | null {
  const match = BEGINNING.exec(text);
  if (match === null) return null;
  const paragraph = text.slice(match[0].length).split(/\n\s*\n/, 1)[0] ?? "";
  return paragraph.replaceAll(/\s+/g, " ").trim().slice(0, MAX_REASON_LENGTH).toWellFormed();
}

/** Whether the text that begins so may still turn out to be NO ANSWER. */
export function mayBeNoAnswer(beginning: string): boolean {
  if (beginning.length > MAX_HEAD_LENGTH) return false;
  const start = beginning
    .replace(/^[\s*_#>"'“]+/, "")
    .toUpperCase()
    .replaceAll("_", " ");
  return NO_ANSWER.startsWith(start.slice(0, NO_ANSWER.length));
}
