import type { SearchSourceContract } from "../search-source.ts";
import type { Answers } from "../service-under-test.ts";
import { half, json, numbers } from "./json-answers.ts";

const page = (n: number) => ({
  pageid: 100 + n,
  ns: 0,
  title: `Lighthouse ${n}: "lamp & lens"`,
  index: n,
  extract: `A lighthouse is a tower\nwith a lamp, number ${n}.`,
  revisions: [{ timestamp: "2026-03-25T15:46:00Z" }],
});
/** A generator returns its pages by id, not by rank. */
const found = (total: number): Answers => json({ batchcomplete: true, query: { pages: numbers(total).map(page).toReversed() } });
const pages = (...items: unknown[]): Answers => json({ batchcomplete: true, query: { pages: items } });

export const CONTRACT: SearchSourceContract = {
  type: "application/json; charset=utf-8",
  found,
  first: {
    kind: "encyclopedia",
    title: 'Lighthouse 1: "lamp & lens"',
    url: "https://en.wikipedia.org/wiki/Lighthouse_1:_%22lamp_%26_lens%22",
    publishedAt: "2026-03-25",
    snippet: "A lighthouse is a tower with a lamp, number 1.",
  },
  nothing: json({ batchcomplete: true }),
  oneBroken: pages(page(1), { pageid: 7, title: null }, page(3)),
  otherShape: json({ hello: "world" }),
  cut: half(found(3)),
  queryOf: ({ url }) => url.searchParams.get("gsrsearch"),
  odd: {
    "leaves out pages that do not exist": {
      answers: pages(page(1), { ns: 0, title: "No Such Page", missing: true }, { ns: 0, title: "Nor This", missing: "" }),
      titles: ['Lighthouse 1: "lamp & lens"'],
    },
    "reads a list of results with marked snippets": {
      answers: json({
        batchcomplete: "",
        query: {
          search: [{ ns: 0, title: "Fresnel lens", snippet: 'a <span class="searchmatch">lens</span>', timestamp: "2026-01-02T03:04:05Z" }],
        },
      }),
      titles: ["Fresnel lens"],
    },
    "reads pages by id, as older format versions give them": {
      answers: json({ batchcomplete: "", query: { pages: { "9": page(2), "-1": { ns: 0, title: "None", missing: "" }, "7": page(1) } } }),
      titles: ['Lighthouse 1: "lamp & lens"', 'Lighthouse 2: "lamp & lens"'],
    },
    "fails with rate_limited when its databases lag behind": {
      answers: json({ error: { code: "maxlag", info: "Waiting for db1: 7.2 seconds lagged" } }),
      failure: "rate_limited",
      says: /maxlag.*7\.2 seconds/,
    },
    "fails with rate_limited when it says so with status 200": {
      answers: json({ error: { code: "ratelimited", info: "You've exceeded your rate limit." } }),
      failure: "rate_limited",
    },
    "fails with unreachable when its search is out of order": {
      answers: json({ error: { code: "cirrussearch-backend-error", info: "We could not complete your search." } }),
      failure: "unreachable",
    },
    "fails with unreadable when it does not like the question": {
      answers: json({ error: { code: "badvalue", info: "Unrecognized value." } }),
      failure: "unreadable",
      says: /badvalue/,
    },
  },
};
