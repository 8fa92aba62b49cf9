import { z } from "zod";
import type { Hit } from "../../domain/hit.ts";
import type { CallContext, Endpoint } from "../../domain/ports/http-fetch.ts";
import type { SearchSource } from "../../domain/ports/search-source.ts";
import { DossierError } from "../../errors.ts";
import { firstHits } from "../hits/first-hits.ts";
import { plainText } from "../hits/plain-text.ts";
import { allThenAny, englishWords } from "../query/query-words.ts";
import { parseXml, XmlText } from "../services/parse-xml.ts";
import { readItems } from "../services/read-items.ts";
import { type Answer, createServiceClient } from "../services/service-client.ts";
import type { SourceOptions } from "../services/source-entry.ts";
import { ArticleSchema, BookArticleSchema, readArticleSet } from "./article.ts";
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

const TOO_FAST = /API rate limit exceeded|too many requests/i;
const BAD_KEY = /API key (?:invalid|not valid)/i;
/** How far into an answer its own errors are looked for. */
const HEAD = 2_000;

/**
 * The errors of the E-utilities, which often have status 200: `{"error"}`, `{"esearchresult":{"ERROR"}}` and `<ERROR>`. The
 * answer itself is not repeated, because it names the caller's key or address.
 */
function judgeEntrez({ status, text }: Answer, hasKey: boolean): DossierError | null {
  const head = text.slice(0, HEAD);
  if (status === 429 || (TOO_FAST.test(head) && isError(head))) {
    const advice = hasKey ? "" : " Set PUBMED_API_KEY for 10 requests a second instead of 3.";
    return new DossierError("rate_limited", `PubMed did not search: too many requests.${advice}`);
  }
  if (BAD_KEY.test(head)) return new DossierError("blocked", "PubMed refused the key in PUBMED_API_KEY.");
  const said = /"ERROR"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(head)?.[1] ?? /<ERROR>([^<]+)<\/ERROR>/i.exec(head)?.[1];
  if (said === undefined) return null;
  const message = plainText(said).slice(0, 200);
  if (/cannot get document|ID list is empty|incorrect id|invalid uid/i.test(message))
    return new DossierError("not_found", `PubMed knows none of these records: ${message}.`);
  return new DossierError("unreachable", `PubMed could not search: ${message}.`);
}

function isError(head: string): boolean {
  return /^\s*\{\s*"error"/.test(head) || /<ERROR>/i.test(head);
}

/** `errorlist` names words that are not in the index, which is no failure. */
const JsonSchema = z.object({ esearchresult: z.object({ count: z.coerce.number(), idlist: z.array(z.string()) }) });
const XmlSchema = z.object({
  eSearchResult: z.object({
    Count: XmlText,
    IdList: z.union([z.literal("").transform(() => []), z.object({ Id: z.array(XmlText) }).transform(({ Id }) => Id)]),
  }),
});

/**
 * The ids that esearch found, best first. It is asked for JSON; what is served from an archive or by a proxy can be the XML
 * that it sends where nobody asks.
 * @throws DossierError `unreadable`
 */
function readIds(text: string): string[] {
  const { count, ids } = text.trimStart().startsWith("<") ? readXml(text) : readJson(text);
  if (ids.length === 0 && count > 0) throw new DossierError("unreadable", `pubmed counted ${count} records and named none.`);
  return ids;
}

function readXml(text: string): { count: number; ids: string[] } {
  const parsed = XmlSchema.safeParse(parseXml("pubmed", text, { lists: ["Id"], mixed: [] }));
  if (!parsed.success) throw new DossierError("unreadable", "pubmed answered with a page instead of a list of ids.");
  const { Count, IdList } = parsed.data.eSearchResult;
  return { count: Number(Count), ids: IdList };
}

function readJson(text: string): { count: number; ids: string[] } {
  const parsed = JsonSchema.safeParse(parse(text));
  if (!parsed.success) throw new DossierError("unreadable", "pubmed answered with something that is no list of ids.");
  const { count, idlist } = parsed.data.esearchresult;
  return { count, ids: idlist };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DossierError("unreadable", "pubmed answered with something that is not JSON.", { cause: error });
  }
}
