import type { Hit } from "../../domain/hit.ts";
import type { CallContext, Endpoint } from "../../domain/ports/http-fetch.ts";
import type { SearchSource } from "../../domain/ports/search-source.ts";
import { DossierError } from "../../errors.ts";
import { firstHits } from "../hits/first-hits.ts";
import { allThenAny, englishWords } from "../query/query-words.ts";
import { readItems } from "../services/read-items.ts";
import { createServiceClient } from "../services/service-client.ts";
import type { SourceOptions } from "../services/source-entry.ts";
import { ArticleSchema, BookArticleSchema, readArticleSet } from "./article.ts";
import { judgeEntrez } from "./judge.ts";
import { readIds } from "./search-answer.ts";
import { articleHits, bookHits } from "./to-hit.ts";

/** Three requests a second, ten with a key: https://www.ncbi.nlm.nih.gov/books/NBK25497/. */
export const PUBMED: Endpoint = {
  id: "pubmed",
  owner: "pubmed",
  hosts: ["eutils.ncbi.nlm.nih.gov"],
  rate: { requests: 3, perMs: 1_000, concurrent: 2 },
};
const KEYED_RATE = { requests: 10, perMs: 1_000, concurrent: 4 };

const BASE = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/";
const MAX_RESULTS = 100;

/**
 * Literature of medicine and the life sciences, from PubMed's E-utilities: esearch for the ids, efetch for the records
 * with their abstracts. Records with all words of the question, otherwise those with any. The index is English; a question
 * without a Latin word is asked as it is.
 */
export function createPubmed({ fetch, apiKey, contactEmail }: SourceOptions): SearchSource {
  const endpoint = apiKey === undefined ? PUBMED : { ...PUBMED, rate: KEYED_RATE };
  const client = createServiceClient(endpoint, fetch, (answer) => judgeEntrez(answer, apiKey !== undefined), apiKey);
  const caller = {
    tool: "dossier",
    ...(contactEmail !== undefined && { email: contactEmail }),
    ...(apiKey !== undefined && { api_key: apiKey }),
  };
  const address = (utility: string, parameters: Readonly<Record<string, string>>): string =>
    `${BASE}${utility}?${new URLSearchParams({ db: "pubmed", ...parameters, ...caller })}`;

  async function findIds(term: string, limit: number, context: CallContext): Promise<string[]> {
    const url = address("esearch.fcgi", { term, retmode: "json", retmax: String(limit), sort: "relevance" });
    return readIds(await client.text(url, context));
  }

  async function fetchRecords(ids: readonly string[], context: CallContext): Promise<Hit[]> {
    const url = address("efetch.fcgi", { id: ids.join(","), retmode: "xml", rettype: "abstract" });
    const { articles, books } = readArticleSet(await client.text(url, context));
    if (articles.length + books.length === 0)
      throw new DossierError("unreadable", `pubmed found ${ids.length} records and sent none of them.`);
    const hits = [
      ...readItems("pubmed", ArticleSchema, articles).flatMap(articleHits),
      ...readItems("pubmed", BookArticleSchema, books).flatMap(bookHits),
    ];
    const places = new Map(ids.map((id, place) => [id, place]));
    const placeOf = ({ publication }: Hit): number => places.get(publication?.pmid ?? "") ?? ids.length;
    return hits.sort((a, b) => placeOf(a) - placeOf(b));
  }

  return {
    id: "pubmed",
    kind: "scholar",
    title: "PubMed",
    async search({ text, limit }, context) {
      const words = englishWords(text).map((word) => (/^(?:AND|OR|NOT)$/.test(word) ? word.toLowerCase() : word));
      const ids = await allThenAny(words, (operator) => findIds(words.join(` ${operator} `), Math.min(limit, MAX_RESULTS), context));
      return ids.length === 0 ? [] : firstHits(await fetchRecords(ids, context), limit);
    },
  };
}
