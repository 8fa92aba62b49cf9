import { inverseDocumentFrequency } from "../../ranking/bm25.ts";
import { stem } from "../../ranking/stem.ts";
import { findAntecedents } from "./antecedents.ts";
import { splitCompounds } from "./compounds.ts";
import { findForeignSubjects } from "./foreign-subject.ts";
import { type Sentence, textOf } from "./passages.ts";
import type { Concept } from "./question.ts";
import { isQuotable } from "./quotable.ts";
import { formsOf } from "./verb-forms.ts";

/** How well each concept of the question is met somewhere, 0 to 1, by the index of the concept. */
export type Match = readonly number[];

/** The sentences at hand, seen from the question. */
export interface Evidence {
  readonly sentences: readonly Sentence[];
  readonly concepts: readonly Concept[];
  /** What each concept counts for whether there is an answer: its own weight times its rarity among the sentences. */
  readonly weights: readonly number[];
  /** What each counts for which sentences come first: rare words and names of several words much more. */
  readonly rankWeights: readonly number[];
  /** By the index of the sentence: what it says itself. */
  readonly own: readonly Match[];
  /** By the index of the sentence: whether it can stand in a report by itself. */
  readonly quotable: readonly boolean[];
  /** By the index of the sentence: the index of the one that says whom or what it speaks of, or null where it says so itself. */
  readonly antecedents: readonly (number | null)[];
  /** By the index of the sentence: whether it begins with a pronoun that stands for something else than what the question names. */
  readonly ofAnother: readonly boolean[];
  /** What a list of terms says: those of a heading, a title, a sentence. */
  match(terms: readonly string[]): Match;
  /** In how many sentences a term occurs. */
  frequency(term: string): number;
}

/** A token of a text that meets a part of a concept, and how well: 1 for the same word, less for a relative of it. */
interface Variant {
  readonly part: string;
  readonly strength: number;
}

/** Below 1, so that the word itself wins wherever it occurs. */
const RELATIVE_STRENGTH = 0.8;
const PARTS_ONLY_STRENGTH = 0.9;
/** Shorter beginnings are shared by words of different roots. */
const MIN_PREFIX = 5;
/** What a word counts that stands everywhere; without it a word that is missing would outweigh all that are met. */
const BASE_RARITY = 0.5;

/** Matches every sentence, its headings and its title against the concepts. */
export function gatherEvidence(asked: readonly Concept[], sentences: readonly Sentence[]): Evidence {
  const frequencies = countFrequencies(sentences);
  const concepts = splitCompounds(asked, sentences);
  const variants = findVariants(concepts, frequencies);
  const matcher = createMatcher(concepts, variants);
  const own = sentences.map((sentence) => withValues(concepts, matcher(sentence.terms), sentence));
  const rarities = concepts.map((_, i) => rarity(own, i));
  return {
    sentences,
    concepts,
    weights: concepts.map(({ weight }, i) => weight * (BASE_RARITY + (rarities[i] ?? 0))),
    rankWeights: concepts.map(({ weight, parts }, i) => weight * (rarities[i] ?? 0) * Math.sqrt(parts.length)),
    own,
    quotable: sentences.map(isQuotable),
    antecedents: findAntecedents(sentences),
    ofAnother: findForeignSubjects(concepts, sentences, own, matcher),
    match: matcher,
    frequency: (term) => frequencies.get(term) ?? 0,
  };
}

/** The share of the `weights` that `match` covers, 0 to 1. */
export function coverage(weights: readonly number[], match: Match): number {
  let covered = 0;
  let total = 0;
  weights.forEach((weight, i) => {
    covered += weight * (match[i] ?? 0);
    total += weight;
  });
  return total > 0 ? covered / total : 0;
}

/** The better of both, concept by concept, the second one counting `factor`. */
export function either(a: Match, b: Match, factor: number): Match {
  if (b === NOTHING) return a;
  if (a === NOTHING && factor === 1) return b;
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => Math.max(a[i] ?? 0, factor * (b[i] ?? 0)));
}

