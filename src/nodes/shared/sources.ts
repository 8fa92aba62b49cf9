import type { AnalyzedDocument, TextAnalysis } from "../../domain/analysis.ts";
import { dateOfRead, type Hit, isUntitled, mergeHits, type RankedHit, sourceFieldsOf } from "../../domain/hit.ts";
import type { Reading } from "../../domain/ports/analyst.ts";
import type { Citation, Claim, DraftClaim, Source } from "../../domain/report.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import type { KnownReading, ReadHit } from "../../gathering/reading.ts";
import { originsOf } from "../../ranking/text-copies.ts";
import type { ExecutorStateValue } from "../executor/state.ts";

export interface ReadSource {
  readonly hit: Pick<RankedHit, "id" | "origin">;
  readonly document: Pick<AnalyzedDocument, "title" | "contentHash"> & { readonly analysis: Pick<TextAnalysis, "words"> };
}

/** Maps the id of each cited source to its origin. Copies of one text have the same origin. */
export function originsOfCited(citations: readonly Citation[], readings: readonly ReadSource[]): ReadonlyMap<string, string> {
  const cited = new Set(citations.map(({ sourceId }) => sourceId));
  return originsOf(readings.filter(({ hit }) => cited.has(hit.id)).map(originText));
}

export function originsOfRead(citations: readonly Citation[], readings: readonly ReadSource[]): ReadonlyMap<string, string> {
  const cited = originsOfCited(citations, readings);
  const texts = readings.map(originText).map((text) => ({ ...text, origin: cited.get(text.id) ?? text.origin }));
  const citedFirst = texts.toSorted((a, b) => Number(cited.has(b.id)) - Number(cited.has(a.id)));
  return new Map([...originsOf(citedFirst), ...cited]);
}

function originText({ hit: { id, origin }, document: { title, contentHash, analysis } }: ReadSource) {
  return { id, origin, title, words: analysis.words, contentHash };
}

/** Adds to each claim the number of independent sources that it cites. */
export function countOrigins(claims: readonly DraftClaim[], citations: readonly Citation[], origins: ReadonlyMap<string, string>): Claim[] {
  const originOf = new Map(citations.map(({ id, sourceId }) => [id, origins.get(sourceId) ?? sourceId]));
  return claims.map((claim) => ({ ...claim, origins: new Set(claim.citations.map((id) => originOf.get(id))).size }));
}

export const MAX_SOURCES = 100;

/** The sources of a report, with the dates that a model was told of those that were read. */
export function reportSources(
  { hits, ranked, read }: Pick<ExecutorStateValue, "hits" | "ranked" | "read">,
  origins: ReadonlyMap<string, string>,
  readings: readonly Reading[],
): Source[] {
  const dates = new Map(readings.map(({ hit, document }) => [hit.id, dateOfRead(hit, document.publishedAt)]));
  const readById = new Map(read.map((one) => [one.hit.id, one]));
  const rankedById = new Map([...read.map(({ hit }) => hit), ...ranked].map((hit) => [hit.id, hit]));
  const sources = mergeHits([], hits).map((hit): Source => {
    const origin = origins.get(hit.id) ?? rankedById.get(hit.id)?.origin;
    const score = rankedById.get(hit.id)?.score ?? null;
    const read = readById.get(hit.id);
    const titled = read && isUntitled(hit) ? { ...read, title: read.hit.title } : read;
    const { readAt } = read?.hit ?? {};
    const dated = { ...hit, publishedAt: dates.get(hit.id) ?? hit.publishedAt };
    return {
      ...toSource(dated, titled, [hit.url]),
      score,
      ...(origin !== undefined && { origin }),
      ...(readAt !== undefined && { readAt }),
    };
  });
  return sources.sort((a, b) => (b.score ?? -1) - (a.score ?? -1)).slice(0, MAX_SOURCES);
}

type ReadSourceState = Omit<ReadHit, "hit"> & Pick<KnownReading, "title"> & Pick<Source, "readAt">;

export function toSource(found: Hit, read: ReadSourceState | undefined, known: readonly string[]): Source {
  const hit = sourceFieldsOf(found);
  const { status = "found", failure = null, title = hit.title } = read ?? {};
  const contentHash = read?.contentHash ?? hit.contentHash;
  const dated = read?.readAt !== undefined && { readAt: read.readAt };
  return { ...hit, ...dated, title: stripUnknownAddresses(title, known), score: null, contentHash, status, failure };
}
