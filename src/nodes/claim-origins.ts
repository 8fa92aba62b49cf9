import type { StoredDocument } from "../domain/document.ts";
import type { RankedHit } from "../domain/hit.ts";
import type { Citation, Claim, DraftClaim } from "../domain/report.ts";
import { originsOf } from "../ranking/text-copies.ts";

/** A source as it was read. */
export interface ReadSource {
  readonly hit: Pick<RankedHit, "id" | "origin">;
  readonly document: Pick<StoredDocument, "title" | "text" | "contentHash">;
}

/**
 * The origin of each cited source, by its id: copies found before the download, and those that only their texts give away. Compares
 * what is cited and nothing else, so that whoever has the cited texts comes to the same result.
 */
export function originsOfCited(citations: readonly Citation[], readings: readonly ReadSource[]): ReadonlyMap<string, string> {
  const cited = new Set(citations.map(({ sourceId }) => sourceId));
  const texts = readings
    .filter(({ hit }) => cited.has(hit.id))
    .map(({ hit, document: { title, text, contentHash } }) => ({ id: hit.id, origin: hit.origin, title, text, contentHash }));
  return originsOf(texts);
}

/**
 * The origin of each source that was read. Those of the cited ones are as `originsOfCited` has them, whatever else was read; one that
 * is not cited and is a copy has the origin of what it is a copy of, the cited ones before others.
 */
export function originsOfRead(citations: readonly Citation[], readings: readonly ReadSource[]): ReadonlyMap<string, string> {
  const cited = originsOfCited(citations, readings);
  const texts = readings.map(({ hit: { id, origin }, document: { title, text, contentHash } }) => {
    return { id, origin: cited.get(id) ?? origin, title, text, contentHash };
  });
  const citedFirst = texts.toSorted((a, b) => Number(cited.has(b.id)) - Number(cited.has(a.id)));
  return new Map([...originsOf(citedFirst), ...cited]);
}

/** The claims, each with the number of origins that its citations have. */
export function countOrigins(claims: readonly DraftClaim[], citations: readonly Citation[], origins: ReadonlyMap<string, string>): Claim[] {
  const originOf = new Map(citations.map(({ id, sourceId }) => [id, origins.get(sourceId) ?? sourceId]));
  return claims.map((claim) => ({ ...claim, origins: new Set(claim.citations.map((id) => originOf.get(id))).size }));
}
