import type { Claim } from "../../domain/report.ts";
import { originsOf } from "../../ranking/origins.ts";
import type { ReadBundle } from "./read-bundle.ts";

/**
 * Whether each claim has as many independent origins as it says: sources whose texts are equal to the byte are one, and, where
 * `comparesTexts`, those whose texts are copies by the rules of this program.
 */
export function checkOrigins(bundle: ReadBundle, comparesTexts: boolean): string[] {
  const { claims, citations, sources } = bundle;
  const said = new Map(sources.map(({ value }) => [value.id, value.origin]));
  const origins = joined(bundle, comparesTexts);
  const sourceOf = new Map(citations.map(({ value }) => [value.id, value.sourceId]));
  return claims.flatMap(({ name, value }) => {
    const ids = value.citations.flatMap((id) => sourceOf.get(id) ?? []);
    if (wasNotCounted(value, ids, said)) return [];
    const count = new Set(ids.map((id) => origins.get(id) ?? id)).size;
    return count === value.origins ? [] : [`${name}: its origins are counted as ${value.origins}, and its sources make ${count}`];
  });
}

/** So it is in reports that were made before origins were counted. */
function wasNotCounted({ origins }: Claim, sourceIds: readonly string[], said: ReadonlyMap<string, string | undefined>): boolean {
  return origins === 0 && sourceIds.every((id) => said.get(id) === undefined);
}

/** The origin of each cited source: what the report says, and what the texts say. */
function joined({ citations, sources, documents }: ReadBundle, comparesTexts: boolean): Map<string, string> {
  const byHash = new Map(documents.map(({ value }) => [value.contentHash, value]));
  const cited = new Set(citations.map(({ value }) => value.sourceId));
  const texts = sources.flatMap(({ value: { id, origin = id, contentHash } }) => {
    const document = byHash.get(contentHash ?? "");
    if (!cited.has(id) || document === undefined) return [];
    const text = comparesTexts ? (document.text ?? "") : "";
    return [{ id, origin, title: document.title, text, contentHash: document.contentHash }];
  });
  return originsOf(texts);
}
