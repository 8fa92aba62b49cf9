import { z } from "zod";
import type { Hit } from "../../domain/hit.ts";
import { DossierError } from "../../errors.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { doiUrl, firstHits, normalizeArxivId, normalizeDoi, publicationHits } from "../shared/hits.ts";
import { queryWords, withoutQuotes } from "../shared/query.ts";
import { searchByLine } from "../shared/searches.ts";
import { type Answer, createServiceClient, readItems, withQuery } from "../shared/service-client.ts";

/** Searches the Academic Graph API: https://api.semanticscholar.org/api-docs/graph. */
export const SEMANTIC_SCHOLAR: SourceEntry = {
  endpoint: {
    id: "semantic_scholar",
    owner: "semantic_scholar",
    hosts: ["api.semanticscholar.org"],
    // The limit of a key. Requests without a key share a limit and are often refused: https://www.semanticscholar.org/product/api.
    rate: { requests: 1, perMs: 1_000, concurrent: 1 },
  },
  kind: "scholar",
  title: "Semantic Scholar",
  description: "papers, with open copies",
  settings: { apiKey: { variable: "SEMANTIC_SCHOLAR_API_KEY" }, baseUrl: { variable: "SEMANTIC_SCHOLAR_BASE_URL" } },
  create: createSemanticScholar,
};

const MAX_RESULTS = 100;

function createSemanticScholar({ fetch, apiKey }: SourceOptions): SearchFunctions {
  const client = createServiceClient(SEMANTIC_SCHOLAR.endpoint, fetch, (answer) => limitError(answer, apiKey !== undefined), apiKey);
  // A query with a hyphen finds nothing.
  const lineOf = (text: string, written?: true): string =>
    withoutQuotes(queryWords(text, written))
      .join(" ")
      .replaceAll(/[-‐‑–]+/g, " ");
  return searchByLine(lineOf, async (query, { from, to, limit }, context) => {
    const url = withQuery("https://api.semanticscholar.org/graph/v1/paper/search", {
      query,
      publicationDateOrYear: from === undefined && to === undefined ? undefined : `${from ?? ""}:${to ?? ""}`,
      limit: Math.min(limit, MAX_RESULTS),
      fields: PAPER_FIELDS.join(","),
    });
    const headers = apiKey === undefined ? {} : { "x-api-key": apiKey };
    const { total, data } = await client.json(SearchAnswerSchema, url, context, { headers });
    if (!data && total !== 0) throw new DossierError("unreadable", "Semantic Scholar answered with neither papers nor a count of 0.");
    return firstHits(readItems("semantic_scholar", PaperSchema, data ?? []).flatMap(toHit), limit);
  });
}

function limitError({ status, text }: Answer, hasKey: boolean): DossierError | null {
  const message = /^\s*\{\s*"(?:message|error)"\s*:\s*"([^"]{1,200})/.exec(text)?.[1];
  if (status === 429 || /"code"\s*:\s*"429"/.test(text.slice(0, 1_000))) {
    const advice = hasKey
      ? "The key in SEMANTIC_SCHOLAR_API_KEY was used too often."
      : "Set SEMANTIC_SCHOLAR_API_KEY to be served reliably.";
    return new DossierError("rate_limited", `Semantic Scholar did not search: ${message ?? "too many requests"} ${advice}`);
  }
  if ((status === 401 || status === 403) && hasKey)
    return new DossierError("blocked", `Semantic Scholar refused the key in SEMANTIC_SCHOLAR_API_KEY: ${message ?? status}.`);
  return null;
}

function toHit(paper: Paper): Hit[] {
  if (!paper.title) return [];
  const doi = normalizeDoi(paper.externalIds?.DOI);
  const arxivId = normalizeArxivId(paper.externalIds?.ArXiv);
  const page =
    arxivId === null ? `https://www.semanticscholar.org/paper/${encodeURIComponent(paper.paperId)}` : `https://arxiv.org/abs/${arxivId}`;
  return publicationHits({
    kind: "scholar",
    foundBy: "semantic_scholar",
    title: paper.title,
    url: doi === null ? page : doiUrl(doi),
    publishedAt: paper.publicationDate ?? paper.year?.toString() ?? null,
    snippet: paper.abstract ?? "",
    authors: (paper.authors ?? []).map(({ name }) => name ?? ""),
    doi,
    arxivId,
    pmid: paper.externalIds?.PubMed ?? null,
    venue: paper.venue ?? null,
    licence: paper.openAccessPdf?.license ?? null,
    fullTextUrl: paper.openAccessPdf?.url ?? null,
  });
}

const PaperSchema = z.object({
  paperId: z.string(),
  title: z.string().nullish(),
  abstract: z.string().nullish(),
  authors: z.array(z.object({ name: z.string().nullish() })).nullish(),
  year: z.number().nullish(),
  publicationDate: z.string().nullish(),
  venue: z.string().nullish(),
  externalIds: z.object({ DOI: z.string().nullish(), ArXiv: z.string().nullish(), PubMed: z.string().nullish() }).nullish(),
  openAccessPdf: z.object({ url: z.string().nullish(), license: z.string().nullish() }).nullish(),
});
type Paper = z.infer<typeof PaperSchema>;

const PAPER_FIELDS = Object.keys(PaperSchema.shape);

const SearchAnswerSchema = z.object({ total: z.number().nullish(), data: z.array(z.unknown()).nullish() });
