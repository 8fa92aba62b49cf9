import { SENTENCE_IS } from "../domain/analysis.ts";
import { figuresIn } from "../domain/companies.ts";
import { intersectionSize } from "../ranking/scoring.ts";
import { type Evidence, followTitles, type Match, maxMatch, type Scored, takeBest } from "./match.ts";
import type { Question } from "./question.ts";
import { isQuotable, isQuotableBeside, type ReadText, type Sentence, type Sentences, termsOf, textOf } from "./sentences.ts";

export interface Quote {
  readonly sentences: readonly Sentence[];
  readonly above: readonly Sentence[];
}

interface Candidate extends Scored {
  readonly sentence: Sentence;
}

interface Range {
  from: number;
  to: number;
}

export const MAX_QUOTES = 8;
const MAX_CANDIDATES = 60;
const MIN_SCORE_SHARE = 0.3;
const RANK_BONUS = 0.2;
const FACT = /^[^|]*\|[^|]*\p{N}[^|]*$/u;
const NOVELTY_BONUS = 0.3;
const DUPLICATE_SHARE = 0.9;
/** In UTF-8 bytes. This is about one paragraph, or 120 Chinese characters. */
const TARGET_LENGTH = 350;
const MAX_LENGTH = 2 * TARGET_LENGTH;

export function chooseQuotes(question: Question, evidence: Evidence): Quote[] {
  const { sentences } = evidence;
  const ranges: Range[] = [];
  const chosen: ReadonlySet<string>[] = [];
  for (const { index, sentence } of orderByNovelty(evidence, rankCandidates(question, evidence))) {
    if (ranges.some(({ from, to }) => index >= from && index <= to)) continue;
    const terms = termsOf(sentence);
    if (chosen.some((one) => isDuplicate(one, terms))) continue;
    const range = growRange(index, ranges, sentences);
    if (sentence.kind === "heading" && range.from === range.to) continue;
    const beside = ranges.find((other) => canJoin(other, range, sentences, MAX_LENGTH));
    if (beside !== undefined) Object.assign(beside, joinRanges(beside, range));
    else if (ranges.length < MAX_QUOTES) ranges.push(range);
    else continue;
    chosen.push(terms);
  }
  return ranges.map(({ from, to }) => toQuote(sentences.slice(from, to + 1), sentences));
}

function toQuote(quoted: readonly Sentence[], sentences: Sentences): Quote {
  return { sentences: quoted, above: (quoted[0]?.above ?? []).flatMap((index) => sentences.at(index) ?? []) };
}

function rankCandidates(question: Question, { sentences, closeness }: Evidence): Candidate[] {
  const withSentences = sentences.texts.filter(({ document }) => document.analysis.starts.length > 0);
  const places = new Map(withSentences.map((text, place) => [text, place]));
  const scored: Scored[] = [];
  for (const [index, close] of closeness) {
    const sentence = sentences.at(index) as Sentence;
    scored.push({ index, score: close + RANK_BONUS / (1 + (places.get(sentence.of) ?? 0)) });
  }
  const links = followTitles(question.text, sentences, scored);
  const toCandidate = ({ index, score }: Scored): Candidate => {
    const sentence = sentences.at(index) as Sentence;
    return { index, sentence, score: score + (links.get(sentence.of.reading) ?? 0) };
  };
  const mayStand = ({ sentence }: Candidate): boolean => {
    const isHeader = (sentence.flags & SENTENCE_IS.firstRow) !== 0 && !FACT.test(textOf(sentence));
    return !isHeader && (sentence.kind === "heading" || isQuotable(sentence));
  };
  const candidates = scored.values().map(toCandidate).filter(mayStand);
  const ranked = takeBest(candidates, MAX_CANDIDATES, (a, b) => b.score - a.score || a.index - b.index);
  return ranked.filter(({ score }) => score >= MIN_SCORE_SHARE * (ranked[0]?.score ?? 0));
}

