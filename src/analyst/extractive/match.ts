import { setImmediate } from "node:timers/promises";
import type { Reading } from "../../domain/ports/analyst.ts";
import { inverseDocumentFrequency } from "../../ranking/scoring.ts";
import { normalizeText } from "../../ranking/tokenize.ts";
import type { Question, Term } from "./question.ts";
import { isQuotable, type Section, type Sentence, textOf } from "./sentences.ts";

export type Match = readonly number[];

interface Context {
  readonly neighbor: number;
  readonly heading: number;
  readonly title: number;
}

export interface Evidence {
  readonly sentences: readonly Sentence[];
  /** Rare terms weigh more. Without the terms of the previous question, the weights add up to 1. */
  readonly weights: readonly number[];
  readonly own: readonly Match[];
  readonly closeness: readonly number[];
  /** How well each document answers the question, from 0 to 1. */
  readonly strengths: ReadonlyMap<Reading, number>;
}

const NAME_WEIGHT = 1.5;
/** Terms of the previous question help to choose passages, but do not count in `strengths`. */
const CONTEXT_WEIGHT = 0.5;
const OCCURRENCE = 0.5;
/** For choosing sentences, the words of the sentence itself count most. */
const TO_CHOOSE: Context = { neighbor: 0.3, heading: 0.55, title: 0.65 };
/** For judging whether a document answers, the neighbors of a sentence count nearly as much as the sentence itself. */
const TO_JUDGE: Context = { neighbor: 0.9, heading: 0.8, title: 0.8 };
const PER_TURN = 2_000;
const DOCUMENT_SHARE = 0.5;

export async function matchSentences({ text, terms }: Question, sentences: readonly Sentence[], signal?: AbortSignal): Promise<Evidence> {
  const own = await mapInTurns(sentences, (sentence) => matchTerms(terms, sentence.terms), signal);
  const weights = weighTerms(terms, own);
  const inContext = createContextMatcher(terms, sentences, own);
  const isNear = ({ terms: words, above }: Sentence): boolean =>
    [words, ...above.map((row) => row.terms)].some((said) => terms.some(({ parts }) => parts.some((part) => said.has(part))));
  const chosen = (sentence: Sentence, i: number): number => (isNear(sentence) ? coverage(weights, inContext(i, TO_CHOOSE)) : 0);
  const closeness = await mapInTurns(sentences, chosen, signal);
  const judged = await mapInTurns(sentences, (sentence, i) => (isQuotable(sentence) ? inContext(i, TO_JUDGE) : null), signal);
  // Squared, because a term's rarity counts in the question and in the passage (vector space model, Salton and Buckley 1988).
  const squares = weights.map((weight, i) => (terms[i]?.isContext ? 0 : weight ** 2));
  const strengths = measureStrengths(text, sentences, judged, normalizeWeights(squares, terms));
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

export function coverage(weights: readonly number[], match: Match): number {
  return weights.reduce((sum, weight, i) => sum + weight * (match[i] ?? 0), 0);
}

export function maxMatch(a: Match, b: Match, factor = 1): Match {
  return a.map((value, i) => Math.max(value, factor * (b[i] ?? 0)));
}

function matchTerms(terms: readonly Term[], words: ReadonlySet<string>): Match {
  return terms.map(({ parts }) => parts.reduce((sum, part) => sum + (words.has(part) ? 1 : 0), 0) / parts.length);
}

function weighTerms(terms: readonly Term[], own: readonly Match[]): number[] {
  const raw = terms.map(({ isName, isContext }, i) => {
    const frequency = own.reduce((count, match) => count + ((match[i] ?? 0) >= OCCURRENCE ? 1 : 0), 0);
    return inverseDocumentFrequency(own.length, frequency) * (isName ? NAME_WEIGHT : 1) * (isContext ? CONTEXT_WEIGHT : 1);
  });
  return normalizeWeights(raw, terms);
}

function normalizeWeights(raw: readonly number[], terms: readonly Term[]): number[] {
  const total = raw.reduce((sum, weight, i) => sum + (terms[i]?.isContext ? 0 : weight), 0) || 1;
  return raw.map((weight) => weight / total);
}

function createContextMatcher(
  terms: readonly Term[],
  sentences: readonly Sentence[],
  own: readonly Match[],
): (i: number, context: Context) => Match {
  const matchSection = ({ headingTerms, titleTerms }: Section) => ({
    headings: matchTerms(terms, headingTerms),
    title: matchTerms(terms, titleTerms),
  });
  const sections = new Map([...new Set(sentences.map(({ section }) => section))].map((section) => [section, matchSection(section)]));
  return (index, { neighbor, heading, title }) => {
    const { section, above = [] } = sentences[index] ?? {};
    const beside = [index - 1, index + 1].filter((i) => sentences[i]?.section === section);
    const known = section && sections.get(section);
    const headings = above.reduce((match, one) => maxMatch(match, matchTerms(terms, one.terms)), known?.headings ?? []);
    const match = beside.reduce((sum, i) => maxMatch(sum, own[i] ?? [], neighbor), own[index] ?? []);
    return maxMatch(maxMatch(match, headings, heading), known?.title ?? [], title);
  };
}

/** A document also gets the terms of the documents whose titles are in its best passage. */
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
    found.set(sentence.section.reading, { whole: maxMatch(whole, match), ...closest });
  }
  const documentsNamedIn = findTitles([...found.keys()]);
  const asked = documentsNamedIn(question);
  return new Map(
    [...found].map(([reading, { whole, best, passage }]) => {
      const beside = [...documentsNamedIn(passage), ...(asked.includes(reading) ? asked : [])];
      const together = beside.reduce((match, other) => maxMatch(match, found.get(other)?.whole ?? []), whole);
      return [reading, (1 - DOCUMENT_SHARE) * best + DOCUMENT_SHARE * coverage(weights, together)];
    }),
  );
}

