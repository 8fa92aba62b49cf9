import { z } from "zod";
import { DossierError } from "../../errors.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { calendarDate, FoundAddressSchema, webHit } from "../shared/hits.ts";
import { questionLine } from "../shared/query.ts";
import { searchByLine } from "../shared/searches.ts";
import { type AnswerCheck, createServiceClient, readItems } from "../shared/service-client.ts";

export const TAVILY: SourceEntry = {
  // The limit of a development key: https://docs.tavily.com/documentation/rate-limits.
  endpoint: { id: "tavily", owner: "tavily", hosts: ["api.tavily.com"], rate: { requests: 100, perMs: 60_000, concurrent: 2 } },
  kind: "web",
  title: "Tavily",
  description: "web search for programs",
  settings: { apiKey: { variable: "TAVILY_API_KEY", required: true }, baseUrl: { variable: "TAVILY_BASE_URL" } },
  create: createTavily,
};

const MAX_QUERY = 400;
const MAX_RESULTS = 20;
/** HTTP statuses of a used-up plan: https://docs.tavily.com/documentation/api-reference/endpoint/search. */
const LIMIT_REACHED = [432, 433];

function createTavily({ fetch, apiKey = "" }: SourceOptions): SearchFunctions {
  const client = createServiceClient(TAVILY.endpoint, fetch, limitError, apiKey);
  const lineOf = (text: string, written?: true): string => questionLine(text, MAX_QUERY, { written });
  return searchByLine(lineOf, async (query, { from, to, limit }, context) => {
    const { results } = await client.json(SearchAnswerSchema, "https://api.tavily.com/search", context, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ query, max_results: Math.min(limit, MAX_RESULTS), search_depth: "basic", start_date: from, end_date: to }),
    });
    return readItems("tavily", ResultSchema, results).map(({ title, url, content, published_date }) =>
      webHit({ foundBy: "tavily", title, url, publishedAt: calendarDate(published_date), snippet: content ?? "" }),
    );
  });
}

const limitError: AnswerCheck = ({ status }) =>
  LIMIT_REACHED.includes(status) ? new DossierError("rate_limited", `tavily answered ${status}: the limit of the plan is reached.`) : null;

const SearchAnswerSchema = z.object({ results: z.array(z.unknown()) });

const ResultSchema = z.object({
  title: z.string(),
  url: FoundAddressSchema,
  content: z.string().nullish(),
  published_date: z.string().nullish(),
});
