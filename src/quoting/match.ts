import { listAt, SENTENCE_IS, stringAt, type TextAnalysis, termId } from "../domain/analysis.ts";
import type { Reading } from "../domain/ports/analyst.ts";
import { inverseDocumentFrequency } from "../ranking/scoring.ts";
import { normalizeText } from "../ranking/tokenize.ts";
import { boundMissing } from "./missing-words.ts";
import type { Question, Term } from "./question.ts";
import { isQuotable, type ReadText, type Sentence, type Sentences, textOf } from "./sentences.ts";

export type Match = readonly number[];

interface Context {
  readonly neighbor: number;
  readonly heading: number;
  readonly title: number;
}

export interface Evidence {
  readonly sentences: Sentences;
  /** Rare terms weigh more. Without the terms of the previous question, the weights add up to 1. */
  readonly weights: readonly number[];
  /** The matches of the sentences with a term of the question. */
  readonly matches: ReadonlyMap<number, Match>;
  /** How close each sentence is to the question, in reading order; only sentences with a value above 0. */
  readonly closeness: ReadonlyMap<number, number>;
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
const DOCUMENT_SHARE = 0.5;
/** The matched sentences times the terms of the question: 24 MB. */
const MAX_MATCHED_TERMS = 3_000_000;

export function matchSentences({ text, terms }: Question, sentences: Sentences): Evidence {
  const matches = new Map<number, Match>();
  const most = Math.floor(MAX_MATCHED_TERMS / Math.max(1, terms.length));
  for (const one of sentences.texts) matchText(terms, one, matches, most);
  const weights = weighTerms(terms, matches, sentences.length);
  const matcher = new ContextMatcher(terms, sentences, matches);
  const closeness = new Map<number, number>();
  // Squared, because a term's rarity counts in the question and in the passage (vector space model, Salton and Buckley 1988).
  const squares = weights.map((weight, i) => (terms[i]?.isContext ? 0 : weight ** 2));
  const strengths = new Strengths(text, normalizeWeights(boundMissing(squares, terms, sentences), terms));
  // Thousands of sentences are compared, so their matches are combined in place.
  const combined = new Float64Array(terms.length);
  for (const index of matcher.candidates()) {
    const sentence = sentences.at(index) as Sentence;
    const isNear = matches.has(index) || sentence.above.some((row) => matches.has(row));
    const close = isNear ? coverage(weights, matcher.combine(sentence, TO_CHOOSE, combined)) : 0;
    if (close > 0) closeness.set(index, close);
    if (isQuotable(sentence)) strengths.add(sentence, matcher.combine(sentence, TO_JUDGE, combined));
  }
  return { sentences, weights, matches, closeness, strengths: strengths.measure() };
}

export function coverage(weights: readonly number[], match: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * (match[i] ?? 0);
  return sum;
}

export function maxMatch(a: Match, b: ArrayLike<number>): Match {
  return a.map((value, i) => Math.max(value, b[i] ?? 0));
}

/** Returns the share of the parts of each term that `has` finds. */
function matchTerms(terms: readonly Term[], has: (part: string) => boolean): Match {
  return terms.map(({ parts }) => parts.reduce((sum, part) => sum + (has(part) ? 1 : 0), 0) / parts.length);
}

/** In sentences. What is counted at once takes a few MB. */
const WINDOW = 4_096;

/**
 * Adds the sentences of one text that contain a part of a term, in reading order, with their matches. Of texts with more than `most` such
 * sentences, the first ones are taken.
 */
function matchText(terms: readonly Term[], { document: { analysis }, first }: ReadText, matches: Map<number, Match>, most: number): void {
  const parts = terms.flatMap(({ parts }, term) => parts.map((part) => ({ term, id: termId(analysis, part) })));
  const holders = parts.flatMap(({ term, id }) => (id < 0 ? [] : { term, sentences: listAt(analysis.holders, id), at: 0 }));
  for (let end = WINDOW; end < analysis.starts.length + WINDOW && holders.length > 0; end += WINDOW) {
    const found = new Map<number, number[]>();
    for (const holder of holders) {
      for (let next = holder.sentences[holder.at]; next !== undefined && next < end; next = holder.sentences[++holder.at]) {
        const counts = found.get(next) ?? new Array<number>(terms.length).fill(0);
        if (!found.has(next)) found.set(next, counts);
        counts[holder.term] = (counts[holder.term] ?? 0) + 1;
      }
    }
    for (const sentence of Uint32Array.from(found.keys()).sort()) {
      if (matches.size >= most) return;
      const counts = found.get(sentence) ?? [];
      for (let i = 0; i < counts.length; i++) counts[i] = (counts[i] ?? 0) / (terms[i]?.parts.length ?? 1);
      matches.set(first + sentence, counts);
    }
  }
}

function weighTerms(terms: readonly Term[], matches: ReadonlyMap<number, Match>, sentenceCount: number): number[] {
  const frequencies = terms.map(() => 0);
  for (const match of matches.values()) {
    for (let i = 0; i < match.length; i++) if ((match[i] ?? 0) >= OCCURRENCE) frequencies[i] = (frequencies[i] ?? 0) + 1;
  }
  const raw = terms.map(
    ({ isName, isContext }, i) =>
      inverseDocumentFrequency(sentenceCount, frequencies[i] ?? 0) * (isName ? NAME_WEIGHT : 1) * (isContext ? CONTEXT_WEIGHT : 1),
  );
  return normalizeWeights(raw, terms);
}

function normalizeWeights(raw: readonly number[], terms: readonly Term[]): number[] {
  const total = raw.reduce((sum, weight, i) => sum + (terms[i]?.isContext ? 0 : weight), 0) || 1;
  return raw.map((weight) => weight / total);
}

/** Matches sentences together with their neighbors, headings, table headers and title. */
class ContextMatcher {
  readonly #sentences: Sentences;
  readonly #matches: ReadonlyMap<number, Match>;
  readonly #titles: ReadonlyMap<ReadText, Match>;
  readonly #sections: ReadonlyMap<ReadText, readonly Match[]>;

