import { arrangeBySection } from "../domain/blocks.ts";
import { computation, lengthOfTexts } from "../domain/computation.ts";
import type { Analyst, Draft, Reading, WritingView } from "../domain/ports/analyst.ts";
import { type Citation, type DraftClaim, MAX_CLOSEST, type Passage } from "../domain/report.ts";
import { isChinese } from "../ranking/language.ts";
import { chooseCompanyRows, chooseQuotes, interleave, isCompanyRow, isCompanyText, MAX_QUOTES, type Quote } from "./choose-quotes.ts";
import { type Evidence, matchSentences } from "./match.ts";
import { missingWords } from "./missing-words.ts";
import { type Question, readQuestion } from "./question.ts";
import { type Sentence, Sentences } from "./sentences.ts";

const NO_MODEL_NO_CALLS = "Without a model, only the calls of the request are made.";

/** Calls no tool, and quotes passages word for word. Equal inputs give equal results. */
export function createExtractiveAnalyst(): Analyst {
  return {
    name: "extractive",
    decide: async ({ tools }) => ({ calls: [], reason: tools.length === 0 ? "No optional tool is offered." : NO_MODEL_NO_CALLS }),
    write: (view, effects) => effects.compute(QUOTING, view),
  };
}

/** A document with a lower strength does not answer the question. bench/retrieval.md shows how the value was chosen. */
export const MIN_STRENGTH = 0.44;

/** Texts of this length take 20 ms if each sentence has a word of the question. */
const QUOTING = computation(import.meta.url, writeQuotes, ({ readings }) => lengthOfTexts(readings), 1_000_000);

export function writeQuotes(view: WritingView): Draft {
  const sentences = new Sentences(view.readings);
  const subjects = subjectsOf(view);
  const answers = subjects.map((subject) => answerTo(subject, sentences));
  const phrases = isChinese(view) ? CHINESE : ENGLISH;
  const quotes = inTurn(answers.map((answer) => answer.quotes)).slice(0, MAX_QUOTES);
  const missing = nameMissing(subjects, sentences, phrases);
  if (quotes.length > 0) return { ...citeQuotes(quotes), reason: missing || null, missing: missing ? [missing] : [] };
  const closest = inTurn(answers.map((answer) => answer.passages))
    .slice(0, MAX_CLOSEST)
    .flatMap(({ above, sentences: own }) => [...above.map((row) => toPassage([row])), toPassage(own)]);
  const reason = explainNoAnswer(subjects, sentences, phrases, missing);
  return { claims: [], citations: [], closest: closest.slice(0, MAX_CLOSEST), reason };
}

/** What answers the question; or, where the user gave queries, each of them: they say better which words matter, and in which language. */
function subjectsOf({ question, history, subjects = [] }: WritingView): Question[] {
  const read = readQuestion(question, history.findLast((turn) => readQuestion(turn.question).terms.length > 0)?.question);
  const given = subjects.map((words) => readQuestion(words).terms).filter((terms) => terms.length > 0);
  return given.length > 0 ? given.map((terms) => ({ ...read, terms })) : [read];
}

interface Answer {
  readonly quotes: readonly Quote[];
  /** Also those that are too far from the question to answer it. */
  readonly passages: readonly Quote[];
}

function answerTo(question: Question, sentences: Sentences): Answer {
  const evidence = dropDocumentation(question, matchSentences(question, sentences));
  const rows = chooseCompanyRows(question, evidence);
  const passages = chooseQuotes(question, evidence);
  const answers = Math.max(0, ...evidence.strengths.values()) >= MIN_STRENGTH;
  // Company data from tools is quoted even if no document answers the question.
  const beside = passages.filter(({ sentences: [first] }) => first && !isCompanyRow(first) && (answers || isCompanyText(first.of)));
  return { quotes: rows.areRequested ? rows.quotes : [...rows.quotes, ...beside], passages };
}

