/** What was asked and why it was not answered, in one line: a sentence or a question ends by itself, anything else with a colon. */
export function openLine(asked: string, why: string): string {
  const words = asked.trim();
  if (/[\p{Sentence_Terminal}…:：]["'”’」』)）\]]*$/u.test(words)) return `${words} ${why}`;
  return `${words}${/\p{sc=Han}$/u.test(words) ? "：" : ": "}${why}`;
}
