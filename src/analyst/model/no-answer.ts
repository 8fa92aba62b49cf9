const NO_ANSWER = /^[\s*_#>"'“]*NO[ _]ANSWER\b[\s*_]*[:：.。—–-]?[\s*_]*/i;
const MARK = "NO ANSWER";
const MAX_REASON_LENGTH = 1_000;

/** What a text says is missing that says the passages do not answer; null for any other text. */
export function readNoAnswer(text: string): string | null {
  const match = NO_ANSWER.exec(text);
  if (match === null) return null;
  const paragraph = text.slice(match[0].length).split(/\n\s*\n/, 1)[0] ?? "";
  return paragraph.replaceAll(/\s+/g, " ").trim().slice(0, MAX_REASON_LENGTH).toWellFormed();
}

/** Whether a text that begins like this says, or may come to say, that there is no answer. */
export function mayBeNoAnswer(beginning: string): boolean {
  const said = beginning
    .replace(/^[\s*_#>"'“]+/, "")
    .toUpperCase()
    .replaceAll("_", " ");
  return MARK.startsWith(said.slice(0, MARK.length));
}
