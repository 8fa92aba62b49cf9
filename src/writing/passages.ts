import { termId } from "../domain/analysis.ts";
import { estimateTokens } from "../domain/chat.ts";
import { computation, lengthOfTexts } from "../domain/computation.ts";
import type { Block } from "../domain/document.ts";
import { earlierQuestions } from "../domain/history.ts";
import { DOCUMENTS_SOURCE, dateOfRead, URLS_SOURCE } from "../domain/hit.ts";
import type { Reading, WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { Citation } from "../domain/report.ts";
import { fence } from "../evidence/data-fence.ts";
import { type Evidence, evidenceAt } from "../evidence/quote-location.ts";
import { SOURCE_KINDS } from "../evidence/source-kinds.ts";
import { blocksOf } from "../ranking/analyze-text.ts";
import { siteOf } from "../ranking/canonical-url.ts";
import { queryTerms, weighQueryTerms } from "../ranking/query-terms.ts";
import { cutIrrelevant, judgeRelevance, judgesByWords, queriesOf, type RunQueries } from "../ranking/relevance.ts";
import { countTerms, scoreDocuments, type WeightedField } from "../ranking/scoring.ts";
import { type Span, trimSpan } from "../ranking/sentences.ts";
import { tokenize } from "../ranking/tokenize.ts";
import { shownText } from "./table-head.ts";

type CitedPlace = Pick<Citation, "contentHash" | "start" | "end">;

interface Scored extends Piece {
  readonly score: number;
  readonly relevance: number;
  readonly tokens: number;
}

/** In tokens. Models take longer over more passages and read them less carefully. */
const MAX_PASSAGE_TOKENS = 16_000;
/** Among more passages, models overlook relevant ones. */
const MAX_PASSAGES = 60;
const MAX_DOCUMENTS = 12;
/** The most passages that are not judged. */
const UNJUDGED_PASSAGES = 12;
const FENCE_TOKENS = 20;
const HEADING_WEIGHT = 0.5;
const TITLE_WEIGHT = 0.3;
/** Only for the relevance, and less than it needs: being in a document about the question, or with its title, does not suffice. */
const DOCUMENT_WEIGHT = 0.15;

/**
 * Selects relevant passages by priority: `cited`, relevant or not, then the best one of each document that the user gave and words cannot
 * judge, then of each of the best documents, then the best. If none is relevant, the best of those are taken that words cannot judge: in
 * other languages than the question and the queries, or given by the user. Returns them in reading order. Without `cuts`, irrelevant ones
 * are selected too.
 */
export async function selectPassages(
  view: WritingView,
  tokens: number,
  effects: Pick<Effects, "compute">,
  cited: readonly CitedPlace[] = [],
  cuts = true,
): Promise<Evidence[]> {
  const places = await effects.compute(CHOICE, view, tokens, cited, cuts);
  return places.map(({ of, ...span }, index) => evidenceAt(`P${index + 1}`, view.readings[of] as Reading, span));
}

/** Texts of this length take 15 ms, and 60 ms if they have nothing but short sentences. */
const CHOICE = computation(import.meta.url, choosePassages, ({ readings }) => lengthOfTexts(readings), 500_000);

/** A passage of the reading with the index `of`. */
interface ChosenPlace extends Span {
  readonly of: number;
}

export function choosePassages(view: WritingView, tokens: number, cited: readonly CitedPlace[], cuts: boolean): ChosenPlace[] {
  const { question, history, readings, queries = [] } = view;
  const asked = queriesOf(question, earlierQuestions(history), queries);
  const pieces = scorePieces(view, asked);
  const all = [...pieces].sort((a, b) => b.score - a.score);
  // Of passages that are not judged, each document is shown by its best one.
  const inTurn = new Set([...bestOfDocuments(all), ...all]);
  const judgements = judgeDocuments(readings, asked);
  const foreign = bestOfDocuments(all.filter(({ reading }) => judgements.get(reading) === "foreign")).slice(0, MAX_DOCUMENTS);
  const isExempt = (piece: Scored): boolean => foreign.includes(piece);
  const isJudged = ({ reading }: Scored): boolean => judgements.get(reading) === "judged";
  const cut = { isJudged, unjudged: UNJUDGED_PASSAGES, isExempt };
  const relevant = new Set(cutIrrelevant([...inTurn], ({ relevance }) => relevance, cut));
  const best = cuts ? all.filter((piece) => relevant.has(piece)) : all;
  const ofDocuments = bestOfDocuments(best);
  const chosen = new Set<Scored>();
  const texts = new Set<string>();
  let room = Math.min(tokens, MAX_PASSAGE_TOKENS);
  for (const piece of [
    ...ofCited(all, cited),
    ...foreign,
    ...ofDocuments.filter(({ score }) => score > 0).slice(0, MAX_DOCUMENTS),
    ...best,
  ]) {
    const text = textOf(piece);
    if (chosen.size === MAX_PASSAGES || chosen.has(piece) || texts.has(text) || (piece.tokens > room && chosen.size > 0)) continue;
    chosen.add(piece);
    texts.add(text);
    room -= piece.tokens;
  }
  const places = new Map(readings.map((reading, of) => [reading, of]));
  return pieces.filter((piece) => chosen.has(piece)).map(({ reading, start, end }) => ({ of: places.get(reading) ?? 0, start, end }));
}

export function showPassages(passages: readonly Evidence[], readings: readonly Reading[]): string {
  const documents = Map.groupBy(passages, ({ sourceId, contentHash }) => `${sourceId} ${contentHash}`);
  return [...documents.values()]
    .map((own) => {
      const of = readings.find(({ hit, document }) => hit.id === own[0]?.sourceId && document.contentHash === own[0]?.contentHash);
      return [
        fence("source", of === undefined ? "" : describeSource(of)),
        ...own.map(({ id, text, start, end }) => fence(id, of === undefined ? text.slice(start, end) : shownText(of.document, start, end))),
      ].join("\n");
    })
    .join("\n\n");
}

export function describeSource(reading: Reading): string {
  const { hit, document } = reading;
  const lines = [
    ["Title", document.title || hit.title],
    ["Publisher", publisherOf(reading)],
    ["Date", dateOfRead(hit, document.publishedAt)],
    ["Kind", hit.publication?.retracted === true ? `${SOURCE_KINDS[hit.kind]}, RETRACTED` : SOURCE_KINDS[hit.kind]],
    ["Read on", hit.readAt?.slice(0, 10)],
    ["Note", document.incomplete],
  ];
  return lines.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])).join("\n");
}