  constructor(terms: readonly Term[], sentences: Sentences, matches: ReadonlyMap<number, Match>) {
    const { texts } = sentences;
    this.#sentences = sentences;
    this.#matches = matches;
    this.#titles = new Map(texts.map((text) => [text, matchTerms(terms, (part) => text.titleTerms.has(part))]));
    this.#sections = new Map(texts.map((text) => [text, matchSections(terms, text.document.analysis)]));
  }

  /** Writes into `into` what the sentence and the text around it match. */
  combine({ index, of, section, above }: Sentence, { neighbor, heading, title }: Context, into: Float64Array): Float64Array {
    into.fill(0);
    raise(into, this.#titles.get(of), title);
    raise(into, this.#sections.get(of)?.[section], heading);
    for (const row of above) raise(into, this.#matches.get(row), heading);
    raise(into, this.#beside(index - 1, of, section), neighbor);
    raise(into, this.#beside(index + 1, of, section), neighbor);
    raise(into, this.#matches.get(index), 1);
    return into;
  }

  /** Returns all sentences whose match may differ from that of the first quotable one of their section, and that one, in order. */
  candidates(): Uint32Array {
    const chosen = new Uint8Array(this.#sentences.length);
    for (const text of this.#sentences.texts) chooseFirstOfSections(text, chosen);
    for (const index of this.#matches.keys()) this.#chooseNear(index, chosen);
    return indexesOf(chosen);
  }

  /** Chooses a sentence, its neighbors, and the rows below it if it is a table's first row or caption. */
  #chooseNear(index: number, chosen: Uint8Array): void {
    const of = this.#sentences.textAt(index) as ReadText;
    const { flags, firstRows, starts } = of.document.analysis;
    const at = index - of.first;
    for (let i = Math.max(0, at - 1); i <= at + 1 && i < starts.length; i++) chosen[of.first + i] = 1;
    const captioned = ((flags[at + 1] ?? 0) & SENTENCE_IS.captioned) !== 0;
    for (let row = at; row <= (captioned ? at + 1 : at); row++) {
      if (((flags[row] ?? 0) & SENTENCE_IS.firstRow) === 0) continue;
      for (let i = row + 1; i < starts.length && (firstRows[i] === row || firstRows[i] === -1); i++)
        if (firstRows[i] === row) chosen[of.first + i] = 1;
    }
  }

  #beside(index: number, of: ReadText, section: number): Match | undefined {
    const match = this.#matches.get(index);
    return match !== undefined && index >= of.first && of.document.analysis.sections[index - of.first] === section ? match : undefined;
  }
}

function raise(into: Float64Array, match: Match | undefined, factor: number): void {
  if (match === undefined) return;
  for (let i = 0; i < into.length; i++) into[i] = Math.max(into[i] ?? 0, factor * (match[i] ?? 0));
}

function chooseFirstOfSections({ document: { analysis }, first }: ReadText, chosen: Uint8Array): void {
  const { flags, sections, parents } = analysis;
  const seen = new Uint8Array(parents.length);
  for (let i = 0; i < sections.length; i++) {
    const section = sections[i] ?? 0;
    if (((flags[i] ?? 0) & SENTENCE_IS.quotable) === 0 || seen[section] === 1) continue;
    seen[section] = 1;
    chosen[first + i] = 1;
  }
}

function indexesOf(chosen: Uint8Array): Uint32Array {
  const indexes = new Uint32Array(chosen.reduce((count, one) => count + one, 0));
  for (let i = 0, at = 0; at < indexes.length; i++) if (chosen[i] === 1) indexes[at++] = i;
  return indexes;
}

/** Returns for each section the match of its heading and the headings above it. */
function matchSections(terms: readonly Term[], analysis: TextAnalysis): Match[] {
  const ids = new Set(terms.flatMap(({ parts }) => parts.map((part) => termId(analysis, part))));
  const parts: ReadonlySet<string>[] = [];
  const matches: Match[] = [];
  const none = terms.map(() => 0);
  for (const [section, parent] of analysis.parents.entries()) {
    const own = listAt(analysis.headings, section).filter((id) => ids.has(id));
    const above = parts[parent] ?? new Set();
    const all = own.length === 0 ? above : new Set([...above, ...Array.from(own, (id) => stringAt(analysis.terms, id))]);
    parts.push(all);
    matches.push(own.length === 0 ? (matches[parent] ?? none) : matchTerms(terms, (part) => all.has(part)));
  }
  return matches;
}

/** How well each document answers, from the matches of its sentences, added in reading order. */
class Strengths {
  readonly #question: string;
  readonly #weights: readonly number[];
  readonly #found = new Map<Reading, { readonly whole: Float64Array; best: number; passage: string }>();

  constructor(question: string, weights: readonly number[]) {
    this.#question = question;
    this.#weights = weights;
  }

  add(sentence: Sentence, match: Float64Array): void {
    const { reading } = sentence.of;
    const known = this.#found.get(reading);
    const one = known ?? { whole: match.slice(), best: 0, passage: "" };
    if (known === undefined) this.#found.set(reading, one);
    const closeness = coverage(this.#weights, match);
    if (closeness > one.best) Object.assign(one, { best: closeness, passage: textOf(sentence) });
    for (let i = 0; i < match.length; i++) one.whole[i] = Math.max(one.whole[i] ?? 0, match[i] ?? 0);
  }

  /** A document also gets the terms of the documents whose titles are in its best passage. */
  measure(): Map<Reading, number> {
    const documentsNamedIn = findTitles([...this.#found.keys()]);
    const asked = documentsNamedIn(this.#question);
    return new Map(
      [...this.#found].map(([reading, { whole, best, passage }]) => {
        const beside = [...documentsNamedIn(passage), ...(asked.includes(reading) ? asked : [])];
        const together = beside.reduce<Match>((match, other) => maxMatch(match, this.#found.get(other)?.whole ?? []), [...whole]);
        return [reading, (1 - DOCUMENT_SHARE) * best + DOCUMENT_SHARE * coverage(this.#weights, together)];
      }),
    );
  }
}

/** Returns the first `count` items in the order of `compare`, as a stable sort of all would. */
export function takeBest<T>(items: Iterable<T>, count: number, compare: (a: T, b: T) => number): T[] {
  let best: T[] = [];
  for (const item of items) {
    best.push(item);
    if (best.length >= 8 * count) best = best.sort(compare).slice(0, count);
  }
  return best.sort(compare).slice(0, count);
}

/** A sentence by its index. The sentences themselves would take a GB for texts of 6 million characters. */
export interface Scored {
  readonly index: number;
  readonly score: number;
}

const SEEDS = 4;
const LINK_BONUS = 0.2;

/** A document gets a bonus if the question or a good sentence contains the document's title. */
export function followTitles(question: string, sentences: Sentences, scored: readonly Scored[]): ReadonlyMap<Reading, number> {
  const documentsNamedIn = findTitles(sentences.texts.map(({ reading }) => reading));
  const links = new Map(documentsNamedIn(question).map((reading) => [reading, LINK_BONUS]));
  const seeds = takeBest(scored, SEEDS, (a, b) => b.score - a.score);
  for (const { index, score } of seeds) {
    const sentence = sentences.at(index) as Sentence;
    const link = (LINK_BONUS * score) / (seeds[0]?.score ?? 1);
    const others = documentsNamedIn(textOf(sentence)).filter((reading) => reading !== sentence.of.reading);
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
  return new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}])${RegExp.escape(name)}(?![\p{L}\p{M}\p{N}])`, "u").test(text);
}
