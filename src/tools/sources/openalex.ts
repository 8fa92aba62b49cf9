import { z } from "zod";
import type { Hit } from "../../domain/hit.ts";
import type { Endpoint, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SourceOptions } from "../services/entry.ts";
import { doiUrl, firstHits, normalizeArxivId, normalizeDoi, publicationHits, webAddress } from "../services/hits.ts";
import { allThenAny, queryWords } from "../services/query.ts";
import { readItems } from "../services/read-answer.ts";
import { type Answer, createServiceClient } from "../services/service-client.ts";

/**
 * Metered by the day rather than by the second: a search costs $0.001 of the $1 a day of a free key, or of a few cents
 * without one; 100 requests a second are allowed: https://developers.openalex.org/api-reference/authentication.
 */
export const OPENALEX: Endpoint = {
  id: "openalex",
  owner: "openalex",
  hosts: ["api.openalex.org"],
  rate: { requests: 10, perMs: 1_000, concurrent: 4 },
};

const MAX_RESULTS = 100;
/** No abstract is longer; positions beyond are mistakes. */
const MAX_ABSTRACT_WORDS = 5_000;

/** Works of all fields and languages, from OpenAlex; those with all words of the question, otherwise those with any. */
export function createOpenAlex({ fetch, apiKey, contactEmail }: SourceOptions): SearchSource {
  const client = createServiceClient(OPENALEX, fetch, (answer) => judge(answer, apiKey !== undefined), apiKey);
  return {
    id: "openalex",
    kind: "scholar",
    title: "OpenAlex",
    async search({ text, limit }, context) {
      const words = queryWords(text).flatMap(plainWords);
      return allThenAny(words, async (operator) => {
        const url = new URL("https://api.openalex.org/works");
        url.searchParams.set("search", words.join(operator === "AND" ? " " : " OR "));
        url.searchParams.set("per_page", String(Math.min(limit, MAX_RESULTS)));
        url.searchParams.set("select", WORK_FIELDS.join(","));
        if (contactEmail !== undefined) url.searchParams.set("mailto", contactEmail);
        if (apiKey !== undefined) url.searchParams.set("api_key", apiKey);
        const { results } = await client.json(WorksAnswerSchema, url, context);
        return firstHits(readItems("openalex", WorkSchema, results).flatMap(toHit), limit);
      });
    },
  };
}

/** The limit of a day is 429, too fast is 403: https://developers.openalex.org/api-reference/errors. */
function judge({ status, text }: Answer, hasKey: boolean): DossierError | null {
  if (![401, 403, 429].includes(status)) return null;
  const said = /"message"\s*:\s*"([^"]{1,200})/.exec(text)?.[1] ?? `it answered ${status}`;
  if (hasKey && status === 401) return new DossierError("blocked", `OpenAlex refused the key in OPENALEX_API_KEY: ${said}`);
  const advice = hasKey
    ? "The limit of the key in OPENALEX_API_KEY is used up, or requests came too fast."
    : "Without a key only a few searches a day are answered: set OPENALEX_API_KEY to a free one.";
  return new DossierError("rate_limited", `OpenAlex did not search: ${said} ${advice}`);
}

/** What the search takes for operators and wildcards separates words, and a word that is an operator is none. */
function plainWords(word: string): string[] {
  return word
    .split(/[^\p{L}\p{N}\p{M}'’-]+/u)
    .filter((part) => part !== "")
    .map((part) => (/^(?:AND|OR|NOT)$/.test(part) ? part.toLowerCase() : part));
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

/** The words of an inverted index back in their order. */
function abstractOf({ abstract_inverted_index: index }: Work): string {
  return Object.entries(index ?? {})
    .flatMap(([word, places]) => places.map((place) => ({ word, place })))
    .filter(({ place }) => place < MAX_ABSTRACT_WORDS)
    .sort((a, b) => a.place - b.place)
    .map(({ word }) => word)
    .join(" ");
}

const LocationSchema = z.object({
  landing_page_url: z.string().nullish(),
  pdf_url: z.string().nullish(),
  license: z.string().nullish(),
  source: z.object({ display_name: z.string().nullish() }).nullish(),
  raw_source_name: z.string().nullish(),
});

/** A work of OpenAlex, as far as it is used here. */
const WorkSchema = z.object({
  id: z.string(),
  doi: z.string().nullish(),
  ids: z.object({ pmid: z.string().nullish() }).nullish(),
  title: z.string().nullish(),
  publication_date: z.string().nullish(),
  publication_year: z.number().nullish(),
  primary_location: LocationSchema.nullish(),
  best_oa_location: LocationSchema.nullish(),
  open_access: z.object({ is_oa: z.boolean().nullish(), oa_url: z.string().nullish() }).nullish(),
  authorships: z
    .array(z.object({ raw_author_name: z.string().nullish(), author: z.object({ display_name: z.string().nullish() }).nullish() }))
    .nullish(),
  is_retracted: z.boolean().nullish(),
  /** The places of each word, from 0. */
  abstract_inverted_index: z.record(z.string(), z.array(z.number())).nullish(),
});
type Work = z.infer<typeof WorkSchema>;

/** What `select` has to name for `WorkSchema`. */
const WORK_FIELDS = Object.keys(WorkSchema.shape);

const WorksAnswerSchema = z.object({ results: z.array(z.unknown()) });
