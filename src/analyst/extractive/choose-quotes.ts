import { figuresIn } from "../../domain/companies.ts";
import { intersectionSize } from "../../ranking/scoring.ts";
import { coverage, type Evidence, followTitles, type Match, maxMatch } from "./match.ts";
import type { Question } from "./question.ts";
import { isQuotable, isQuotableBeside, type Sentence, textOf } from "./sentences.ts";

export interface Quote {
  readonly sentences: readonly Sentence[];
  readonly above: readonly Sentence[];
}

interface Candidate {
  readonly index: number;
  readonly sentence: Sentence;
  readonly score: number;
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
const FIGURE_BONUS = 0.1;
const HAS_FIGURE = /\p{N}|[一二三四五六七八九十百千万]/u;
const NOVELTY_BONUS = 0.3;
const DUPLICATE_SHARE = 0.9;
/** In UTF-8 bytes. This is about one paragraph, or 120 Chinese characters. */
const TARGET_LENGTH = 350;
const MAX_LENGTH = 2 * TARGET_LENGTH;

export function chooseQuotes(question: Question, evidence: Evidence): Quote[] {
  const { sentences } = evidence;
  const ranges: Range[] = [];
  const chosen: Sentence[] = [];
  for (const { index, sentence } of orderByNovelty(evidence, rankCandidates(question, evidence))) {
    if (ranges.some(({ from, to }) => index >= from && index <= to) || chosen.some((one) => isDuplicate(one, sentence))) continue;
    const range = growRange(index, ranges, sentences);
    if (sentence.kind === "heading" && range.from === range.to) continue;
    const beside = ranges.find((other) => canJoin(other, range, sentences, MAX_LENGTH));
    if (beside !== undefined) Object.assign(beside, joinRanges(beside, range));
    else if (ranges.length < MAX_QUOTES) ranges.push(range);
    else continue;
    chosen.push(sentence);
  }
  return ranges.map(({ from, to }) => ({ sentences: sentences.slice(from, to + 1), above: sentences[from]?.above ?? [] }));
}

function rankCandidates(question: Question, { sentences, closeness }: Evidence): Candidate[] {
  const places = new Map([...new Set(sentences.map(({ section }) => section.reading))].map((reading, place) => [reading, place]));
  const scores = sentences.map((sentence, i) => {
    const own = closeness[i] ?? 0;
    if (own === 0) return 0;
    const figure = question.asksForFigure && HAS_FIGURE.test(textOf(sentence)) ? FIGURE_BONUS : 0;
    return own + figure + RANK_BONUS / (1 + (places.get(sentence.section.reading) ?? 0));
  });
  const links = followTitles(question.text, sentences, scores);
  const headers = new Set(sentences.flatMap(({ above }) => above.slice(-1)));
  const candidates = sentences.flatMap((sentence, index): Candidate[] => {
    const score = scores[index] ?? 0;
    const isHeader = headers.has(sentence) && !FACT.test(textOf(sentence));
    if (score === 0 || isHeader || (sentence.kind !== "heading" && !isQuotable(sentence))) return [];
    return [{ index, sentence, score: score + (links.get(sentence.section.reading) ?? 0) }];
  });
  const ranked = candidates.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, MAX_CANDIDATES);
  return ranked.filter(({ score }) => score >= MIN_SCORE_SHARE * (ranked[0]?.score ?? 0));
}

function orderByNovelty({ weights, own }: Evidence, ranked: readonly Candidate[]): Candidate[] {
  const open = [...ranked];
  const ordered = open.splice(0, 1);
  let met: Match = own[ordered[0]?.index ?? -1] ?? [];
  const worth = ({ index, score }: Candidate): number => {
    const newMatch = (own[index] ?? []).map((value, i) => Math.max(0, value - (met[i] ?? 0)));
    return score + NOVELTY_BONUS * coverage(weights, newMatch);
  };
  while (open.length > 0) {
    const worths = open.map(worth);
    const [next] = open.splice(worths.indexOf(Math.max(...worths)), 1);
    if (next === undefined) break;
    ordered.push(next);
    met = maxMatch(met, own[next.index] ?? []);
  }
  return ordered;
}

function isDuplicate({ terms: a }: Sentence, { terms: b }: Sentence): boolean {
  return intersectionSize(a, b) >= DUPLICATE_SHARE * Math.max(4, Math.min(a.size, b.size));
}

function growRange(index: number, ranges: readonly Range[], sentences: readonly Sentence[]): Range {
  const range = { from: index, to: index };
  const fits = (next: number): boolean => {
    const sentence = sentences[next];
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

function canJoin(a: Range, b: Range, sentences: readonly Sentence[], longest: number): boolean {
  const { from, to } = joinRanges(a, b);
  const [first, last] = [sentences[from], sentences[to]];
  if (first === undefined || last === undefined || (a.to !== b.from - 1 && b.to !== a.from - 1)) return false;
  if (first.section !== last.section || first.kind === "table-row" || last.kind === "table-row") return false;
  return Buffer.byteLength(first.section.reading.document.text.slice(first.start, last.end)) <= longest;
}

const COMPANY_KINDS: ReadonlySet<string> = new Set(["market", "filing"]);

/** Returns the rows with a figure that the question asks for and sets `areRequested`. Otherwise returns all rows. */
export function chooseCompanyRows(question: Question, { sentences: all, closeness }: Evidence): { quotes: Quote[]; areRequested: boolean } {
  const asked = new Set(figuresIn(question.text).map(({ name }) => name));
  const rows = all.flatMap((sentence, index): Candidate[] =>
    isCompanyRow(sentence) ? [{ index, sentence, score: closeness[index] ?? 0 }] : [],
  );
  const ofDocuments = Map.groupBy(rows, ({ sentence }) => sentence.section.reading.document.contentHash);
  const documents = [...ofDocuments.values()];
  const hasAsked = ({ sentence }: Candidate): boolean => figuresIn(textOf(sentence)).some(({ name }) => asked.has(name));
  const ofFigure = documents.map((own) => own.filter(hasAsked).sort((a, b) => b.score - a.score)).filter(({ length }) => length > 0);
  const lists = ofFigure.length > 0 ? ofFigure.map((own) => own.map(({ sentence }) => [sentence])) : documents.map(groupRows);
  const quotes = interleave(lists)
    .slice(0, MAX_QUOTES)
    .map((sentences) => ({ sentences, above: sentences[0]?.above ?? [] }));
  return { quotes, areRequested: ofFigure.length > 0 };
}

export function isOfCompany({ section }: Sentence): boolean {
  return COMPANY_KINDS.has(section.reading.hit.kind);
}

export function isCompanyRow(sentence: Sentence): boolean {
  return isOfCompany(sentence) && (sentence.kind === "list-item" || sentence.kind === "table-row");
}

function groupRows(rows: readonly Candidate[]): Sentence[][] {
  const groups: Sentence[][] = [];
  for (const { sentence: row } of rows) {
    const group = groups.at(-1);
    if (group?.[0]?.section === row.section && row.end - group[0].start <= TARGET_LENGTH) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const placed = lists.flatMap((list) => list.map((item, place) => ({ item, place })));
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
}
