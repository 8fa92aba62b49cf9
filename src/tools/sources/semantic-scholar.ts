import { z } from "zod";
import type { Hit } from "../../domain/hit.ts";
import type { Endpoint, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SourceOptions } from "../services/entry.ts";
import { doiUrl, firstHits, normalizeArxivId, normalizeDoi, publicationHits } from "../services/hits.ts";
import { queryWords } from "../services/query.ts";
import { readItems } from "../services/read-answer.ts";
import { type Answer, createServiceClient } from "../services/service-client.ts";

/**
 * A key may ask once a second; without one all callers of the world share a pool and are often refused at once:
 * https://www.semanticscholar.org/product/api.
 */
export const SEMANTIC_SCHOLAR: Endpoint = {
  id: "semantic_scholar",
  owner: "semantic_scholar",
  hosts: ["api.semanticscholar.org"],
  rate: { requests: 1, perMs: 1_000, concurrent: 1 },
};

const MAX_RESULTS = 100;

/**
 * Papers by relevance, from the Academic Graph API of Semantic Scholar (https://api.semanticscholar.org/api-docs/graph).
 * It does not say what was retracted, except in titles.
 */
export function createSemanticScholar({ fetch, apiKey }: SourceOptions): SearchSource {
  const client = createServiceClient(SEMANTIC_SCHOLAR, fetch, (answer) => judge(answer, apiKey !== undefined), apiKey);
  return {
    id: "semantic_scholar",
    kind: "scholar",
    title: "Semantic Scholar",
    async search({ text, limit }, context) {
      const url = new URL("https://api.semanticscholar.org/graph/v1/paper/search");
      // It knows no query syntax and finds nothing for a hyphen.
      url.searchParams.set(
        "query",
        queryWords(text)
          .join(" ")
          .replaceAll(/[-‐‑–]+/g, " "),
      );
      url.searchParams.set("limit", String(Math.min(limit, MAX_RESULTS)));
      url.searchParams.set("fields", PAPER_FIELDS.join(","));
      const headers = apiKey === undefined ? {} : { "x-api-key": apiKey };
      const { total, data } = await client.json(SearchAnswerSchema, url, context, { headers });
      if (!data && total !== 0) throw new DossierError("unreadable", "Semantic Scholar answered with neither papers nor a count of 0.");
      return firstHits(readItems("semantic_scholar", PaperSchema, data ?? []).flatMap(toHit), limit);
    },
  };
}

function judge({ status, text }: Answer, hasKey: boolean): DossierError | null {
  const said = /^\s*\{\s*"(?:message|error)"\s*:\s*"([^"]{1,200})/.exec(text)?.[1];
  if (status === 429 || /"code"\s*:\s*"429"/.test(text.slice(0, 1_000))) {
    const advice = hasKey
      ? "The key in SEMANTIC_SCHOLAR_API_KEY was used too often."
      : "Set SEMANTIC_SCHOLAR_API_KEY to be served reliably.";
    return new DossierError("rate_limited", `Semantic Scholar did not search: ${said ?? "too many requests"} ${advice}`);
  }
  if ((status === 401 || status === 403) && hasKey)
    return new DossierError("blocked", `Semantic Scholar refused the key in SEMANTIC_SCHOLAR_API_KEY: ${said ?? status}.`);
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

/** A paper of the Academic Graph, as far as it is used here. */
const PaperSchema = z.object({
  paperId: z.string(),
  title: z.string().nullish(),
  abstract: z.string().nullish(),
  authors: z.array(z.object({ name: z.string().nullish() })).nullish(),
  year: z.number().nullish(),
  publicationDate: z.string().nullish(),
  venue: z.string().nullish(),
  externalIds: z.object({ DOI: z.string().nullish(), ArXiv: z.string().nullish(), PubMed: z.string().nullish() }).nullish(),
  /** `url` is empty where no open copy is known. */
  openAccessPdf: z.object({ url: z.string().nullish(), license: z.string().nullish() }).nullish(),
});
type Paper = z.infer<typeof PaperSchema>;

/** What `fields` has to name for `PaperSchema`. */
const PAPER_FIELDS = Object.keys(PaperSchema.shape);

/** Without a hit there is no `data`. */
const SearchAnswerSchema = z.object({ total: z.number().nullish(), data: z.array(z.unknown()).nullish() });
