import { type Hit, mergeHits, sourceIdOf } from "../../domain/hit.ts";
import { cutText } from "./cut-text.ts";
import { isWebAddress } from "./found-address.ts";
import { plainText } from "./plain-text.ts";

/** A page as a search engine shows it. */
export interface FoundPage {
  readonly foundBy: string;
  readonly title: string;
  readonly url: string;
  /** A calendar date, see `calendarDate`. */
  readonly publishedAt?: string | null;
  readonly snippet: string;
}

const MAX_TITLE = 500;
const MAX_SNIPPET = 4_000;

/**
 * The same page as a hit, its texts without markup. What is no address of the web is a place of its finder's alone: it
 * must not pass for what another source, such as the corpus, has at the same address.
 */
export function webHit({ foundBy, title, url, publishedAt, snippet }: FoundPage): Hit {
  return {
    id: sourceIdOf(isWebAddress(url) ? url : `${foundBy} ${url}`),
    kind: "web",
    title: cutText(plainText(title), MAX_TITLE) || url,
    url,
    publishedAt: publishedAt ?? null,
    foundBy,
    contentHash: null,
    snippet: cutText(plainText(snippet), MAX_SNIPPET),
  };
}

/** One page of results, and whether there may be another. */
export interface ResultPage {
  readonly hits: readonly Hit[];
  readonly more: boolean;
}

/**
 * Hits of pages 0, 1, 2 ... until there are `limit`, each once: a page that brings nothing new is the last one. A later
 * page that cannot be had costs only itself.
 */
export async function collectPages(
  limit: number,
  maxPages: number,
  signal: AbortSignal,
  readPage: (page: number) => Promise<ResultPage>,
): Promise<Hit[]> {
  let hits: Hit[] = [];
  for (let page = 0; page < maxPages && hits.length < limit; page++) {
    const { hits: found, more } = await readPage(page).catch((error: unknown) => {
      signal.throwIfAborted();
      if (page === 0) throw error;
      return { hits: [], more: false };
    });
    const merged = mergeHits(hits, found);
    if (merged.length === hits.length) break;
    hits = merged;
    if (!more) break;
  }
  return hits.slice(0, limit);
}