function orderByNovelty({ weights, matches }: Evidence, ranked: readonly Candidate[]): Candidate[] {
  const left = [...ranked];
  const ordered = left.splice(0, 1);
  const none = weights.map(() => 0);
  const matchOf = ({ index }: Candidate): Match => matches.get(index) ?? none;
  let met = ordered[0] === undefined ? none : matchOf(ordered[0]);
  const worth = (candidate: Candidate): number => {
    const match = matchOf(candidate);
    let novelty = 0;
    for (let i = 0; i < weights.length; i++) novelty += (weights[i] ?? 0) * Math.max(0, (match[i] ?? 0) - (met[i] ?? 0));
    return candidate.score + NOVELTY_BONUS * novelty;
  };
  while (left.length > 0) {
    const worths = left.map(worth);
    const [next] = left.splice(worths.indexOf(Math.max(...worths)), 1);
    if (next === undefined) break;
    ordered.push(next);
    met = maxMatch(met, matchOf(next));
  }
  return ordered;
}

function isDuplicate(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return intersectionSize(a, b) >= DUPLICATE_SHARE * Math.max(4, Math.min(a.size, b.size));
}

function growRange(index: number, ranges: readonly Range[], sentences: Sentences): Range {
  const range = { from: index, to: index };
  const fits = (next: number): boolean => {
    const sentence = sentences.at(next);
    const isFree = ranges.every(({ from, to }) => next < from || next > to);
    return (
      sentence !== undefined && isFree && isQuotableBeside(sentence) && canJoin(range, { from: next, to: next }, sentences, TARGET_LENGTH)
    );
  };
  while (fits(range.to + 1)) range.to += 1;
  while (fits(range.from - 1)) range.from -= 1;
  return range;
}

function joinRanges(a: Range, b: Range): Range {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}

function canJoin(a: Range, b: Range, sentences: Sentences, longest: number): boolean {
  const { from, to } = joinRanges(a, b);
  const [first, last] = [sentences.at(from), sentences.at(to)];
  if (first === undefined || last === undefined || (a.to !== b.from - 1 && b.to !== a.from - 1)) return false;
  if (first.of !== last.of || first.section !== last.section || first.kind === "table-row" || last.kind === "table-row") return false;
  return Buffer.byteLength(first.of.document.text.slice(first.start, last.end)) <= longest;
}

const COMPANY_KINDS: ReadonlySet<string> = new Set(["market", "filing"]);

/** Returns the rows with a figure that the question asks for and sets `areRequested`. Otherwise returns all rows. */
export function chooseCompanyRows(question: Question, { sentences, closeness }: Evidence): { quotes: Quote[]; areRequested: boolean } {
  const asked = new Set(figuresIn(question.text).map(({ name }) => name));
  const documents = sentences.texts.filter(isCompanyText).flatMap((text) => {
    const rows = sentences.slice(text.first, text.first + text.document.analysis.starts.length).filter(isCompanyRow);
    return rows.length === 0 ? [] : [rows];
  });
  const score = ({ index }: Sentence): number => closeness.get(index) ?? 0;
  const hasAsked = (row: Sentence): boolean => figuresIn(textOf(row)).some(({ name }) => asked.has(name));
  const ofFigure = documents.map((rows) => rows.filter(hasAsked).sort((a, b) => score(b) - score(a))).filter(({ length }) => length > 0);
  const lists = ofFigure.length > 0 ? ofFigure.map((rows) => rows.map((row) => [row])) : documents.map(groupRows);
  const quotes = interleave(lists)
    .slice(0, MAX_QUOTES)
    .map((quoted) => toQuote(quoted, sentences));
  return { quotes, areRequested: ofFigure.length > 0 };
}

export function isCompanyText({ reading }: ReadText): boolean {
  return COMPANY_KINDS.has(reading.hit.kind);
}

export function isCompanyRow(sentence: Sentence): boolean {
  return isCompanyText(sentence.of) && (sentence.kind === "list-item" || sentence.kind === "table-row");
}

function groupRows(rows: readonly Sentence[]): Sentence[][] {
  const groups: Sentence[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group?.[0]?.section === row.section && row.end - group[0].start <= TARGET_LENGTH) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

export function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const placed = lists.flatMap((list) => list.map((item, place) => ({ item, place })));
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
}
