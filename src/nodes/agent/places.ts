import { type AnalyzedDocument, listAt, termId } from "../../domain/analysis.ts";
import { estimateTokens } from "../../domain/chat.ts";
import { type Hit, isUntitled, type RankedHit } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import { loadAnalyzed } from "../../gathering/documents.ts";
import type { Read } from "../../gathering/reading.ts";
import { cutPassages, type Piece, shownText } from "../../writing/pieces.ts";

/** What stands in the conversation of the model: a piece of a text, or the first lines of a source. */
export interface Told {
  /** The hash of the text; of first lines the id of their source, and they. */
  readonly of: string;
  /** Where the piece begins; 0 for first lines. */
  readonly start: number;
  /** The source under whose id it was shown. */
  readonly sourceId: string;
}

/** A source is read only if at least so much of it can be shown, in tokens. */
export const MIN_PLACES_TOKENS = 200;
/** Of each document that a search reads. */
const MAX_PIECES = 2;
/** In UTF-16 code units. A sentence of any length is one piece. */
const MAX_PIECE = 1_600;
const FIRST_LINES_LENGTH = 400;
export const GAP = "\n[…]\n";

export function firstLinesOf({ snippet }: Pick<Hit, "snippet">): string {
  return snippet.replace(/\s+/g, " ").trim().slice(0, FIRST_LINES_LENGTH);
}

/** Records that the first lines of a source stand in the conversation. */
export function firstLinesTold(hit: Pick<Hit, "id" | "snippet">): Told {
  return { of: `${hit.id} ${firstLinesOf(hit)}`, start: 0, sourceId: hit.id };
}

export function isTold({ of, start }: Omit<Told, "sourceId">, told: readonly Told[]): boolean {
  return told.some((one) => one.of === of && one.start === start);
}

/** Returns a piece as the model sees it. Of a table that it continues, the first row stands above it. */
export function showPiece({ reading: { document }, start, end }: Piece): string {
  return shownText(document, start, Math.min(end, start + MAX_PIECE))
    .toWellFormed()
    .trim();
}

/** What to show of a source that was read. */
export interface ShownPlaces {
  /** `""` if all of it was told before. */
  readonly text: string;
  /** Whether places that fit stand above. */
  readonly isAbove: boolean;
  /** The source that was shown with the same text first, or null. */
  readonly sameAs: string | null;
  /** The title of the document, where the source has none. */
  readonly title?: string;
}

interface PlacesContext {
  readonly documents: DocumentStore;
  readonly effects: Effects;
  /** Gets what is shown. */
  readonly told: Told[];
  /** Of each source. */
  readonly tokens: number;
}

/** Returns what to show of each source that was read, and how many places of documents are new to the model. */
export async function placesIn(reads: readonly Read[], wanted: readonly (readonly string[])[], context: PlacesContext) {
  const places = new Map<string, ShownPlaces>();
  let fresh = 0;
  for (const { hit, contentHash, status } of reads) {
    if (contentHash === null) continue;
    const document = await loadAnalyzed(contentHash, context.documents, context.effects);
    const { pieces, ...shown } = status === "snippet" ? snippetOf(hit, context.told) : placesOf(hit, document, wanted, context);
    fresh += pieces;
    places.set(hit.id, { ...shown, ...(isUntitled(hit) && document.title !== "" && { title: document.title }) });
  }
  return { places, fresh };
}

/** The text of a search result may stand above as its first lines. */
function snippetOf(hit: Hit, told: Told[]) {
  const lines = firstLinesTold(hit);
  const isAbove = isTold(lines, told);
  if (!isAbove) told.push(lines);
  const text = isAbove ? "; what is known of it stands above." : `; only this is known of it: ${firstLinesOf(hit)}`;
  return { text: `It could not be read${text}`, isAbove, sameAs: null, pieces: 0 };
}

function placesOf(hit: RankedHit, document: AnalyzedDocument, wanted: readonly (readonly string[])[], { told, tokens }: PlacesContext) {
  const { contentHash: of } = document;
  const best = bestPieces(cutPassages({ hit, document }), document, wanted);
  const fresh = best.filter(({ start }) => !isTold({ of, start }, told));
  const earlier = told.find((one) => one.of === of)?.sourceId ?? hit.id;
  const shown: string[] = [];
  let room = tokens;
  for (const piece of fresh) {
    const whole = showPiece(piece);
    const taken = estimateTokens(whole);
    if (taken > room && shown.length > 0) break;
    shown.push(taken > room ? whole.slice(0, Math.floor((whole.length * room) / taken)).toWellFormed() : whole);
    room -= taken;
    told.push({ of, start: piece.start, sourceId: hit.id });
  }
  const sameAs = earlier === hit.id ? null : earlier;
  return { text: shown.join(GAP), isAbove: fresh.length < best.length, sameAs, pieces: shown.length };
}

/**
 * Returns the pieces with the most and rarest of the terms in one sentence, best first: of the first list of `wanted` that has a term in the
 * text. If none has, returns the beginning.
 */
function bestPieces(pieces: readonly Piece[], document: AnalyzedDocument, wanted: readonly (readonly string[])[]): Piece[] {
  const scores = scoreSentences(document, wanted);
  const { starts } = document.analysis;
  let sentence = 0;
  const scored = pieces.map((piece) => {
    let score = 0;
    for (; sentence < starts.length && (starts[sentence] ?? 0) < piece.end; sentence++) score = Math.max(score, scores[sentence] ?? 0);
    return { piece, score };
  });
  const found = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  return found.length === 0 ? pieces.slice(0, 1) : found.slice(0, MAX_PIECES).map(({ piece }) => piece);
}

function scoreSentences({ analysis }: AnalyzedDocument, wanted: readonly (readonly string[])[]): Float64Array {
  const { starts, holders } = analysis;
  const scores = new Float64Array(starts.length);
  for (const terms of wanted) {
    const ids = terms.map((term) => termId(analysis, term)).filter((id) => id >= 0);
    for (const id of ids) {
      const sentences = listAt(holders, id);
      for (const sentence of sentences) scores[sentence] = (scores[sentence] ?? 0) + Math.log(1 + starts.length / sentences.length);
    }
    if (ids.length > 0) break;
  }
  return scores;
}
