const ENGLISH = {
  nothingRead: "Nothing was found that could be read.",
  nothingQuotable: "The sources that were read hold no sentence that can be quoted.",
  noTerms: "The question has no words to search for.",
  tooFar: "No passage matches enough of the question.",
  missing: (terms: readonly string[]) => ` Not found in any source: ${terms.join(", ")}.`,
};

const CHINESE: typeof ENGLISH = {
  nothingRead: "没有找到可以读取的资料。",
  nothingQuotable: "已读取的来源中没有可以引用的句子。",
  noTerms: "问题中没有可供查找的词。",
  tooFar: "没有段落与问题足够吻合。",
  missing: (terms) => `所有来源中都找不到：${terms.join("、")}。`,
};

const MAX_TERMS = 5;
const MAX_TERM_LENGTH = 80;

/** How much there was to answer from; `asked` is how many terms the question has. */
interface Found {
  readonly asked: number;
  readonly readings: number;
  readonly sentences: number;
}

/**
 * One or two sentences in the language (a BCP 47 tag; Chinese, otherwise English) that say why nothing is quoted. `missing` are the words of the
 * question that nothing holds.
 */
export function explainNoAnswer(language: string, { asked, readings, sentences }: Found, missing: readonly string[]): string {
  const phrases = /^zh\b/i.test(language) ? CHINESE : ENGLISH;
  if (asked === 0) return phrases.noTerms;
  if (readings === 0) return phrases.nothingRead;
  if (sentences === 0) return phrases.nothingQuotable;
  if (missing.length === 0) return phrases.tooFar;
  const terms = missing.slice(0, MAX_TERMS).map((term) => `“${term.slice(0, MAX_TERM_LENGTH).toWellFormed()}”`);
  return `${phrases.tooFar}${phrases.missing(terms)}`;
}
