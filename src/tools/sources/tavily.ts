import { z } from "zod";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { webResult } from "../shared/hits.ts";
import { questionLine } from "../shared/query.ts";
import { searchByLine } from "../shared/searches.ts";
import { readItems } from "../shared/service-client.ts";

export const TAVILY: SourceEntry = {
  // The limit of a development key: https://docs.tavily.com/documentation/rate-limits.
  endpoint: { id: "tavily", owner: "tavily", hosts: ["api.tavily.com"], rate: { requests: 100, perMs: 60_000, concurrent: 2 } },
  kind: "web",
  title: "Tavily",
  description: "web search for programs",
  settings: { apiKey: { variable: "TAVILY_API_KEY", required: true }, baseUrl: { variable: "TAVILY_BASE_URL" } },
  // The statuses of a used-up plan: https://docs.tavily.com/documentation/api-reference/endpoint/search.
  statuses: { 432: { code: "rate_limited" }, 433: { code: "rate_limited" } },
  create: createTavily,
};

const MAX_QUERY = 400;
const MAX_RESULTS = 20;

function createTavily({ client, apiKey = "" }: SourceOptions): SearchFunctions {
  const lineOf = (text: string, written?: true): string => questionLine(text, MAX_QUERY, { written });
  return searchByLine(lineOf, async (query, { from, to, limit }, context) => {
    const { results } = await client.json(SearchAnswerSchema, "https://api.tavily.com/search", context, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ query, max_results: Math.min(limit, MAX_RESULTS), search_depth: "basic", start_date: from, end_date: to }),
    });
    return readItems("tavily", webResult({ url: "url", snippet: "content", date: "published_date" }), results);
  });
}

const SearchAnswerSchema = z.object({ results: z.array(z.unknown()) });
