import { createHash } from "node:crypto";
import { z } from "zod";
import { type Publication, SourceSchema } from "./report.ts";

/**
 * A result of a search or tool. `id` is derived from the address, so that an address found twice is one hit. `contentHash` is set if the
 * content came with the hit.
 */
export const HitSchema = SourceSchema.pick({
  id: true,
  kind: true,
  title: true,
  url: true,
  publishedAt: true,
  foundBy: true,
  contentHash: true,
  publication: true,
}).extend({
  snippet: z.string(),
  /** Part of Dossier's own documentation, the corpus of a deployment without one. */
  isDocumentation: z.literal(true).optional(),
});
export type Hit = z.infer<typeof HitSchema>;

/** A hit that represents all hits with the same content. */
export const RankedHitSchema = HitSchema.extend({
  score: z.number(),
  /** The id of the hit that it copies, or its own id. Hits of one origin count as one source. */
  origin: z.string(),
  /** Ids of other hits with its text: the same work first, then copies. */
  alternatives: z.array(z.string()),
});
export type RankedHit = z.infer<typeof RankedHitSchema>;

/** The address to download: the open full text if known, otherwise the page. */
export function addressOf({ url, publication }: Pick<Hit, "url" | "publication">): string {
  return publication?.fullTextUrl ?? url;
}

/** `S` and the first 12 hex digits of the address's SHA-256. */
export function sourceIdOf(url: string): string {
  return `S${createHash("sha256").update(url, "utf8").digest("hex").slice(0, 12)}`;
}

/**
 * All hits once by id, in the order in which they were found; one with content replaces one without. Keeps what only another finder
 * knows of a publication: abstract, open copy, retraction.
 */
export function mergeHits(known: readonly Hit[], found: readonly Hit[]): Hit[] {
  const byId = new Map<string, Hit>();
  for (const hit of [...known, ...found]) {
    const first = byId.get(hit.id);
    if (first === undefined) byId.set(hit.id, hit);
    else if (first.contentHash === null && hit.contentHash !== null) byId.set(hit.id, completeHit(hit, first));
    else byId.set(hit.id, completeHit(first, hit));
  }
  return [...byId.values()];
}

/**
 * All hits once per finder, so that a ranking can count votes and positions.
 */
export function addHits(known: readonly Hit[], found: readonly Hit[]): Hit[] {
  return [...Map.groupBy([...known, ...found], ({ foundBy, id }) => `${foundBy} ${id}`).values()].flatMap((same) => mergeHits([], same));
}

/** Fills gaps of `hit` from `other`, a hit of the same work. Returns `hit` itself if there is nothing to add. */
export function completeHit(hit: Hit, other: Hit): Hit {
  const publication = mergePublications(hit.publication, other.publication);
  if (hit === other || other.publication === undefined || publication === undefined) return hit;
  return {
    ...hit,
    publishedAt: hit.publishedAt ?? other.publishedAt,
    snippet: hit.snippet || other.snippet,
    publication,
  };
}

/** The first finder's values win; a retraction of either counts. */
function mergePublications(first: Publication | undefined, second: Publication | undefined): Publication | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    authors: first.authors.length > 0 ? first.authors : second.authors,
    doi: first.doi ?? second.doi,
    arxivId: first.arxivId ?? second.arxivId,
    pmid: first.pmid ?? second.pmid,
    venue: first.venue ?? second.venue,
    licence: first.licence ?? second.licence,
    retracted: first.retracted || second.retracted,
    fullTextUrl: first.fullTextUrl ?? second.fullTextUrl,
  };
}
