import { z } from "zod";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { doiAddress, type FoundWork, normalizeArxivId, webAddress } from "../shared/hits.ts";
import { dateFilters, isPhrase, queryWords } from "../shared/query.ts";
import { searchByWords } from "../shared/searches.ts";
import { readItems, withQuery } from "../shared/service-client.ts";

export const OPENALEX: SourceEntry = {
  // OpenAlex allows 100 requests a second. A search costs $0.001 of a free key's $1 a day:
  // https://developers.openalex.org/api-reference/authentication.
  endpoint: { id: "openalex", owner: "openalex", hosts: ["api.openalex.org"], rate: { requests: 10, perMs: 1_000, concurrent: 4 } },
  kind: "scholar",
  title: "OpenAlex",
  description: "works of all fields, with abstracts, open copies, retractions",
  settings: { apiKey: { variable: "OPENALEX_API_KEY" }, baseUrl: { variable: "OPENALEX_BASE_URL" } },
  // 429 means the daily limit, 403 too many requests at once: https://developers.openalex.org/api-reference/errors.
  statuses: {
    401: { hint: "Check OPENALEX_API_KEY." },
    403: { code: "rate_limited" },
    429: { hint: "A free key in OPENALEX_API_KEY allows more searches a day." },
  },
  create: createOpenAlex,
};

/** Larger word positions in an abstract are errors of the service. */
const MAX_ABSTRACT_WORDS = 5_000;

function createOpenAlex({ client, apiKey, contactEmail }: SourceOptions): SearchFunctions {
  const wordsOf = (text: string, written?: true): string[] => queryWords(text, written).flatMap(withoutOperators);
  return searchByWords(wordsOf, async (words, operator, query, context) => {
    const url = withQuery("https://api.openalex.org/works", {
      search: words.join(operator === "AND" ? " " : " OR "),
      filter: dateFilters(query, "from_publication_date", "to_publication_date"),
      per_page: query.limit,
      select: WORK_FIELDS.join(","),
      mailto: contactEmail,
      api_key: apiKey,
    });
    const { results } = await client.json(WorksAnswerSchema, url, context);
    return readItems("openalex", WorkSchema, results).map(toWork);
  });
}

/** Operators and wildcards would change the query. Lower-case `and`, `or` and `not` are words, not operators. */
function withoutOperators(word: string): string[] {
  const parts = word
    .split(/[^\p{L}\p{N}\p{M}'’-]+/u)
    .filter((part) => part !== "")
    .map((part) => (/^(?:AND|OR|NOT)$/.test(part) ? part.toLowerCase() : part));
  return isPhrase(word) ? [`"${parts.join(" ")}"`] : parts;
}

function toWork(work: Work): FoundWork {
  const { primary_location: place, best_oa_location: open } = work;
  return {
    title: work.title ?? "",
    url: doiAddress(work.doi) ?? webAddress(place?.landing_page_url) ?? work.id,
    publishedAt: work.publication_date ?? work.publication_year?.toString(),
    snippet: abstractOf(work),
    authors: (work.authorships ?? []).map(({ raw_author_name, author }) => raw_author_name ?? author?.display_name ?? ""),
    doi: work.doi ?? null,
    arxivId: normalizeArxivId(open?.landing_page_url) ?? normalizeArxivId(place?.landing_page_url),
    pmid: work.ids?.pmid ?? null,
    venue: place?.source?.display_name ?? place?.raw_source_name ?? null,
    licence: open?.license ?? place?.license ?? null,
    retracted: work.is_retracted === true,
    fullTextUrl: open?.pdf_url ?? (work.open_access?.is_oa === true ? (work.open_access.oa_url ?? null) : null),
  };
}

function abstractOf({ abstract_inverted_index: index }: Work): string {
  return Object.entries(index ?? {})
    .flatMap(([word, places]) => places.map((place) => ({ word, place })))
    .filter(({ place }) => place < MAX_ABSTRACT_WORDS)
    .sort((a, b) => a.place - b.place)
    .map(({ word }) => word)
    .join(" ");
}

const text = z.string().nullish();
const LocationSchema = z.object({
  landing_page_url: text,
  pdf_url: text,
  license: text,
  source: z.object({ display_name: text }).nullish(),
  raw_source_name: text,
});

const WorkSchema = z.object({
  id: z.string(),
  doi: text,
  ids: z.object({ pmid: text }).nullish(),
  title: text,
  publication_date: text,
  publication_year: z.number().nullish(),
  primary_location: LocationSchema.nullish(),
  best_oa_location: LocationSchema.nullish(),
  open_access: z.object({ is_oa: z.boolean().nullish(), oa_url: text }).nullish(),
  authorships: z.array(z.object({ raw_author_name: text, author: z.object({ display_name: text }).nullish() })).nullish(),
  is_retracted: z.boolean().nullish(),
  abstract_inverted_index: z.record(z.string(), z.array(z.number())).nullish(),
});
type Work = z.infer<typeof WorkSchema>;

const WORK_FIELDS = Object.keys(WorkSchema.shape);

const WorksAnswerSchema = z.object({ results: z.array(z.unknown()) });
