import { onTestFinished } from "vitest";
import { startLoopback } from "../../fakes/loopback-server.ts";
import { turns } from "../../helpers/turns.ts";

export interface LibraryPage {
  readonly title: string;
  readonly text: string;
  /** What the search shows of it. Default: its title. */
  readonly firstLines?: string;
  /** Such as 404; `hang` never answers. Default: 200. */
  readonly answers?: number | "hang";
  /** The number of the page to which this one leads. */
  readonly leadsTo?: number;
  /** The date that the page tells of itself. */
  readonly date?: string;
}

/** Neutral sentences, so that a page is longer than what a search shows of it. */
export const FILLER = "This sentence is about the weather, the sea and the way to the harbour. ".repeat(60);
export const FILLER_ZH = "这句话说的是天气、大海和去港口的路。".repeat(200);

/**
 * A web search on loopback that finds the pages of which the title has the last word of the query, and the pages. A page has the same address
 * at each search. `read` has the numbers of the pages that were asked for, in order.
 */
export async function startLibrary(pages: readonly LibraryPage[]) {
  const read: number[] = [];
  const web = await startLoopback(async (request, response) => {
    const url = new URL(request.url ?? "", web.url);
    if (url.pathname === "/search") {
      const word = (url.searchParams.get("q") ?? "").split(" ").at(-1) ?? "";
      const results = pages.flatMap(({ title, firstLines = title }, at) =>
        title.includes(word) ? [{ url: `${web.url}/page/${at}`, title, content: firstLines }] : [],
      );
      response.setHeader("content-type", "application/json");
      return void response.end(JSON.stringify({ results, unresponsive_engines: [] }));
    }
    const at = Number(url.pathname.slice("/page/".length));
    const { title = "", text = "", answers = 404, leadsTo, date } = pages[at] === undefined ? {} : { answers: 200 as const, ...pages[at] };
    read.push(at);
    if (answers === "hang") return;
    if (leadsTo !== undefined) return void response.writeHead(302, { location: `${web.url}/page/${leadsTo}` }).end();
    await turns(20);
    const dated = date === undefined ? "" : `<meta property="article:published_time" content="${date}">`;
    const html = `<html><head><title>${title}</title>${dated}</head><body><article><p>${text}</p></article></body></html>`;
    response.writeHead(answers, { "content-type": "text/html; charset=utf-8" }).end(html);
  });
  onTestFinished(() => web.close());
  const environment = { SOURCES: "searxng", SEARXNG_BASE_URL: web.url, ALLOWED_PRIVATE_HOSTS: new URL(web.url).host };
  return { environment, read, addressOf: (at: number) => `${web.url}/page/${at}` };
}

/** Pages about one thing, each with a text of its own, of which the first lines tell nothing. */
export function shelf(name: string, count: number, fact: (at: number) => string, filler = FILLER): LibraryPage[] {
  return Array.from({ length: count }, (_, at) => ({ title: `Report ${at} of ${name}`, text: `${filler} ${fact(at)} ${filler} ${at}` }));
}
