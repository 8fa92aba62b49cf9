import { z } from "zod";
import type { Hit } from "../../domain/hit.ts";
import { DossierError } from "../../errors.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { doiUrl, normalizeArxivId, normalizeDoi, publicationHits, webAddress } from "../shared/hits.ts";
import { dateFilters, isPhrase, queryWords } from "../shared/query.ts";
import { searchByWords } from "../shared/searches.ts";
import { type Answer, createServiceClient, readItems, withQuery } from "../shared/service-client.ts";

export const OPENALEX: SourceEntry = {
  // OpenAlex allows 100 requests a second. A search costs $0.001 of a free key's $1 a day:
  // https://developers.openalex.org/api-reference/authentication.
  endpoint: { id: "openalex", owner: "openalex", hosts: ["api.openalex.org"], rate: { requests: 10, perMs: 1_000, concurrent: 4 } },
  kind: "scholar",
  title: "OpenAlex",
  description: "works of all fields, with abstracts, open copies, retractions",
  settings: { apiKey: { variable: "OPENALEX_API_KEY" }, baseUrl: { variable: "OPENALEX_BASE_URL" } },
  create: createOpenAlex,
};

const MAX_RESULTS = 100;
/** Larger word positions in an abstract are errors of the service. */
const MAX_ABSTRACT_WORDS = 5_000;

function createOpenAlex({ fetch, apiKey, contactEmail }: SourceOptions): SearchFunctions {
  const client = createServiceClient(OPENALEX.endpoint, fetch, (answer) => limitError(answer, apiKey !== undefined), apiKey);
  const wordsOf = (text: string, written?: true): string[] => queryWords(text, written).flatMap(withoutOperators);
  return searchByWords(wordsOf, async (words, operator, query, context) => {
    const url = withQuery("https://api.openalex.org/works", {
      search: words.join(operator === "AND" ? " " : " OR "),
      filter: dateFilters(query, "from_publication_date", "to_publication_date"),
      per_page: Math.min(query.limit, MAX_RESULTS),
      select: WORK_FIELDS.join(","),
      mailto: contactEmail,
      api_key: apiKey,
    });
    const { results } = await client.json(WorksAnswerSchema, url, context);
    return readItems("openalex", WorkSchema, results).flatMap(toHit);
  });
}

/** 429 means the daily limit, 403 too many requests at once: https://developers.openalex.org/api-reference/errors. */
function limitError({ status, text }: Answer, hasKey: boolean): DossierError | null {
  if (![401, 403, 429].includes(status)) return null;
  const message = /"message"\s*:\s*"([^"]{1,200})/.exec(text)?.[1] ?? `it answered ${status}`;
  if (hasKey && status === 401) return new DossierError("blocked", `OpenAlex refused the key in OPENALEX_API_KEY: ${message}`);
  const advice = hasKey
    ? "The limit of the key in OPENALEX_API_KEY is reached, or requests came too fast."
    : "Without a key only a few searches a day are answered: set OPENALEX_API_KEY to a free key.";
  return new DossierError("rate_limited", `OpenAlex did not search: ${message} ${advice}`);
}

/** Operators and wildcards would change the query. Lower-case `and`, `or` and `not` are words, not operators. */
function withoutOperators(word: string): string[] {
  const parts = word
    .split(/[^\p{L}\p{N}\p{M}'’-]+/u)
    .filter((part) => part !== "")
    .map((part) => (/^(?:AND|OR|NOT)$/.test(part) ? part.toLowerCase() : part));
  return isPhrase(word) ? [`"${parts.join(" ")}"`] : parts;
}

function toHit(work: Work): Hit[] {
  if (!work.title) return [];
  const doi = normalizeDoi(work.doi);
  const { primary_location: place, best_oa_location: open } = work;
  return publicationHits({
    kind: "scholar",
    foundBy: "openalex",
    title: work.title,
    url: doi === null ? (webAddress(place?.landing_page_url) ?? work.id) : doiUrl(doi),
    publishedAt: work.publication_date ?? work.publication_year?.toString() ?? null,
    snippet: abstractOf(work),
    authors: (work.authorships ?? []).map(({ raw_author_name, author }) => raw_author_name ?? author?.display_name ?? ""),
    doi,
    arxivId: normalizeArxivId(open?.landing_page_url) ?? normalizeArxivId(place?.landing_page_url),
    pmid: work.ids?.pmid ?? null,
    venue: place?.source?.display_name ?? place?.raw_source_name ?? null,
    licence: open?.license ?? place?.license ?? null,
    retracted: work.is_retracted === true,
    fullTextUrl: open?.pdf_url ?? (work.open_access?.is_oa === true ? (work.open_access.oa_url ?? null) : null),
  });
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
