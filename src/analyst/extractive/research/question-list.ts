/** `1.`, `2)`, `(3)`, `4、`, `（五）`, `六、`, `⑦`, `-`, `*` or `•` at the beginning of a line. */
const MARKER =
  /^(?:[-*+•–—]\s+|[(（]?\d{1,3}[)）]\s*|\d{1,3}(?:、|[.．](?!\d))\s*|[(（]?[一二三四五六七八九十]{1,3}[)）、.．]\s*|[①-⑳]\s*)/u;
const QUESTION = /[?？؟]["'”’」』)）\]]*$/u;

/**
 * The items of a question that is a list: two or more lines, each of which is numbered or has a bullet, or each of which ends with a
 * question mark. A first line that has neither introduces the list and is no item. Markers are left out, and equal items but the first.
 * Empty for any other question.
 */
export function questionsIn(question: string): string[] {
  const lines = question
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter(hasWords);
  const [first = "", ...rest] = lines;
  const listed = isItem(first) ? lines : rest;
  const isList = [MARKER, QUESTION].some((mark) => listed.every((line) => mark.test(line)));
  const items = isList ? new Set(listed.map((line) => line.replace(MARKER, "").trim()).filter(hasWords)) : [];
  return [...items].length > 1 ? [...items] : [];
}

function isItem(line: string): boolean {
  return MARKER.test(line) || QUESTION.test(line);
}

function hasWords(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}
