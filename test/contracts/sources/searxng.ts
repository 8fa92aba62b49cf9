import type { SearchSourceContract } from "../search-source.ts";
import type { Answers } from "../service-under-test.ts";
import { half, json, numbers } from "./json-answers.ts";

const PAGE_SIZE = 12;
const result = (n: number) => ({
  template: "default.html",
  title: `Lighthouse &amp; <b>lens</b> ${n}`,
  url: `https://example.org/lighthouse/${n}`,
  content: "The lamp  of a lighthouse …",
  publishedDate: "2024-03-27T15:31:02",
  engines: ["mojeek"],
});
const found =
  (total: number): Answers =>
  ({ url }) => {
    const first = (Number(url.searchParams.get("pageno") ?? 1) - 1) * PAGE_SIZE;
    const results = numbers(total)
      .slice(first, first + PAGE_SIZE)
      .map(result);
    return JSON.stringify({ query: url.searchParams.get("q"), results, unresponsive_engines: [] });
  };
const verification = "<html><head><title>searx.example | Verifying your request</title></head><body></body></html>";

export const CONTRACT: SearchSourceContract = {
  type: "application/json",
  found,
  first: { kind: "web", title: "Lighthouse & lens 1", url: "https://example.org/lighthouse/1", publishedAt: "2024-03-27" },
  nothing: json({ query: "q", number_of_results: 0, results: [], answers: [], unresponsive_engines: [] }),
  oneBroken: json({ results: [result(1), { title: "without an address" }, result(3)] }),
  otherShape: json({ hello: "world" }),
  cut: half(found(3)),
  queryOf: ({ url }) => url.searchParams.get("q"),
  odd: {
    "fails with unreachable and names the engines when none of them answered": {
      answers: json({ results: [], unresponsive_engines: [["brave", "timeout"], ["google", "CAPTCHA", true], "odd"] }),
      failure: "unreachable",
      says: /brave \(timeout\), google \(CAPTCHA\)/,
    },
    "gives what the other engines found when some did not answer": {
      answers: json({ results: [result(1)], unresponsive_engines: [["brave", "timeout"]] }),
      titles: ["Lighthouse & lens 1"],
    },
    "says how to switch JSON on where it is off": {
      answers: () => ({ status: 403, headers: { "content-type": "text/html" }, text: "<h1>Forbidden</h1>" }),
      failure: "blocked",
      says: /search\.formats/,
    },
    "fails with blocked when a page checks for browsers": {
      answers: () => ({ headers: { "content-type": "text/html" }, text: verification }),
      failure: "blocked",
    },
    "gives the first page when the second cannot be had": {
      answers: (request) => (request.url.searchParams.has("pageno") ? { status: 500, text: "" } : found(30)(request)),
      titles: numbers(PAGE_SIZE).map((n) => `Lighthouse & lens ${n}`),
    },
  },
};
