import type { SearchSourceContract } from "../search-source.ts";
import { type Answers, API_KEY } from "../service-under-test.ts";
import { bodyField, half, json, numbers } from "./json-answers.ts";

const PAGE_SIZE = 10;
const result = (n: number) => ({
  title: `Lighthouse ${n}`,
  link: `https://example.org/lighthouse/${n}`,
  snippet: "The lamp of a lighthouse ...",
  date: n % 2 === 1 ? "Mar 5, 2023" : "2 days ago",
  position: n,
});
const found =
  (total: number): Answers =>
  (request) => {
    const first = (Number(bodyField("page")(request) ?? 1) - 1) * PAGE_SIZE;
    const organic = numbers(total)
      .slice(first, first + PAGE_SIZE)
      .map(result);
    return JSON.stringify({ searchParameters: { q: "q", type: "search" }, organic, credits: 1 });
  };
const refused =
  (status: number, message: string): Answers =>
  () => ({ status, text: JSON.stringify({ message, statusCode: status }) });

export const CONTRACT: SearchSourceContract = {
  type: "application/json",
  found,
  first: { kind: "web", title: "Lighthouse 1", url: "https://example.org/lighthouse/1", publishedAt: "2023-03-05" },
  nothing: json({ searchParameters: { q: "q" } }),
  oneBroken: json({ searchParameters: {}, organic: [result(1), { title: "no address", link: "/search?q=more" }, result(3)] }),
  otherShape: json({ hello: "world" }),
  cut: half(found(3)),
  queryOf: bodyField("q"),
  asksInFull: true,
  key: { header: "x-api-key", value: API_KEY },
  odd: {
    "fails with blocked when the key is wrong": { answers: refused(403, "Unauthorized."), failure: "blocked", says: /Unauthorized/ },
    "fails with rate_limited when the credits are used up, which it answers with 400": {
      answers: refused(400, "Not enough credits"),
      failure: "rate_limited",
      says: /credits/,
    },
    "fails with unreadable when the question makes no sense to it": {
      answers: refused(400, "Query not allowed"),
      failure: "unreadable",
      says: /Query not allowed/,
    },
  },
};