/** The match of a text that meets no concept. */
export const NOTHING: Match = [];

/** A value of a property is as good as its name. */
function withValues(concepts: readonly Concept[], match: Match, sentence: Sentence): Match {
  if (!concepts.some(({ isNamedIn }) => isNamedIn?.(textOf(sentence)))) return match;
  return concepts.map(({ isNamedIn }, i) => (isNamedIn?.(textOf(sentence)) ? 1 : (match[i] ?? 0)));
}

function countFrequencies(sentences: readonly Sentence[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const { terms } of sentences) for (const term of new Set(terms)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return frequencies;
}

/** 0 for what stands in every sentence, 1 for what stands in none. */
function rarity(own: readonly Match[], concept: number): number {
  const frequency = own.filter((match) => (match[concept] ?? 0) >= 0.5).length;
  return inverseDocumentFrequency(own.length, frequency) / inverseDocumentFrequency(own.length, 0);
}

function findVariants(concepts: readonly Concept[], frequencies: ReadonlyMap<string, number>): Map<string, Variant[]> {
  const variants = new Map<string, Variant[]>();
  const add = (token: string, variant: Variant): void => void variants.set(token, [...(variants.get(token) ?? []), variant]);
  const asked = concepts.flatMap(({ whole, parts }) => (whole ? [whole, ...parts] : parts));
  asked.slice(1).forEach((next, i) => {
    // "Deep Mind" in the question, DeepMind in the text, which has no parts.
    const joined = stem(`${asked[i]}${next}`);
    if (!frequencies.has(joined)) return;
    for (const part of [asked[i] ?? "", next]) add(joined, { part, strength: RELATIVE_STRENGTH });
  });
  for (const part of new Set(asked)) {
    add(part, { part, strength: 1 });
    for (const form of formsOf(part)) if (frequencies.has(form)) add(form, { part, strength: RELATIVE_STRENGTH });
    if (frequencies.has(part)) continue;
    for (const token of frequencies.keys()) if (isRelative(part, token)) add(token, { part, strength: RELATIVE_STRENGTH });
  }
  return variants;
}

/** Words of one root that the stemmer leaves apart (recovery, recover); a lone ideograph and the pairs it stands in. */
function isRelative(part: string, token: string): boolean {
  if (part.length === 1) return /\p{sc=Han}/u.test(part) && token.length === 2 && token.includes(part);
  if (part.length < MIN_PREFIX || token.length < MIN_PREFIX || Math.abs(part.length - token.length) > 4) return false;
  const shared = Math.max(MIN_PREFIX, Math.ceil(Math.min(part.length, token.length) * 0.8));
  return /^\p{L}+$/u.test(token) && part.slice(0, shared) === token.slice(0, shared);
}

function createMatcher(
  concepts: readonly Concept[],
  variants: ReadonlyMap<string, readonly Variant[]>,
): (terms: readonly string[]) => Match {
  const known = new Map<readonly string[], Match>();
  const match = (terms: readonly string[]): Match => {
    const met = new Map<string, number>();
    for (const term of terms) {
      for (const { part, strength } of variants.get(term) ?? []) met.set(part, Math.max(met.get(part) ?? 0, strength));
    }
    return met.size === 0 ? NOTHING : concepts.map((concept) => strengthOf(concept, met));
  };
  return (terms) => {
    // Headings and titles are shared by all their sentences.
    const found = known.get(terms) ?? match(terms);
    known.set(terms, found);
    return found;
  };
}

function strengthOf({ whole, parts }: Concept, met: ReadonlyMap<string, number>): number {
  const asWhole = whole === null ? 0 : (met.get(whole) ?? 0);
  if (asWhole === 1) return 1;
  const share = parts.reduce((sum, part) => sum + (met.get(part) ?? 0), 0) / parts.length;
  // The 9 of "kill -9" alone is any 9.
  if (share < 0.5 || whole?.startsWith("-")) return asWhole;
  return Math.max(asWhole, whole === null ? share : share * PARTS_ONLY_STRENGTH);
}
