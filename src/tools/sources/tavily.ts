import { z } from "zod";
import type { Endpoint, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SourceOptions } from "../services/entry.ts";
import { calendarDate, FoundAddressSchema, webHit } from "../services/hits.ts";
import { questionLine } from "../services/query.ts";
import { readItems } from "../services/read-answer.ts";
import { type AnswerCheck, createServiceClient } from "../services/service-client.ts";

/** A development key allows 100 requests a minute: https://docs.tavily.com/documentation/rate-limits. */
export const TAVILY: Endpoint = {
  id: "tavily",
  owner: "tavily",
  hosts: ["api.tavily.com"],
  rate: { requests: 100, perMs: 60_000, concurrent: 2 },
};

const MAX_QUERY = 400;
const MAX_RESULTS = 20;
/** The plan's limit, and the limit of pay-as-you-go: https://docs.tavily.com/documentation/api-reference/endpoint/search. */
const USED_UP = [432, 433];

/** A web search made for programs; it takes questions as they are. */
export function createTavily({ fetch, apiKey = "" }: SourceOptions): SearchSource {
  const client = createServiceClient(TAVILY, fetch, judge, apiKey);
  return {
    id: "tavily",
    kind: "web",
    title: "Tavily",
    async search({ text, limit }, context) {
      const query = questionLine(text, MAX_QUERY);
      if (query === "") return [];
      const { results } = await client.json(SearchAnswerSchema, "https://api.tavily.com/search", context, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ query, max_results: Math.min(limit, MAX_RESULTS), search_depth: "basic" }),
      });
      return readItems("tavily", ResultSchema, results)
        .slice(0, limit)
        .map(({ title, url, content, published_date }) =>
          webHit({ foundBy: "tavily", title, url, publishedAt: calendarDate(published_date), snippet: content ?? "" }),
        );
    },
  };
}

const judge: AnswerCheck = ({ status }) =>
  USED_UP.includes(status) ? new DossierError("rate_limited", `tavily answered ${status}: the limit of the plan is used up.`) : null;

const SearchAnswerSchema = z.object({ results: z.array(z.unknown()) });

const ResultSchema = z.object({
  title: z.string(),
  url: FoundAddressSchema,
  content: z.string().nullish(),
  /** Only where the topic is news: `Mon, 05 May 2025 07:00:00 GMT`. */
  published_date: z.string().nullish(),
});
