import { hash } from "node:crypto";
import { z } from "zod";
import { type Publication, SourceSchema } from "./report.ts";

export const HitSchema = SourceSchema.pick({
  id: true,
  kind: true,
  title: true,
  url: true,
  publishedAt: true,
  foundBy: true,
  contentHash: true,
  publication: true,
  readAt: true,
}).extend({
  snippet: z.string(),
  isDocumentation: z.literal(true).optional(),
  /** The website of the organization that the text describes, as the service that delivered it says. */
  site: z.string().optional(),
});
export type Hit = z.infer<typeof HitSchema>;

/** `foundBy` of what the user gave: web addresses, and the documents of the thread. */
export const URLS_SOURCE = "urls";
export const DOCUMENTS_SOURCE = "documents";
/** `foundBy` of what stands in the folder of the server. */
export const CORPUS_SOURCE = "corpus";
/** `foundBy` of a web page that a document that was read names as its source. */
export const LINKS_SOURCE = "links";

/** Whether the title of a hit is only an address or the words of a link, until its document is read. */
export function isUntitled({ foundBy }: Pick<Hit, "foundBy">): boolean {
  return foundBy === URLS_SOURCE || foundBy === LINKS_SOURCE;
}

export interface RankedHit extends Hit {
  readonly score: number;
  /** If this hit is a copy, the id of the original; otherwise this hit's id. Hits of one origin count as one source. */
  readonly origin: string;
  /** Ids of other hits with the same text: first other addresses of the same work, then copies. */
  readonly alternatives: readonly string[];
  /** Nothing could tell whether it is relevant, and nothing relevant was found. */
  readonly isUnjudged?: true;
}

/** Ranks a hit that has no copies. */
export function rankAlone(hit: Hit, score: number): RankedHit {
  return { ...hit, score, origin: hit.id, alternatives: [] };
}

export function sourceFieldsOf({ snippet: _snippet, isDocumentation: _isDocumentation, site: _site, ...fields }: Hit) {
  return fields;
}

export function addressOf({ url, publication }: Pick<Hit, "url" | "publication">): string {
  return publication?.fullTextUrl ?? url;
}

const EXECUTED: ReadonlySet<string> = new Set(["javascript:", "vbscript:", "data:", "blob:"]);

/** Encodes the colon of an address that a browser would execute or show as a page of its author, so that a link to it does nothing. */
export function inertAddress(url: string): string {
  const parsed = URL.parse(url);
  return parsed !== null && EXECUTED.has(parsed.protocol) ? parsed.href.replace(":", "%3A") : url;
}

export function sourceIdOf(url: string): string {
  return `S${hash("sha256", url).slice(0, 12)}`;
}

/** In UTF-16 code units. */
const MAX_TITLE = 1_000;
const MAX_ADDRESS = 20_000;
const MAX_DATE = 100;
const MAX_SNIPPET = 10_000;

/** Cuts the fields of a hit, because ranking and events take time in proportion to their length. */
export function boundHit(hit: Hit): Hit {
  const cut = (text: string, length: number): string => (text.length > length ? text.slice(0, length).toWellFormed() : text);
  const publishedAt = hit.publishedAt === null ? null : cut(hit.publishedAt, MAX_DATE);
  return { ...hit, title: cut(hit.title, MAX_TITLE), publishedAt, snippet: cut(hit.snippet, MAX_SNIPPET) };
}

/** Drops hits whose address is too long for a request, and cuts the fields of the others. */
export function boundHits(hits: readonly Hit[]): Hit[] {
  return hits.filter(({ url }) => url.length <= MAX_ADDRESS).map(boundHit);
}

const KNOWN_DATE = /^\d{4}(?:-\d{2}){0,2}/;

/** Returns what is known of an ISO 8601 date, such as `2021-03`; undefined for anything else. */
export function knownDate(publishedAt: string | null): string | undefined {
  return KNOWN_DATE.exec(publishedAt ?? "")?.[0];
}

/**
 * The date of a document that was read: that of the hit where a catalog or a service knows it, as for papers and filings; of a web page its
 * own, and only if it tells none the one that a search told.
 */
export function dateOfRead({ kind, publishedAt }: Pick<Hit, "kind" | "publishedAt">, own: string | null): string | null {
  return kind === "web" ? (own ?? publishedAt) : (publishedAt ?? own);
}

/** Whether all of a date, which may be only a year or month, is before `day`. False for an unknown date. */
export function isBefore(publishedAt: string | null, day: string): boolean {
  const date = knownDate(publishedAt);
  return date !== undefined && date < day.slice(0, date.length);
}

/** Joins hits with the same id. A hit with content replaces one without. Publication data of both is kept. */
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

/** Keeps a hit once for each search that found it, because the ranking counts searches as votes. */
export function addHits(known: readonly Hit[], found: readonly Hit[]): Hit[] {
  return [...Map.groupBy([...known, ...found], ({ foundBy, id }) => `${foundBy} ${id}`).values()].flatMap((same) => mergeHits([], same));
}

export function completeHit(hit: Hit, other: Hit): Hit {
  const publication = mergePublications(hit.publication, other.publication);
  if (hit === other || other.publication === undefined || publication === undefined) return hit;
  return { ...hit, publishedAt: hit.publishedAt ?? other.publishedAt, snippet: hit.snippet || other.snippet, publication };
}

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
