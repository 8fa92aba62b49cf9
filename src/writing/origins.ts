import type { AnalyzedDocument, TextAnalysis } from "../domain/analysis.ts";
import { type Block, leadSentences } from "../domain/blocks.ts";
import { computation, lengthOfTexts } from "../domain/computation.ts";
import type { RankedHit } from "../domain/hit.ts";
import type { Reading } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { type Citation, type Claim, type DraftClaim, isChecked } from "../domain/report.ts";
import { figuresOf, statesFigure } from "../evidence/stated-amounts.ts";
import { publisherSiteOf } from "../ranking/canonical-url.ts";
import { originsOf } from "../ranking/text-copies.ts";

interface ReadSource {
  readonly hit: Pick<RankedHit, "id" | "origin">;
  readonly document: Pick<AnalyzedDocument, "title" | "contentHash"> & { readonly analysis: Pick<TextAnalysis, "words"> };
}

/** Maps the id of each source that was read to its origin. Copies of one text have the same origin, which is that of a cited one if any is. */
export function originsOfRead(citations: readonly Citation[], readings: readonly ReadSource[]): ReadonlyMap<string, string> {
  const cited = new Set(citations.map(({ sourceId }) => sourceId));
  const isCited = ({ id }: { readonly id: string }): boolean => cited.has(id);
  const texts = readings.map(({ hit: { id, origin }, document: { title, contentHash, analysis } }) => {
    return { id, origin, title, words: analysis.words, contentHash };
  });
  const ofCited = originsOf(texts.filter(isCited));
  const citedFirst = texts.toSorted((a, b) => Number(isCited(b)) - Number(isCited(a)));
  return new Map([...originsOf(citedFirst.map((text) => ({ ...text, origin: ofCited.get(text.id) ?? text.origin }))), ...ofCited]);
}

/** Adds to each claim the number of independent sources that it cites. */
export function countOrigins(claims: readonly DraftClaim[], citations: readonly Citation[], origins: ReadonlyMap<string, string>): Claim[] {
  const originOf = new Map(citations.map(({ id, sourceId }) => [id, origins.get(sourceId) ?? sourceId]));
  return claims.map((claim) => ({ ...claim, origins: new Set(claim.citations.map((id) => originOf.get(id))).size }));
}

interface Written {
  readonly blocks: readonly Block[];
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
  readonly readings: readonly Reading[];
  /** The origin of each source by its id. */
  readonly origins: ReadonlyMap<string, string>;
}

const MAX_FIGURES = 20;

/**
 * Counts for each checked sentence of the lead how many independent origins state its figures, of all documents that were read. Copies
 * of one text are one origin, and so are the pages of one site. A calculated figure stands in no source and is not counted. `loadOthers`
 * loads what was read and is not among `readings`; it is called only if a figure has one origin without it.
 */
export async function countFigureOrigins(
  written: Written,
  effects: Pick<Effects, "compute">,
  loadOthers: () => Promise<readonly Reading[]>,
): Promise<Claim[]> {
  const counted = await effects.compute(COUNTING, written);
  if (!counted.some(({ figureOrigins }) => figureOrigins === 1)) return counted;
  const others = await loadOthers();
  if (others.length === 0) return counted;
  return effects.compute(COUNTING, { ...written, readings: [...written.readings, ...others] });
}

const COUNTING = computation(import.meta.url, countAll, ({ readings }) => lengthOfTexts(readings), 100_000);

export function countAll({ blocks, claims, citations, readings, origins }: Written): Claim[] {
  const counted = [...claims];
  const quotes = new Map(citations.map((citation) => [citation.id, citation]));
  let left = MAX_FIGURES;
  for (const index of leadSentences(blocks)) {
    const claim = claims[index];
    if (claim === undefined || !isChecked(claim) || claim.expression !== null) continue;
    const cited = claim.citations.flatMap((id) => quotes.get(id) ?? []);
    const quoted = cited.map(({ quote }) => quote);
    const figures = figuresOf(claim.text, quoted).slice(0, left);
    if (cited.length === 0 || figures.length === 0) continue;
    left -= figures.length;
    const sources = new Set(cited.map(({ sourceId }) => sourceId));
    const counts = figures.map((figure) => {
      const isStating = ({ hit, document }: Reading): boolean => sources.has(hit.id) || statesFigure(document.text, figure);
      return countIndependent(readings.filter(isStating), origins);
    });
    counted[index] = { ...claim, figureOrigins: Math.max(1, Math.min(...counts)) };
  }
  return counted;
}

function countIndependent(readings: readonly Reading[], origins: ReadonlyMap<string, string>): number {
  const texts = new Set(readings.map(({ hit }) => origins.get(hit.id) ?? hit.origin));
  // The papers of one index and the filings at one address are not of one publisher.
  const publishers = new Set(readings.map(({ hit: { id, kind, url } }) => (kind === "web" ? publisherSiteOf(url) : id)));
  return Math.min(texts.size, publishers.size);
}
