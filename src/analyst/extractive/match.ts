import { setImmediate } from "node:timers/promises";
import type { Reading } from "../../domain/ports/analyst.ts";
import { inverseDocumentFrequency } from "../../ranking/scoring.ts";
import { normalizeText } from "../../ranking/tokenize.ts";
import type { Question, Term } from "./question.ts";
import { isQuotable, type Section, type Sentence, textOf } from "./sentences.ts";

const SEEDS = 4;
/** The most that a link adds, where a full match of the question is 1. */
const LINK = 0.2;
/** What tells two things of one name apart is no part of the name: "Protea (plant)". */
const APPOSITION = /\s*[(（][^()（）]*[)）]\s*$/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const MIN_LETTERS = 4;
const MIN_IDEOGRAPHS = 2;

/**
 * What the sentences of each document owe to its title: that the question names it, or one of the best sentences of another document.
 * So a question on the director of a film leads from the page of the film to the page of the director.
 */
export function followTitles(question: string, sentences: readonly Sentence[], scores: readonly number[]): ReadonlyMap<Reading, number> {
  const namedIn = readTitles([...new Set(sentences.map(({ section }) => section.reading))]);
  const links = new Map(namedIn(question).map((reading) => [reading, LINK]));
  const seeds = [...scores.keys()]
    .filter((i) => (scores[i] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
    .slice(0, SEEDS);
  const most = scores[seeds[0] ?? -1] ?? 1;
  for (const index of seeds) {
    const sentence = sentences[index];
    if (sentence === undefined) continue;
    for (const reading of namedIn(textOf(sentence))) {
      if (reading === sentence.section.reading) continue;
      links.set(reading, Math.max(links.get(reading) ?? 0, (LINK * (scores[index] ?? 0)) / most));
    }
  }
  return links;
}

/** Finds the documents whose titles, where these are names, stand in a text word for word. */
function readTitles(readings: readonly Reading[]): (text: string) => Reading[] {
  const titles = readings.map((reading) => ({ reading, name: nameOf(reading) })).filter(({ name }) => isName(name));
  return (text) => {
    const plain = normalizeText(text);
    return titles.filter(({ name }) => standsIn(name, plain)).map(({ reading }) => reading);
  };
}

function nameOf({ document, hit }: Reading): string {
  return normalizeText(document.title || hit.title)
    .replace(APPOSITION, "")
    .trim();
}

/** Titles with a capital, or of two ideographs: "Search" is not looked for in "to search". */
function isName(title: string): boolean {
  if (UNSPACED.test(title)) return (title.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_IDEOGRAPHS;
  return title.length >= MIN_LETTERS && /^\P{L}*\p{Lu}/u.test(title);
}

/** Word for word; between ideographs there are no spaces to tell words by. */
function standsIn(name: string, text: string): boolean {
  if (UNSPACED.test(name) || !text.includes(name)) return text.includes(name);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${RegExp.escape(name)}(?![\p{L}\p{N}])`, "u").test(text);
}

/** How much of each term of the question is met, 0 to 1, by the index of the term. */
export type Match = readonly number[];

/** What a term counts that stands beside or above a sentence instead of in it. */
interface Context {
  readonly neighbor: number;
  readonly heading: number;
  readonly title: number;
}

/** All sentences, seen from the question. */
export interface Evidence {
  readonly sentences: readonly Sentence[];
  /** What each term counts, those of the question together 1: its rarity among the sentences, half as much again for a name. */
  readonly weights: readonly number[];
  /** By the index of the sentence: what it says itself. */
  readonly own: readonly Match[];
  /** By the index of the sentence: how close it is to the question, 0 to 1. */
  readonly closeness: readonly number[];
  /** By document: how well its best passage, and all of it, match the question, 0 to 1. */
  readonly strengths: ReadonlyMap<Reading, number>;
}

const NAME_WEIGHT = 1.5;
/** Of a term of the question before it: it tells which passages come first, not whether there is an answer. */
const CONTEXT_WEIGHT = 0.5;
/** A term is met by a sentence that holds half of its parts. */
const MET = 0.5;
/** To choose sentences: what a sentence says itself comes first. */
const TO_CHOOSE: Context = { neighbor: 0.3, heading: 0.55, title: 0.65 };
/** To tell whether there is an answer: a sentence is read in its place. */
const TO_JUDGE: Context = { neighbor: 0.9, heading: 0.8, title: 0.8 };
/** Sentences between two turns of the event loop. */
const PER_TURN = 2_000;
/** The part of the strength that the whole document has; the passage has the rest. */
const DOCUMENT_SHARE = 0.5;

/** Matches every sentence with its headings and title against the question, in turns of the event loop. */
export async function matchSentences({ text, terms }: Question, sentences: readonly Sentence[], signal?: AbortSignal): Promise<Evidence> {
  const own = await mapInTurns(sentences, (sentence) => matchTerms(terms, sentence.terms), signal);
  const weights = weighTerms(terms, own);
  const inContext = createReader(terms, sentences, own);
  const isNear = ({ terms: words, above }: Sentence): boolean =>
    [words, ...above.map((row) => row.terms)].some((said) => terms.some(({ parts }) => parts.some((part) => said.has(part))));
  const closeness = await mapInTurns(
    sentences,
    (sentence, i) => (isNear(sentence) ? coverage(weights, inContext(i, TO_CHOOSE)) : 0),
    signal,
  );
  const judged = await mapInTurns(sentences, (sentence, i) => (isQuotable(sentence) ? inContext(i, TO_JUDGE) : null), signal);
  // Rarity counts twice here, for the question and for the passage, as in the vector space model (Salton and Buckley 1988).
  const squares = weights.map((weight, i) => (terms[i]?.isContext ? 0 : weight ** 2));
  const strengths = measureStrengths(text, sentences, judged, asShares(squares, terms));
  return { sentences, weights, own, closeness, strengths };
}

async function mapInTurns<A, B>(items: readonly A[], map: (item: A, index: number) => B, signal?: AbortSignal): Promise<B[]> {
  const mapped: B[] = [];
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index));
    if (index % PER_TURN === PER_TURN - 1) await setImmediate(undefined, { signal });
  }
  return mapped;
}

/** The weight of what is met. */
export function coverage(weights: readonly number[], match: Match): number {
  return weights.reduce((sum, weight, i) => sum + weight * (match[i] ?? 0), 0);
}

/** The better of both, term by term, the second one counting `factor`. */
export function either(a: Match, b: Match, factor = 1): Match {
  return a.map((value, i) => Math.max(value, factor * (b[i] ?? 0)));
}

function matchTerms(terms: readonly Term[], words: ReadonlySet<string>): Match {
  return terms.map(({ parts }) => parts.reduce((sum, part) => sum + (words.has(part) ? 1 : 0), 0) / parts.length);
}

/** Inverse document frequency over the sentences, names half as much again. */
function weighTerms(terms: readonly Term[], own: readonly Match[]): number[] {
  const raw = terms.map(({ isName, isContext }, i) => {
    const frequency = own.reduce((count, match) => count + ((match[i] ?? 0) >= MET ? 1 : 0), 0);
    return inverseDocumentFrequency(own.length, frequency) * (isName ? NAME_WEIGHT : 1) * (isContext ? CONTEXT_WEIGHT : 1);
  });
  return asShares(raw, terms);
}

/** Those of the question are 1 together. */
function asShares(raw: readonly number[], terms: readonly Term[]): number[] {
  const total = raw.reduce((sum, weight, i) => sum + (terms[i]?.isContext ? 0 : weight), 0) || 1;
  return raw.map((weight) => weight / total);
}

/** What a sentence says together with what stands beside and above it. */
function createReader(
  terms: readonly Term[],
  sentences: readonly Sentence[],
  own: readonly Match[],
): (i: number, context: Context) => Match {
  const sections = new Map([...new Set(sentences.map(({ section }) => section))].map((section) => [section, matchSection(terms, section)]));
  return (index, { neighbor, heading, title }) => {
    const { section, above = [] } = sentences[index] ?? {};
    const beside = [index - 1, index + 1].filter((i) => sentences[i]?.section === section);
    const known = section && sections.get(section);
    const headings = above.reduce((match, one) => either(match, matchTerms(terms, one.terms)), known?.headings ?? []);
    const match = beside.reduce((sum, i) => either(sum, own[i] ?? [], neighbor), own[index] ?? []);
    return either(either(match, headings, heading), known?.title ?? [], title);
  };
}

function matchSection(terms: readonly Term[], { headingTerms, titleTerms }: Section): { headings: Match; title: Match } {
  return { headings: matchTerms(terms, headingTerms), title: matchTerms(terms, titleTerms) };
}

/** A document whose title stands in the best passage of another one counts as a part of that one; those that the question names are one. */
function measureStrengths(
  question: string,
  sentences: readonly Sentence[],
  judged: readonly (Match | null)[],
  weights: readonly number[],
): Map<Reading, number> {
  const found = new Map<Reading, { whole: Match; best: number; passage: string }>();
  for (const [i, match] of judged.entries()) {
    const sentence = sentences[i];
    if (match === null || sentence === undefined) continue;
    const { whole, best, passage } = found.get(sentence.section.reading) ?? { whole: match, best: 0, passage: "" };
    const closeness = coverage(weights, match);
    const closest = closeness > best ? { best: closeness, passage: textOf(sentence) } : { best, passage };
    found.set(sentence.section.reading, { whole: either(whole, match), ...closest });
  }
  const namedIn = readTitles([...found.keys()]);
  const asked = namedIn(question);
  return new Map(
    [...found].map(([reading, { whole, best, passage }]) => {
      const beside = [...namedIn(passage), ...(asked.includes(reading) ? asked : [])];
      const together = beside.reduce((match, other) => either(match, found.get(other)?.whole ?? []), whole);
      return [reading, (1 - DOCUMENT_SHARE) * best + DOCUMENT_SHARE * coverage(weights, together)];
    }),
  );
}
