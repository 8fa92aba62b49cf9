import type { SearchSourceContract } from "../search-source.ts";
import { type Answers, API_KEY } from "../service-under-test.ts";
import { half, json, numbers } from "./json-answers.ts";

const result = (n: number) => ({
  type: "search_result",
  title: `Lighthouse ${n}`,
  url: `https://example.org/lighthouse/${n}`,
  description: "The <strong>lamp</strong> of Aldermoor&#x27;s lighthouse",
  age: "2 days ago",
  page_age: "2024-03-27T15:31:02",
});
const found =
  (total: number): Answers =>
  ({ url }) => {
    const count = Number(url.searchParams.get("count"));
    const first = Number(url.searchParams.get("offset") ?? 0) * count;
    const results = numbers(total)
      .slice(first, first + count)
      .map(result);
    return JSON.stringify({ type: "search", query: { more_results_available: first + count < total }, web: { type: "search", results } });
  };
const error =
  (status: number, code: string, detail: string): Answers =>
  () => ({
    status,
    text: JSON.stringify({ type: "ErrorResponse", error: { code, detail, status } }),
  });

export const CONTRACT: SearchSourceContract = {
  type: "application/json",
  found,
  first: {
    kind: "web",
    title: "Lighthouse 1",
    url: "https://example.org/lighthouse/1",
    publishedAt: "2024-03-27",
    snippet: "The lamp of Aldermoor's lighthouse",
  },
  nothing: json({ type: "search", query: { original: "q", more_results_available: false } }),
  oneBroken: json({ type: "search", web: { results: [result(1), { title: "no address" }, result(3)] } }),
  otherShape: json({ hello: "world" }),
  cut: half(found(3)),
  queryOf: ({ url }) => url.searchParams.get("q"),
  asksInFull: true,
  key: { header: "x-subscription-token", value: API_KEY },
  odd: {
    "fails with blocked when the key is wrong, which it answers with 422": {
      answers: error(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid."),
      failure: "blocked",
      says: /token is invalid.*BRAVE_API_KEY/,
    },
    "fails with unreadable when a parameter is wrong, which it answers with 422 too": {
      answers: error(422, "VALIDATION", "Unable to validate request parameter(s)"),
      failure: "unreadable",
      says: /Unable to validate/,
    },
    "fails with rate_limited when the month is used up": { answers: error(429, "QUOTA_LIMITED", "used up"), failure: "rate_limited" },
  },
};
