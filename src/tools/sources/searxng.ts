import { z } from "zod";
import { UNDETERMINED } from "../../domain/language-code.ts";
import type { SearchQuery } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { collectPages, webResult } from "../shared/hits.ts";
import { keywordLine } from "../shared/query.ts";
import { searchByLine } from "../shared/searches.ts";
import { type Answer, readItems, withQuery } from "../shared/service-client.ts";

/** Searches the operator's own SearXNG: https://docs.searxng.org/dev/search_api.html. */
export const SEARXNG: SourceEntry = {
  // SEARXNG_BASE_URL replaces the host. The rate is low because SearXNG asks many search engines for each request.
  endpoint: { id: "searxng", owner: "searxng", hosts: ["searxng.invalid"], rate: { requests: 2, perMs: 1_000, concurrent: 2 } },
  kind: "web",
  title: "SearXNG",
  description: "your own SearXNG",
  settings: { baseUrl: { variable: "SEARXNG_BASE_URL", required: true } },
  statuses: {
    403: { hint: "JSON is off there. Add json to search.formats in its settings.yml." },
    429: { hint: "Its limiter is on. Let this machine pass in its limiter.toml." },
  },
  refusal: setupError,
  create: createSearxng,
};

const MAX_QUERY = 400;
const MAX_PAGES = 3;
const FULL_PAGE = 10;

function createSearxng({ client }: SourceOptions): SearchFunctions {
  const lineOf = (text: string, written?: true): string => keywordLine(text, MAX_QUERY, written);
  return searchByLine(lineOf, (q, query, context) => {
    const { limit } = query;
    const language = query.language === UNDETERMINED ? undefined : query.language;
    return collectPages({ limit, maxPages: MAX_PAGES, signal: context.signal }, async (page) => {
      const pageno = page > 0 ? page + 1 : undefined;
      const parameters = { q, format: "json", language, time_range: timeRangeOf(query), pageno };
      const answer = await client.json(SearchAnswerSchema, withQuery("https://searxng.invalid/search", parameters), context);
      if (page === 0) checkOutage(answer);
      const found = readItems("searxng", webResult({ url: "url", snippet: "content", date: "publishedDate" }), answer.results);
      return { found, more: answer.results.length >= FULL_PAGE };
    });
  });
}

const TIME_RANGES = [
  ["day", 1],
  ["week", 7],
  ["month", 30],
  ["year", 365],
] as const;
const MS_PER_DAY = 86_400_000;

/** Returns the smallest range back from today that contains `from`. */
function timeRangeOf({ from, to, today }: SearchQuery): string | undefined {
  if (from === undefined || today === undefined || (to !== undefined && to < today)) return undefined;
  const days = (Date.parse(today) - Date.parse(from)) / MS_PER_DAY + 1;
  return TIME_RANGES.find(([, length]) => days <= length)?.[0];
}

function checkOutage({ results, unresponsive_engines }: z.infer<typeof SearchAnswerSchema>): void {
  const engines = unresponsive_engines ?? [];
  if (results.length > 0 || engines.length === 0) return;
  const named = engines.flatMap((engine) => {
    const [name, why] = UnresponsiveEngineSchema.safeParse(engine).data ?? [];
    return name === undefined ? [] : [`${name} (${why})`];
  });
  throw new DossierError(
    "unreachable",
    `searxng found nothing, because its search engines did not respond: ${named.join(", ") || "it names none"}.`,
  );
}

const CHALLENGE = /<title>[^<]*(?:verifying your request|just a moment|checking your browser|making sure you're not a bot)/i;

function setupError({ text }: Answer): DossierError | null {
  return CHALLENGE.test(text)
    ? new DossierError("blocked", "searxng answered with a check for browsers. Turn it off for this machine.")
    : null;
}

const SearchAnswerSchema = z.object({
  results: z.array(z.unknown()),
  unresponsive_engines: z.array(z.unknown()).nullish(),
});

const UnresponsiveEngineSchema = z.tuple([z.string(), z.string()]).rest(z.unknown());
