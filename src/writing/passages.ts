import { termId } from "../domain/analysis.ts";
import { estimateTokens } from "../domain/chat.ts";
import { computation, lengthOfTexts } from "../domain/computation.ts";
import { earlierQuestions } from "../domain/history.ts";
import { DOCUMENTS_SOURCE, dateOfRead, URLS_SOURCE } from "../domain/hit.ts";
import type { Reading, WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { fence } from "../evidence/data-fence.ts";
import { type Evidence, evidenceAt } from "../evidence/quote-location.ts";
import { SOURCE_KINDS } from "../evidence/source-kinds.ts";
import { siteOf } from "../ranking/canonical-url.ts";
import { queryTerms, weighQueryTerms } from "../ranking/query-terms.ts";
import { cutIrrelevant, judgeRelevance, judgesByWords, queriesOf, type RunQueries } from "../ranking/relevance.ts";
import { countTerms, scoreDocuments, type WeightedField } from "../ranking/scoring.ts";
import type { Span } from "../ranking/sentences.ts";
import { tokenize } from "../ranking/tokenize.ts";
import { cutPassages, type Piece, shownText } from "./pieces.ts";

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
 * Selects relevant passages by priority: the best one of each document that the user gave and words cannot
 * judge, then of each of the best documents, then the best. If none is relevant, the best of those are taken that words cannot judge: in
 * other languages than the question and the queries, or given by the user. Returns them in reading order. Without `cuts`, irrelevant ones
 * are selected too.
 */
export async function selectPassages(
  view: WritingView,
  tokens: number,
  effects: Pick<Effects, "compute">,
  cuts = true,
): Promise<Evidence[]> {
  const { question, history, readings, queries = [] } = view;
  const places = await effects.compute(CHOICE, { question, history, readings, queries }, tokens, cuts);
  return places.map(({ of, ...span }, index) => evidenceAt(`P${index + 1}`, readings[of] as Reading, span));
}

/** Texts of this length take 15 ms, and 60 ms if they have nothing but short sentences. */
const CHOICE = computation(import.meta.url, choosePassages, ({ readings }) => lengthOfTexts(readings), 500_000);

/** A thread gets a copy of it, so it has no functions. Of what is chosen, `of` is the index of its reading. */
type Choice = Pick<WritingView, "question" | "history" | "readings" | "queries">;

export function choosePassages(view: Choice, tokens: number, cuts: boolean): (Span & { readonly of: number })[] {
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
  for (const piece of [...foreign, ...ofDocuments.filter(({ score }) => score > 0).slice(0, MAX_DOCUMENTS), ...best]) {
    const text = textOf(piece);
    if (chosen.size === MAX_PASSAGES || chosen.has(piece) || texts.has(text) || (piece.tokens > room && chosen.size > 0)) continue;
    chosen.add(piece);
    texts.add(text);
    room -= piece.tokens;
  }
  const places = new Map(readings.map((reading, of) => [reading, of]));
  return pieces.filter((piece) => chosen.has(piece)).map(({ reading, start, end }) => ({ of: places.get(reading) ?? 0, start, end }));
}

/** Shows passages by document, each below what is known of the document. */
export function showPassages(
  passages: readonly Evidence[],
  readings: readonly Reading[],
  textOf = ({ start, end }: Evidence, { document }: Reading): string => shownText(document, start, end),
): string {
  const documents = Map.groupBy(passages, ({ sourceId, contentHash }) =>
    readings.find(({ hit, document }) => hit.id === sourceId && document.contentHash === contentHash),
  );
  const shown = [...documents].flatMap(([reading, own]) => {
    if (reading === undefined) return [];
    return [fence("source", describeSource(reading)), ...own.map((passage) => fence(passage.id, textOf(passage, reading)))].join("\n");
  });
  return shown.join("\n\n");
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

function scorePieces(view: Choice, { all, own }: RunQueries): Scored[] {
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

function textOf({ reading, start, end }: Piece): string {
  return reading.document.text.slice(start, end);
}
