import { z } from "zod";
import { DossierError } from "../../errors.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { arxivAddress, doiAddress, type FoundWork } from "../shared/hits.ts";
import { queryWords, withoutQuotes } from "../shared/query.ts";
import { searchByLine } from "../shared/searches.ts";
import { readItems, withQuery } from "../shared/service-client.ts";

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
  statuses: {
    401: { hint: "Check SEMANTIC_SCHOLAR_API_KEY." },
    403: { hint: "Check SEMANTIC_SCHOLAR_API_KEY." },
    429: { hint: "A key in SEMANTIC_SCHOLAR_API_KEY is served reliably." },
  },
  create: createSemanticScholar,
};

function createSemanticScholar({ client, apiKey }: SourceOptions): SearchFunctions {
  // A query with a hyphen finds nothing.
  const lineOf = (text: string, written?: true): string =>
    withoutQuotes(queryWords(text, written))
      .join(" ")
      .replaceAll(/[-‐‑–]+/g, " ");
  return searchByLine(lineOf, async (query, { from, to, limit }, context) => {
    const url = withQuery("https://api.semanticscholar.org/graph/v1/paper/search", {
      query,
      publicationDateOrYear: from === undefined && to === undefined ? undefined : `${from ?? ""}:${to ?? ""}`,
      limit,
      fields: PAPER_FIELDS.join(","),
    });
    const headers = apiKey === undefined ? {} : { "x-api-key": apiKey };
    const { total, data } = await client.json(SearchAnswerSchema, url, context, { headers });
    if (!data && total !== 0) throw new DossierError("unreadable", "Semantic Scholar answered with neither papers nor a count of 0.");
    return readItems("semantic_scholar", PaperSchema, data ?? []).map(toWork);
  });
}

function toWork(paper: Paper): FoundWork {
  const { DOI: doi = null, ArXiv: arxivId = null, PubMed: pmid = null } = paper.externalIds ?? {};
  return {
    title: paper.title ?? "",
    url: doiAddress(doi) ?? arxivAddress(arxivId) ?? `https://www.semanticscholar.org/paper/${encodeURIComponent(paper.paperId)}`,
    publishedAt: paper.publicationDate ?? paper.year?.toString(),
    snippet: paper.abstract,
    authors: (paper.authors ?? []).map(({ name }) => name ?? ""),
    doi,
    arxivId,
    pmid,
    venue: paper.venue ?? null,
    licence: paper.openAccessPdf?.license ?? null,
    fullTextUrl: paper.openAccessPdf?.url ?? null,
  };
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
