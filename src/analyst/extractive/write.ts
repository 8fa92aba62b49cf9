import { setImmediate } from "node:timers/promises";
import type { Draft, Reading, WritingView } from "../../domain/ports/analyst.ts";
import type { Citation, DraftClaim, Passage } from "../../domain/report.ts";
import { resolveLanguage } from "../../ranking/language.ts";
import { chooseQuotes, MAX_QUOTES, type Quote } from "./choose-quotes.ts";
import { chooseCompanyRows, isCompanyRow, isOfCompany } from "./company-rows.ts";
import { type Evidence, matchSentences } from "./match.ts";
import { type Question, readQuestion } from "./question.ts";
import { collectSentences, type Sentence } from "./sentences.ts";

/**
 * Whether there is an answer: the passages have to match so much of the question, by the rarity of its words. bench/retrieval.md has the
 * curve, and how it was chosen.
 */
export const THRESHOLD = 0.36;
const MAX_CLOSEST = 5;

/**
 * A draft of verbatim passages that are close to the question, best first, each cited; or no claim, the reason, and the closest passages,
 * which may not answer. Rejects soon after `signal` is aborted.
 */
export async function writeQuotes(view: WritingView, signal?: AbortSignal): Promise<Draft> {
  const question = readQuestion(view.question, view.history.at(-1)?.question);
  const sentences = await collectSentences(view.readings, signal);
  const evidence = withoutDocumentation(question, matchSentences(question, sentences));
  await setImmediate(undefined, { signal });
  const rows = chooseCompanyRows(question, evidence);
  const passages = chooseQuotes(question, evidence);
  const answers = Math.max(0, ...evidence.strengths.values()) >= THRESHOLD;
  // What a tool brought about a company is always quoted.
  const beside = passages.filter(({ sentences: [first] }) => first && !isCompanyRow(first) && (answers || isOfCompany(first)));
  const quotes = rows.areAsked ? rows.quotes : [...rows.quotes, ...beside].slice(0, MAX_QUOTES);
  if (quotes.length > 0) return { ...citeQuotes(quotes), reason: null };
  return {
    claims: [],
    citations: [],
    closest: passages.slice(0, MAX_CLOSEST).map(toPassage),
    reason: explainNoAnswer(view, question, sentences),
  };
}

/** The documentation that comes with the program gives way to any other source that answers at least as well. */
function withoutDocumentation(question: Question, evidence: Evidence): Evidence {
  const isOwn = ({ hit }: Reading): boolean => hit.isDocumentation === true;
  const strongest = (isOf: (reading: Reading) => boolean): number =>
    Math.max(0, ...[...evidence.strengths].flatMap(([reading, strength]) => (isOf(reading) ? [strength] : [])));
  const own = strongest(isOwn);
  if (own === 0 || strongest((reading) => !isOwn(reading)) < Math.max(own, THRESHOLD)) return evidence;
  return matchSentences(
    question,
    evidence.sentences.filter(({ section }) => !isOwn(section.reading)),
  );
}

/** The numbers of the citations are in the order of the claims. */
function citeQuotes(quotes: readonly Quote[]): { claims: DraftClaim[]; citations: Citation[] } {
  const citations: Citation[] = [];
  const cite = (passage: Passage): number => {
    const known = citations.find(
      ({ contentHash, start, end }) => contentHash === passage.contentHash && start === passage.start && end === passage.end,
    );
    if (known !== undefined) return known.id;
    citations.push({ id: citations.length + 1, ...passage });
    return citations.length;
  };
  const claims = quotes.map((quote): DraftClaim => {
    const passages = [...quote.above.map((sentence) => toPassage({ sentences: [sentence] })), toPassage(quote)];
    const text = passages.map((passage) => passage.quote).join("\n");
    return { text, citations: passages.map(cite), supported: true, section: "" };
  });
  return { claims, citations };
}

function toPassage({ sentences }: Pick<Quote, "sentences">): Passage {
  const [first, last] = [sentences[0], sentences.at(-1)] as [Sentence, Sentence];
  const { hit, document } = first.section.reading;
  const span = { start: first.start, end: last.end };
  return { sourceId: hit.id, contentHash: document.contentHash, ...span, quote: document.text.slice(span.start, span.end) };
}

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

/** Why nothing is quoted, and which words of the question nothing holds: one or two sentences, in Chinese or in English. */
function explainNoAnswer({ language, readings }: WritingView, { text, terms }: Question, sentences: readonly Sentence[]): string {
  const phrases = /^zh\b/i.test(resolveLanguage(language, text)) ? CHINESE : ENGLISH;
  const asked = terms.filter(({ isContext }) => !isContext);
  if (asked.length === 0) return phrases.noTerms;
  if (readings.length === 0) return phrases.nothingRead;
  if (sentences.length === 0) return phrases.nothingQuotable;
  const missing = asked.filter(({ parts }) => !parts.some((part) => isSaid(part, sentences)));
  if (missing.length === 0) return phrases.tooFar;
  const shown = missing.slice(0, MAX_TERMS).map(({ surface }) => `“${surface.slice(0, MAX_TERM_LENGTH).toWellFormed()}”`);
  return `${phrases.tooFar}${phrases.missing(shown)}`;
}

function isSaid(term: string, sentences: readonly Sentence[]): boolean {
  return sentences.some(({ terms, section }) => [terms, section.headingTerms, section.titleTerms].some((said) => said.has(term)));
}