const SEEDS = 4;
const LINK_BONUS = 0.2;

/** A document gets a bonus if the question or a good sentence contains the document's title. */
export function followTitles(question: string, sentences: readonly Sentence[], scores: readonly number[]): ReadonlyMap<Reading, number> {
  const documentsNamedIn = findTitles([...new Set(sentences.map(({ section }) => section.reading))]);
  const links = new Map(documentsNamedIn(question).map((reading) => [reading, LINK_BONUS]));
  const seeds = sentences
    .map((sentence, i) => ({ sentence, score: scores[i] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SEEDS);
  for (const { sentence, score } of seeds) {
    const link = (LINK_BONUS * score) / (seeds[0]?.score ?? 1);
    const others = documentsNamedIn(textOf(sentence)).filter((reading) => reading !== sentence.section.reading);
    for (const reading of others) links.set(reading, Math.max(links.get(reading) ?? 0, link));
  }
  return links;
}

const APPOSITION = /\s*[(（][^()（）]*[)）]\s*$/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const MIN_LETTERS = 4;
const MIN_IDEOGRAPHS = 2;

function findTitles(readings: readonly Reading[]): (text: string) => Reading[] {
  const titles = readings
    .map((reading) => ({
      reading,
      name: normalizeText(reading.document.title || reading.hit.title)
        .replace(APPOSITION, "")
        .trim(),
    }))
    .filter(({ name }) => isName(name));
  return (text) => {
    const plain = normalizeText(text);
    return titles.filter(({ name }) => contains(plain, name)).map(({ reading }) => reading);
  };
}

function isName(title: string): boolean {
  if (UNSPACED.test(title)) return (title.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_IDEOGRAPHS;
  return title.length >= MIN_LETTERS && /^\P{L}*\p{Lu}/u.test(title);
}

function contains(text: string, name: string): boolean {
  if (UNSPACED.test(name) || !text.includes(name)) return text.includes(name);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${RegExp.escape(name)}(?![\p{L}\p{N}])`, "u").test(text);
}
