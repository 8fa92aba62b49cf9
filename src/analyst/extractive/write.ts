import { setImmediate } from "node:timers/promises";
import { figuresIn } from "../../domain/companies/figures.ts";
import type { Draft, Reading, WritingView } from "../../domain/ports/analyst.ts";
import type { Citation, DraftClaim, Passage } from "../../domain/report.ts";
import { resolveLanguage } from "../../ranking/language.ts";
import { type Candidate, COMFORTABLE_LENGTH, chooseQuotes, MAX_QUOTES, type Quote } from "./choose-quotes.ts";
import { type Evidence, matchSentences } from "./match.ts";
import { type Question, readQuestion } from "./question.ts";
import { collectSentences, type Sentence, textOf } from "./sentences.ts";

/**
 * Whether there is an answer: the passages have to match so much of the question, by the rarity of its words. bench/retrieval.md has the
 * curve, and how it was chosen.
 */
export const THRESHOLD = 0.44;
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
  const asked = question.terms.flatMap(({ isContext, surface }, at) => (isContext ? [] : [{ surface, at }]));
  const said = evidence.whole();
  const missing = asked.flatMap(({ at, surface }) => ((said[at] ?? 0) === 0 ? [surface] : []));
  const found = { asked: asked.length, readings: view.readings.length, sentences: sentences.length };
  const reason = explainNoAnswer(resolveLanguage(view.language, view.question), found, missing);
  return { claims: [], citations: [], closest: passages.slice(0, MAX_CLOSEST).map(toPassage), reason };
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
  const { start } = first;
  const { end } = last;
  return { sourceId: hit.id, contentHash: document.contentHash, start, end, quote: document.text.slice(start, end) };
}

const COMPANY_KINDS: ReadonlySet<string> = new Set(["market", "filing"]);

/**
 * Rows, each of which is one figure or fact of one company: those of the asked figure alone, the closest first; without such rows all of
 * them, in their order and several to a quote. The documents take turns. Empty where no tool was asked. `areAsked`: whether they are of the
 * asked figure, so that nothing else has to be quoted.
 */
function chooseCompanyRows(question: Question, { sentences: all, closeness }: Evidence): { quotes: Quote[]; areAsked: boolean } {
  const asked = new Set(figuresIn(question.text).map(({ name }) => name));
  const rows = all.flatMap((sentence, index): Candidate[] =>
    isCompanyRow(sentence) ? [{ index, sentence, score: closeness[index] ?? 0 }] : [],
  );
  const ofDocuments = Map.groupBy(rows, ({ sentence }) => sentence.section.reading.document.contentHash);
  const documents = [...ofDocuments.values()];
  const tellsAsked = ({ sentence }: Candidate): boolean => figuresIn(textOf(sentence)).some(({ name }) => asked.has(name));
  const ofFigure = documents.map((own) => own.filter(tellsAsked).sort((a, b) => b.score - a.score)).filter(({ length }) => length > 0);
  const lists = ofFigure.length > 0 ? ofFigure.map((own) => own.map(({ sentence }) => [sentence])) : documents.map(groupRows);
  const quotes = takeTurns(lists)
    .slice(0, MAX_QUOTES)
    .map((sentences) => ({ sentences, above: sentences[0]?.above ?? [] }));
  return { quotes, areAsked: ofFigure.length > 0 };
}

/** Whether a sentence is of what a tool brought about a company. */
function isOfCompany({ section }: Sentence): boolean {
  return COMPANY_KINDS.has(section.reading.hit.kind);
}

/** Whether it is a figure or a fact by itself, not prose of a filing. */
function isCompanyRow(sentence: Sentence): boolean {
  return isOfCompany(sentence) && (sentence.kind === "list-item" || sentence.kind === "table-row");
}

/** Neighboring rows together, as long as they are short. */
function groupRows(rows: readonly Candidate[]): Sentence[][] {
  const groups: Sentence[][] = [];
  for (const { sentence: row } of rows) {
    const group = groups.at(-1);
    if (group?.[0]?.section === row.section && row.end - group[0].start <= COMFORTABLE_LENGTH) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** The first of each list, then the second of each, and so on. */
function takeTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const placed = lists.flatMap((list) => list.map((item, place) => ({ item, place })));
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
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
function explainNoAnswer(language: string, { asked, readings, sentences }: Found, missing: readonly string[]): string {
  const phrases = /^zh\b/i.test(language) ? CHINESE : ENGLISH;
  if (asked === 0) return phrases.noTerms;
  if (readings === 0) return phrases.nothingRead;
  if (sentences === 0) return phrases.nothingQuotable;
  if (missing.length === 0) return phrases.tooFar;
  const terms = missing.slice(0, MAX_TERMS).map((term) => `“${term.slice(0, MAX_TERM_LENGTH).toWellFormed()}”`);
  return `${phrases.tooFar}${phrases.missing(terms)}`;
}
