import { createHash } from "node:crypto";
import { z } from "zod";
import { type Publication, SourceSchema } from "./report.ts";

/**
 * A place that a search or a tool found. `id` is derived from the address, so that one address found twice is one hit.
 * `contentHash` is set where the content came with the hit.
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
  /** Set for the documentation that comes with the program, which is the corpus where a deployment has set none. */
  isDocumentation: z.literal(true).optional(),
});
export type Hit = z.infer<typeof HitSchema>;

/** A hit that stands for everything found that says the same. */
export const RankedHitSchema = HitSchema.extend({
  score: z.number(),
  /** The id of what it is a copy of, its own where it stands for itself; hits of one origin count as one witness. */
  origin: z.string(),
  /** The ids of the other hits of its origin, the same work first, then copies: where else its text may be had. */
  alternatives: z.array(z.string()),
});
export type RankedHit = z.infer<typeof RankedHitSchema>;

/** Where the text of a hit is read: its open full text where that is known, otherwise its page. */
export function addressOf({ url, publication }: Pick<Hit, "url" | "publication">): string {
  return publication?.fullTextUrl ?? url;
}

/** The id of whatever stands at this address: `S` and the first 12 hex digits of the address's SHA-256. */
export function sourceIdOf(url: string): string {
  return `S${createHash("sha256").update(url, "utf8").digest("hex").slice(0, 12)}`;
}

/**
 * All hits once, by id, in the order in which they were first found; one that brought its content wins over one that did
 * not. What only another finder knows of a publication is kept: its abstract, its open copy, and that it was retracted.
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
 * What each finder found, once: a hit that several found stays once for each of them, so that a ranking can count their
 * votes and their places. To be shown, hits are merged.
 */
export function addHits(known: readonly Hit[], found: readonly Hit[]): Hit[] {
  return [...Map.groupBy([...known, ...found], ({ foundBy, id }) => `${foundBy} ${id}`).values()].flatMap((same) => mergeHits([], same));
}

/** `hit` with what it leaves open and `other`, a hit of the same work, says. The same object where that is nothing. */
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

/** What two finders know of one work: the first one's word where both have one; a retraction that either tells of stands. */
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
