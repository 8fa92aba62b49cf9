import type { Reading } from "../../domain/ports/analyst.ts";
import { inverseDocumentFrequency } from "../../ranking/bm25.ts";
import type { Question, Term } from "./question.ts";
import { isQuotable, type Section, type Sentence, textOf } from "./sentences.ts";
import { readTitles } from "./title-links.ts";

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
/** The part of the strength that the whole document has; the passage has the rest. */
const DOCUMENT_SHARE = 0.5;

/** Matches every sentence with its headings and title against the question. */
export function matchSentences({ terms }: Question, sentences: readonly Sentence[]): Evidence {
  const own = sentences.map((sentence) => matchTerms(terms, sentence.terms));
  const weights = weighTerms(terms, own);
  const inContext = createReader(terms, sentences, own);
  const closeness = own.map((match, i) => (match.some((value) => value > 0) ? coverage(weights, inContext(i, TO_CHOOSE)) : 0));
  const strengths = measureStrengths(sentences, judgingWeights(terms, weights), (i) => inContext(i, TO_JUDGE));
  return { sentences, weights, own, closeness, strengths };
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

/**
 * To tell whether there is an answer, rarity counts twice, for the question and for the passage, as in the vector space model (Salton and
 * Buckley 1988): common words do not make up for a rare one that nothing says.
 */
function judgingWeights(terms: readonly Term[], weights: readonly number[]): number[] {
  const squares = weights.map((weight, i) => (terms[i]?.isContext ? 0 : weight ** 2));
  return asShares(squares, terms);
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

/** A document whose title stands in the best passage of another one counts as a part of that one. */
function measureStrengths(
  sentences: readonly Sentence[],
  weights: readonly number[],
  read: (index: number) => Match,
): Map<Reading, number> {
  const found = new Map<Reading, { whole: Match; best: number; passage: string }>();
  for (const [i, sentence] of sentences.entries()) {
    if (!isQuotable(sentence)) continue;
    const match = read(i);
    const { whole, best, passage } = found.get(sentence.section.reading) ?? { whole: match, best: 0, passage: "" };
    const closeness = coverage(weights, match);
    const closest = closeness > best ? { best: closeness, passage: textOf(sentence) } : { best, passage };
    found.set(sentence.section.reading, { whole: either(whole, match), ...closest });
  }
  const namedIn = readTitles([...found.keys()]);
  return new Map(
    [...found].map(([reading, { whole, best, passage }]) => {
      const together = namedIn(passage).reduce((match, other) => either(match, found.get(other)?.whole ?? []), whole);
      return [reading, (1 - DOCUMENT_SHARE) * best + DOCUMENT_SHARE * coverage(weights, together)];
    }),
  );
}
