/** `1.`, `2)`, `(3)`, `4、`, `（五）`, `六、`, `⑦`, `-`, `*` or `•` at the beginning of a line. */
const MARKER =
  /^(?:[-*+•–—]\s+|[(（]?\d{1,3}[)）]\s*|\d{1,3}(?:、|[.．](?!\d))\s*|[(（]?[一二三四五六七八九十]{1,3}[)）、.．]\s*|[①-⑳]\s*)/u;
/** Before a later number in the same line. */
const INLINE = /(?<=[\s?？。.;；])(?=[(（]?\d{1,2}(?:[)）、]|[.．]\s))/gu;
const QUESTION = /[?？؟]["'”’」』)）\]]*$/u;

/**
 * The items of a question that is a list: two or more lines, or numbers in one line, each of which is numbered or has a bullet, or each of which ends with a
 * question mark. A first line that has neither introduces the list and is no item. Markers are left out, and equal items but the first.
 * Empty for any other question.
 */
export function questionsIn(question: string): string[] {
  const text = MARKER.test(question.trim()) ? question.replaceAll(INLINE, "\n") : question;
  const lines = text.split(/[\r\n\u2028\u2029]+/).map((line) => line.trim());
  const [first = "", ...rest] = lines.filter(hasWords);
  const listed = MARKER.test(first) || QUESTION.test(first) ? [first, ...rest] : rest;
  if (![MARKER, QUESTION].some((mark) => listed.every((line) => mark.test(line)))) return [];
  const items = [...new Set(listed.map((line) => line.replace(MARKER, "").trim()).filter(hasWords))];
  return items.length > 1 ? items : [];
}

function hasWords(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}
