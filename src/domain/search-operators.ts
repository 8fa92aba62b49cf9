/** The words of a query without the syntax of search engines, which few services read alike. */
interface PlainQuery {
  readonly text: string;
  /** What was left out, as it was written, such as `-coal` and `site:example.com`. */
  readonly operators: readonly string[];
}

const PHRASE = `"[^"]*"|“[^“”]*”|「[^「」]*」|『[^『』]*』|《[^《》]*》`;
/** What follows these is no word to search for: an address, a kind of file, a day, a language. */
const CONDITIONS =
  "site|filetype|ext|mime|inurl|allinurl|url|domain|link|related|cache|after|before|daterange|lang|language|loc|location|since|until|cat|year|date";
/** What follows these is a word, to be found in a certain place. */
const PLACES = "intitle|allintitle|title|ti|intext|allintext|inbody|inanchor|allinanchor|abstract|abs|all|author|au|define";
/** What an operator applies to: a phrase, words in brackets, or a word, maybe of a field. */
const OPERAND = String.raw`(?:(?:${CONDITIONS}|${PLACES})[:：])?(?:${PHRASE}|[(（][^()（）]*[)）]|[^\s()（）"“「『《]+)`;
const START = "(?<![^\\s(（])";
const OPERATORS = new RegExp(
  [
    // One minus, right before what it excludes. Two begin an option such as `--force`.
    String.raw`${START}(?:[-－−](?![-－−])|(?-i:NOT)\s+)${OPERAND}`,
    String.raw`${START}(?-i:AND|OR|NOT|AROUND\(\d*\)|(?:NEAR|WITHIN)(?:\/\d+|\(\d*\))?|\|\|?|&&|\D?\d+\.\.\D?\d*)(?![^\s)）])`,
    String.raw`${START}(?:${CONDITIONS})[:：](?!\/)(?:${PHRASE}|[(（][^()（）]*[)）]|[^\s()（）"“「『《]*)`,
    String.raw`${START}(?:${PLACES})[:：](?!\/)(?=\S)`,
    // A field after a word, as in PubMed: `lamp[ti]`.
    String.raw`(?<=[\p{L}\p{N}"”])\[[a-z][a-z \/:~-]{0,30}\]`,
    `(?<kept>${PHRASE})`,
  ].join("|"),
  "giu",
);

/** Leaves out operators, and what they apply to if that is excluded or no word to search for. Phrases in quotation marks and brackets stay. */
export function withoutOperators(text: string): PlainQuery {
  const operators = new Set<string>();
  const kept = text.replaceAll(OPERATORS, (operator: string, ...groups: unknown[]) => {
    if ((groups.at(-1) as { readonly kept?: string }).kept !== undefined) return operator;
    operators.add(operator);
    return " ";
  });
  return { text: kept.replaceAll(/\s+/g, " ").trim(), operators: [...operators] };
}
