import { dateOfRead, type Hit, isUntitled, mergeHits, type RankedHit, sourceFieldsOf } from "../../domain/hit.ts";
import type { Reading } from "../../domain/ports/analyst.ts";
import type { Source } from "../../domain/report.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import type { KnownReading, ReadHit } from "../../gathering/reading.ts";

interface Found {
  readonly hits: readonly Hit[];
  readonly ranked?: readonly RankedHit[];
  readonly read: readonly (ReadHit | KnownReading)[];
  /** What was loaded of `read`. A model was told the dates of these. */
  readonly readings?: readonly Reading[];
}

export const MAX_SOURCES = 100;

/** The sources of a report: first those with the best scores, then those that were read. */
export function reportSources({ hits, ranked = [], read, readings = [] }: Found, origins: ReadonlyMap<string, string>): Source[] {
  const dates = new Map(readings.map(({ hit, document }) => [hit.id, dateOfRead(hit, document.publishedAt)]));
  const readById = new Map(read.map((one) => ["hit" in one ? one.hit.id : one.sourceId, one]));
  const readHits = read.flatMap((one) => ("hit" in one ? [one.hit] : []));
  const rankedById = new Map([...readHits, ...ranked].map((hit) => [hit.id, hit]));
  const sources = mergeHits([], hits).map((hit): Source => {
    const origin = origins.get(hit.id) ?? rankedById.get(hit.id)?.origin;
    const source = toSource({ ...hit, publishedAt: dates.get(hit.id) ?? hit.publishedAt }, readById.get(hit.id));
    return { ...source, score: rankedById.get(hit.id)?.score ?? null, ...(origin !== undefined && { origin }) };
  });
  const isOnlyFound = ({ status }: Source): number => Number(status === "found");
  return sources.sort((a, b) => (b.score ?? -1) - (a.score ?? -1) || isOnlyFound(a) - isOnlyFound(b)).slice(0, MAX_SOURCES);
}

function toSource(found: Hit, read: ReadHit | KnownReading | undefined): Source {
  const hit = sourceFieldsOf(found);
  const { status = "found", failure = null } = read ?? {};
  const readAt = read && ("hit" in read ? read.hit.readAt : read.readAt);
  const own = read && ("hit" in read ? (isUntitled(found) ? read.hit.title : undefined) : read.title);
  const title = stripUnknownAddresses(own ?? hit.title, [hit.url]);
  const contentHash = read?.contentHash ?? hit.contentHash;
  return { ...hit, ...(readAt !== undefined && { readAt }), title, score: null, contentHash, status, failure };
}