/** Returns the journal of a publication, otherwise the host of a web address, otherwise null. */
export function publisherOf({ hit, document }: Reading): string | null {
  const site = siteOf(hit.url || document.url);
  return hit.publication?.venue || (site.includes(".") ? site : null);
}

function scorePieces(view: WritingView, { all, own }: RunQueries): Scored[] {
  const { question, history, readings, queries = [] } = view;
  // A follow-up such as "And its height?" needs the terms of the questions before it.
  const terms = queryTerms([question, earlierQuestions(history), ...queries].join("\n"));
  const wanted = new Set([...terms, ...[...all, ...own].flatMap(weighQueryTerms).map(({ term }) => term)]);
  const pieces: (Piece & { readonly tokens: number })[] = [];
  const fields: WeightedField[][] = [];
  const contexts: WeightedField[][] = [];
  const seen = new Set<string>();
  for (const reading of readings) {
    if (seen.has(reading.document.contentHash)) continue;
    seen.add(reading.document.contentHash);
    const { analysis } = reading.document;
    const title = { terms: countTerms(tokenize(reading.document.title || reading.hit.title), wanted), weight: TITLE_WEIGHT };
    const held = [...wanted].filter((term) => title.terms.counts.has(term) || termId(analysis, term) >= 0);
    const whole = { terms: countTerms(held), weight: DOCUMENT_WEIGHT };
    for (const piece of cutPassages(reading)) {
      const shown = shownText(reading.document, piece.start, piece.end);
      pieces.push({ ...piece, tokens: estimateTokens(shown) + FENCE_TOKENS });
      const heading = { terms: countTerms(tokenize(piece.heading), wanted), weight: HEADING_WEIGHT };
      const itself = [{ terms: countTerms(tokenize(textOf(piece)), wanted), weight: 1 }, heading];
      fields.push([...itself, title]);
      contexts.push([...itself, whole]);
    }
  }
  const scores = scoreDocuments(terms, fields);
  const relevance = judgeRelevance(all, contexts);
  const ofEarlierRuns = readings.some(({ hit }) => hit.readAt !== undefined) ? judgeRelevance(own, contexts) : [];
  const relevanceOf = ({ reading }: Piece, i: number): number => (reading.hit.readAt === undefined ? relevance : ofEarlierRuns)[i] ?? 0;
  return pieces.map((piece, i) => ({ ...piece, score: scores[i] ?? 0, relevance: relevanceOf(piece, i) }));
}

