import { onTestFinished } from "vitest";
import { z } from "zod";
import { sourceIdOf } from "../../src/domain/hit.ts";
import type { SearchSource } from "../../src/domain/ports/sources.ts";
import { queryWords } from "../../src/tools/shared/query.ts";
import { startLoopback } from "./loopback-server.ts";

export interface FoundItem {
  readonly title: string;
  readonly text: string;
  /** An ISO 8601 date, which the service and the page tell. */
  readonly date?: string;
  /** A date that only the page tells. */
  readonly pageDate?: string;
}

/** Returns what a service finds for the words that it was asked. */
export type Finds = (service: Service, words: string) => readonly FoundItem[];

export type Service = "web" | "scholar" | "encyclopedia" | "filing" | "market";

/**
 * SearXNG, OpenAlex, Wikipedia, and two services of a user's own sources (`/filing` and `/market`) on loopback, and the pages that they link
 * to. `asked` has the search parameters that each was sent: `q` and `time_range` of the web search, `search` and `filter` of OpenAlex,
 * `gsrsearch` and edition of the encyclopedia, `q`, `from` and `to` of the two others.
 */
export async function startSearchServices(finds: Finds) {
  const asked: Record<Service, string[]> = { web: [], scholar: [], encyclopedia: [], filing: [], market: [] };
  const pages: FoundItem[] = [];
  const server = await startLoopback((request, response) => {
    const url = new URL(request.url ?? "", `http://${request.headers.host}`);
    const json = (value: unknown) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    const parameter = (name: string): string => url.searchParams.get(name) ?? "";
    const log = (service: Service, ...parts: readonly string[]) => {
      asked[service].push(parts.filter((part) => part !== "").join(" | "));
      return finds(service, parts[0] ?? "").map((item) => ({ ...item, address: `${url.origin}/page/${pages.push(item) - 1}` }));
    };
    if (url.pathname.startsWith("/page/")) {
      const { title = "", text = "", date, pageDate = date } = pages[Number(url.pathname.slice("/page/".length))] ?? {};
      const meta = pageDate === undefined ? "" : `<meta property="article:published_time" content="${pageDate}T00:00:00Z">`;
      const html = `<html><head><title>${title}</title>${meta}</head><body><article><p>${text}</p></article></body></html>`;
      return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
    }
    if (url.pathname === "/search") {
      const items = log("web", parameter("q"), parameter("time_range"));
      const results = items.map(({ title, text, date, address }) => ({ title, url: address, content: text, publishedDate: date ?? null }));
      return void json({ results });
    }
    if (url.pathname === "/works") {
      const items = log("scholar", parameter("search"), parameter("filter"));
      return void json({ results: items.map(({ title, date, address }, i) => work(`W${i}`, title, date ?? null, address)) });
    }
    if (url.pathname === "/filing" || url.pathname === "/market") {
      const items = log(url.pathname === "/filing" ? "filing" : "market", parameter("q"), parameter("from"), parameter("to"));
      return void json(items.map(({ title, text, address }) => ({ title, url: address, snippet: text })));
    }
    const edition = /^\/(\w+)\.wikipedia\.org\//.exec(url.pathname)?.[1] ?? "";
    const items = log("encyclopedia", parameter("gsrsearch"), edition);
    return void json({ batchcomplete: true, query: { pages: items.map(({ title, text }, index) => ({ title, extract: text, index })) } });
  });
  onTestFinished(() => server.close());
  return {
    asked,
    sources: [ownSource("filing", server.url), ownSource("market", server.url)],
    environment: {
      SEARXNG_BASE_URL: server.url,
      OPENALEX_BASE_URL: server.url,
      WIKIPEDIA_BASE_URL: server.url,
      ALLOWED_PRIVATE_HOSTS: new URL(server.url).host,
    },
  };
}

const FoundSchema = z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() }));

/** A source that a user has added, for a service that takes words and days. */
function ownSource(kind: "filing" | "market", baseUrl: string): SearchSource {
  const id = `own-${kind}`;
  return {
    id,
    kind,
    title: id,
    async search({ text, written, from, to }, { signal }) {
      const sent = queryWords(text, written).join(" ");
      const parameters = new URLSearchParams({
        q: sent,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      });
      const found = FoundSchema.parse(await (await fetch(`${baseUrl}/${kind}?${parameters}`, { signal })).json());
      const hits = found.map((one) => ({ ...one, id: sourceIdOf(one.url), kind, publishedAt: null, foundBy: id, contentHash: null }));
      return { hits, gaps: null, sent };
    },
  };
}

function work(id: string, title: string, date: string | null, address: string) {
  const place = { landing_page_url: address, source: null, license: null };
  return { id: `https://openalex.org/${id}`, title, publication_date: date, primary_location: place, abstract_inverted_index: null };
}