/** The first of each list, then the second of each, and so on; each place once. */
function inTurn(lists: readonly (readonly Quote[])[]): Quote[] {
  const all = interleave(lists).map((quote) => [JSON.stringify(toPassage(quote.sentences)), quote] as const);
  return [...new Map(all.toReversed()).values()].toReversed();
}

/** Drops the passages of Dossier's own documentation if another document answers at least as well. */
function dropDocumentation(question: Question, evidence: Evidence): Evidence {
  const isOwn = ({ hit }: Reading): boolean => hit.isDocumentation === true;
  const strongest = (ofOwn: boolean): number =>
    Math.max(0, ...[...evidence.strengths].map(([reading, strength]) => (isOwn(reading) === ofOwn ? strength : 0)));
  if (strongest(true) === 0 || strongest(false) < Math.max(strongest(true), MIN_STRENGTH)) return evidence;
  const others = evidence.sentences.texts.map(({ reading }) => reading).filter((reading) => !isOwn(reading));
  return matchSentences(question, new Sentences(others));
}

function citeQuotes(quotes: readonly Quote[]): Pick<Draft, "claims" | "citations" | "blocks"> {
  const citations: Citation[] = [];
  const cite = (passage: Passage): number => {
    const known = citations.find(
      ({ contentHash, start, end }) => contentHash === passage.contentHash && start === passage.start && end === passage.end,
    );
    if (known !== undefined) return known.id;
    citations.push({ id: citations.length + 1, ...passage });
    return citations.length;
  };
  // A caption stands above its rows already.
  const above = new Set(quotes.flatMap((quote) => quote.above.map(({ index }) => index)));
  const own = quotes.filter(({ sentences: [first, ...others] }) => others.length > 0 || first === undefined || !above.has(first.index));
  const claims = own.map((quote): DraftClaim => {
    const passages = [...quote.above.map((row) => toPassage([row])), toPassage(quote.sentences)];
    const text = passages.map((passage) => passage.quote).join("\n");
    return { text, citations: passages.map(cite), support: "quoted", supported: true, reason: null, expression: null, section: "" };
  });
  return { claims, citations, blocks: arrangeBySection(claims) };
}

function toPassage(sentences: readonly Sentence[]): Passage {
  const [first, last] = [sentences[0], sentences.at(-1)] as [Sentence, Sentence];
  const { hit, document } = first.of.reading;
  const span = { start: first.start, end: last.end };
  return { sourceId: hit.id, contentHash: document.contentHash, ...span, quote: document.text.slice(span.start, span.end) };
}

const ENGLISH = {
  noTerms: "The question has no words to search for.",
  nothingRead: "Nothing was found that could be read.",
  tooFar: "No passage matches enough of the question. ",
  missing: (terms: readonly string[]) => `Not found in any source: ${terms.join(", ")}.`,
};

const CHINESE: typeof ENGLISH = {
  noTerms: "问题中没有可供查找的词。",
  nothingRead: "没有找到可以读取的资料。",
  tooFar: "没有段落与问题足够吻合。",
  missing: (terms) => `所有来源中都找不到：${terms.join("、")}。`,
};

const MAX_TERMS = 5;
const MAX_TERM_LENGTH = 80;

function explainNoAnswer(subjects: readonly Question[], sentences: Sentences, phrases: typeof ENGLISH, missing: string): string {
  if (subjects.every(({ terms }) => terms.length === 0)) return phrases.noTerms;
  return sentences.length === 0 ? phrases.nothingRead : `${phrases.tooFar}${missing}`.trim();
}

/** Of several queries nothing is named: they are other ways to the same. */
function nameMissing([question, ...others]: readonly Question[], sentences: Sentences, phrases: typeof ENGLISH): string {
  if (question === undefined || others.length > 0) return "";
  const shown = missingWords(question.terms, sentences)
    .slice(0, MAX_TERMS)
    .map((word) => `“${word.slice(0, MAX_TERM_LENGTH).toWellFormed()}”`);
  return shown.length === 0 ? "" : phrases.missing(shown);
}