/** What the user gave is what the question is about, also if it says so in no word, such as "Summarize this". */
const GIVEN: readonly string[] = [URLS_SOURCE, DOCUMENTS_SOURCE];

/**
 * Tells of each document whether words can judge it, by the queries by which its passages are judged. What the user gave is `given`, or
 * `foreign` if it is in another language than the question and the queries.
 */
function judgeDocuments(readings: readonly Reading[], { all, own }: RunQueries): Map<Reading, "judged" | "unjudged" | "given" | "foreign"> {
  const [judges, judgesEarlier] = [judgesByWords(all), judgesByWords(own)];
  return new Map(
    readings.map((reading) => {
      const { hit, document } = reading;
      if (GIVEN.includes(hit.foundBy)) return [reading, judges(document.text) ? "given" : "foreign"];
      return [reading, (hit.readAt === undefined ? judges : judgesEarlier)(document.text) ? "judged" : "unjudged"];
    }),
  );
}

function bestOfDocuments(best: readonly Scored[]): Scored[] {
  return [...Map.groupBy(best, ({ reading }) => reading).values()].flatMap((own) => own.slice(0, 1));
}

function ofCited(pieces: readonly Scored[], cited: readonly CitedPlace[]): Scored[] {
  const byText = Map.groupBy(pieces, ({ reading }) => reading.document.contentHash);
  return cited.flatMap(({ contentHash, start, end }) =>
    (byText.get(contentHash) ?? []).filter((piece) => piece.start < end && start < piece.end),
  );
}

function textOf({ reading, start, end }: Piece): string {
  return reading.document.text.slice(start, end);
}

export interface Piece extends Span {
  readonly reading: Reading;
  readonly heading: string;
}

/** In characters. A `WIDE` character counts as two. */
const MAX_HEADING = 300;
const MIN_PIECE = 600;
const MAX_PIECE = 1_200;
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;

/** Cuts a document into pieces of whole blocks, long blocks by sentence; a heading begins a piece. */
export function cutPassages(reading: Reading): Piece[] {
  const { document } = reading;
  const { text, analysis } = document;
  const pieces: Piece[] = [];
  let heading = "";
  let weight = Number.POSITIVE_INFINITY;
  let sentence = 0;
  for (const [index, block] of blocksOf(document).entries()) {
    const first = sentence;
    while (analysis.blocks[sentence] === index) sentence++;
    if (block.kind === "heading") {
      heading = text.slice(block.start, Math.min(block.end, block.start + MAX_HEADING)).replace(/^#+\s*/, "");
      weight = Number.POSITIVE_INFINITY;
    }
    for (const span of spansOf(document, block, first, sentence)) {
      const last = pieces.at(-1);
      const added = weightOf(text, { start: weight > MAX_PIECE ? span.start : (last?.end ?? 0), end: span.end });
      if (last !== undefined && weight + added <= MAX_PIECE) {
        pieces[pieces.length - 1] = { ...last, end: span.end };
        weight += added;
      } else {
        pieces.push({ reading, heading, ...span });
        weight = weightOf(text, span);
      }
      if (block.kind !== "heading" && weight >= MIN_PIECE) weight = Number.POSITIVE_INFINITY;
    }
  }
  return pieces.filter(({ start, end }) => /[\p{L}\p{N}]/u.test(text.slice(start, end)));
}

/** Yields a short block as a whole, a long one by the sentences of its analysis. */
function* spansOf({ text, analysis }: Reading["document"], block: Block, from: number, to: number): Generator<Span> {
  const whole = trimSpan(text, { start: block.start, end: Math.min(block.end, text.length) });
  if (whole.end <= whole.start) return;
  if (weightOf(text, whole) <= MAX_PIECE) return yield whole;
  for (let at = from; at < to; at++) yield { start: analysis.starts[at] ?? 0, end: analysis.ends[at] ?? 0 };
}

/** More than `MAX_PIECE` means too long, whatever the number. */
function weightOf(text: string, { start, end }: Span): number {
  if (end - start > MAX_PIECE) return end - start;
  return end - start + (text.slice(start, end).match(WIDE)?.length ?? 0);
}
