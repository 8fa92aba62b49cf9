import { type Hit, mergeHits } from "../../domain/hit.ts";
import type { CallContext, Endpoint } from "../../domain/ports/http-fetch.ts";
import type { SearchQuery, SearchSource } from "../../domain/ports/search-source.ts";
import { toDossierError } from "../../errors.ts";
import { keywords } from "../../ranking/keywords.ts";
import { publicationHits } from "../hits/publication-hit.ts";
import { joinWithin } from "../query/query-line.ts";
import { allThenAny } from "../query/query-words.ts";
import { readItems } from "../services/read-items.ts";
import { createServiceClient, type ServiceClient } from "../services/service-client.ts";
import type { SourceOptions } from "../services/source-entry.ts";
import { type Edition, ENGLISH, editionFor, HOSTS, hostOf } from "./editions.ts";
import { judge } from "./judge.ts";
import { addressOf } from "./page-address.ts";
import { type Page, PageSchema, QueryAnswerSchema } from "./schema.ts";

/**
 * Reading has no fixed limit; clients are asked to send one request after the other and to say who they are:
 * https://www.mediawiki.org/wiki/API:Etiquette, https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits.
 */
export const WIKIPEDIA: Endpoint = {
  id: "wikipedia",
  owner: "wikipedia",
  hosts: HOSTS,
  rate: { requests: 2, perMs: 1_000, concurrent: 1 },
};

/** What the search takes at most, in characters. */
const MAX_QUERY = 300;
/** First paragraphs come for so many pages of one answer: https://www.mediawiki.org/wiki/Extension:TextExtracts#API. */
const MAX_PAGES = 20;
const LAST = Number.MAX_SAFE_INTEGER;
const LATIN = /\p{sc=Latin}/u;

/** Articles of the edition in the language of the question, with their first paragraphs; where those are few, English ones too. */
export function createWikipedia({ fetch }: SourceOptions): SearchSource {
  const client = createServiceClient(WIKIPEDIA, fetch, judge);
  let leftOut: string | null = null;
  return {
    id: "wikipedia",
    kind: "encyclopedia",
    title: "Wikipedia",
    async search({ text, language, limit }, context) {
      const words = keywords(text);
      let missing: string | null = null;
      const own = editionFor(language);
      leftOut = null;
      const hits = await searchEdition(client, own, words, limit, context);
      if (own.language === "en" || hits.length >= limit) return hits;
      // What is written in Latin letters, a name most often, is the same in English.
      const names = words.filter((word) => LATIN.test(word));
      const english = await searchEdition(client, ENGLISH, names, limit, context).catch((error: unknown) => {
        context.signal.throwIfAborted();
        if (hits.length === 0) throw error;
        missing = `the English edition could not be asked: ${toDossierError(error).message}`;
        return [];
      });
      leftOut = missing;
      return mergeHits(hits, english).slice(0, limit);
    },
    gaps: () => leftOut,
  };
}

/** Pages with all the words; where there are none, pages with any of them. */
async function searchEdition(
  client: ServiceClient,
  edition: Edition,
  words: readonly string[],
  limit: SearchQuery["limit"],
  context: CallContext,
): Promise<Hit[]> {
  if (words.length === 0) return [];
  return allThenAny(words, (operator) => {
    const line = joinWithin(words, operator === "AND" ? " " : " OR ", MAX_QUERY);
    return ask(client, edition, line, limit, context);
  });
}

async function ask(client: ServiceClient, edition: Edition, words: string, limit: number, context: CallContext): Promise<Hit[]> {
  const { query } = await client.json(QueryAnswerSchema, queryUrl(edition, words, Math.min(limit, MAX_PAGES)), context);
  const items = [...Object.values(query?.pages ?? {}), ...(query?.search ?? [])];
  const pages = readItems("wikipedia", PageSchema, items).filter(({ missing }) => missing === undefined);
  const hits = pages.toSorted((a, b) => (a.index ?? LAST) - (b.index ?? LAST)).flatMap((page) => toHit(page, edition));
  return mergeHits([], hits).slice(0, limit);
}

function queryUrl({ language, variant }: Edition, words: string, count: number): URL {
  const url = new URL(`https://${hostOf(language)}/w/api.php`);
  const parameters = {
    action: "query",
    format: "json",
    formatversion: "2",
    generator: "search",
    gsrsearch: words,
    gsrnamespace: "0",
    gsrlimit: String(count),
    prop: "extracts|revisions",
    exintro: "1",
    explaintext: "1",
    exlimit: String(MAX_PAGES),
    rvprop: "timestamp",
    ...(variant !== undefined && { variant }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** The date is that of the last change. A page in several scripts is cited by its one address and read in the reader's. */
function toHit({ title, extract, snippet, revisions, timestamp }: Page, { language, variant }: Edition): Hit[] {
  return publicationHits({
    kind: "encyclopedia",
    foundBy: "wikipedia",
    title,
    url: addressOf(language, title),
    publishedAt: (revisions?.[0]?.timestamp ?? timestamp)?.slice(0, 10) ?? null,
    snippet: extract ?? snippet ?? "",
    venue: `Wikipedia (${language})`,
    licence: "cc-by-sa-4.0",
    ...(variant !== undefined && { fullTextUrl: addressOf(language, title, variant) }),
  });
}
