/** Years joined word by word; a span of years and what changed in it are one question. */
const ENGLISH = /\bin\s+((?:1[5-9]|20)\d\d(?:\s*,\s*(?:1[5-9]|20)\d\d)*\s*,?\s+and\s+(?:in\s+)?(?:1[5-9]|20)\d\d)(?!\d)/u;
const CHINESE = /((?:1[5-9]|20)\d\d)年?((?:[、，,和与及]+(?:以及)?(?:1[5-9]|20)\d\d年?)+)(?:度)?/u;
const CHANGE =
  /(?<!\p{L})(?:change[ds]?|grow(?:n|th)?|grew|increased?|decreased?|rise|rose|fall|fell|between|trend|develop(?:ed|ment)?)(?!\p{L})|变化|增长|增加|减少|上升|下降|之间|趋势|到|至/u;
const YEAR = /(?:1[5-9]|20)\d\d/gu;

/** One question for each of the years that are named one by one; the question itself where none or one is. */
export function splitYears(question: string): string[] {
  if (CHANGE.test(question)) return [question];
  const english = ENGLISH.exec(question);
  if (english) return yearsIn(english[1]).map((year) => question.replace(english[0], `in ${year}`));
  const chinese = CHINESE.exec(question);
  if (chinese)
    return yearsIn(chinese[0]).map((year) => question.replace(chinese[0], `${year}年`).replaceAll(/分别|各自?(?=[是有为])/gu, ""));
  return [question];
}

function yearsIn(text: string | undefined): string[] {
  return text?.match(YEAR) ?? [];
}
