import type { SearchSourceContract } from "../search-source.ts";
import { type Answers, API_KEY } from "../service-under-test.ts";
import { bodyField, half, json, numbers } from "./json-answers.ts";

const result = (n: number) => ({
  title: `Lighthouse ${n}`,
  url: `https://example.org/lighthouse/${n}`,
  content: "The lamp &amp; the <em>lens</em>.",
  score: 0.9,
  raw_content: null,
  published_date: "Mon, 05 May 2025 07:00:00 GMT",
});
const found = (total: number): Answers => json({ query: "q", answer: null, results: numbers(total).map(result), response_time: 0.89 });
const status =
  (code: number, error: string): Answers =>
  () => ({ status: code, text: JSON.stringify({ detail: { error } }) });

export const CONTRACT: SearchSourceContract = {
  type: "application/json",
  found,
  first: {
    kind: "web",
    title: "Lighthouse 1",
    url: "https://example.org/lighthouse/1",
    publishedAt: "2025-05-05",
    snippet: "The lamp & the lens.",
  },
  nothing: found(0),
  oneBroken: json({ results: [result(1), { title: "no address" }, result(3)] }),
  otherShape: json({ hello: "world" }),
  cut: half(found(3)),
  queryOf: bodyField("query"),
  asksInFull: true,
  key: { header: "authorization", value: `Bearer ${API_KEY}` },
  odd: {
    "fails with blocked and the service's words when the key is wrong": {
      answers: status(401, "Unauthorized: missing or invalid API key."),
      failure: "blocked",
      says: /missing or invalid API key/,
    },
    "fails with rate_limited when the plan is used up": {
      answers: status(432, "This request exceeds your plan's set usage limit."),
      failure: "rate_limited",
      says: /usage limit/,
    },
    "fails with rate_limited when pay-as-you-go is used up": { answers: status(433, "limit"), failure: "rate_limited" },
  },
};
