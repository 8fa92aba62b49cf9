import type { AnalyzedDocument, TextAnalysis } from "../domain/analysis.ts";
import type { RankedHit } from "../domain/hit.ts";
import type { Citation, Claim, DraftClaim } from "../domain/report.ts";
import { originsOf } from "../ranking/text-copies.ts";

interface ReadSource {
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
