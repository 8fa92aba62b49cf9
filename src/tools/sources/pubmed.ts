import { z } from "zod";
import type { Hit } from "../../domain/hit.ts";
import type { CallContext, SearchQuery } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { type FoundWork, firstHits, isRetractedType, numberOfMonth, personName, publicationHits } from "../shared/hits.ts";
import { allThenAny, dayRange, englishWords } from "../shared/query.ts";
import { type Answer, createServiceClient, parseXml, readItems, readJson, withQuery, XmlText } from "../shared/service-client.ts";
import { plainText } from "../shared/text.ts";

/** NCBI's E-utilities need two requests: esearch finds ids, efetch returns the records. */
export const PUBMED: SourceEntry = {
  // This is the rate limit without a key: https://www.ncbi.nlm.nih.gov/books/NBK25497/.
  endpoint: { id: "pubmed", owner: "pubmed", hosts: ["eutils.ncbi.nlm.nih.gov"], rate: { requests: 3, perMs: 1_000, concurrent: 2 } },
  kind: "scholar",
  title: "PubMed",
  description: "medicine and life sciences, in English, with retractions",
  languages: ["en"],
  settings: { apiKey: { variable: "PUBMED_API_KEY" }, baseUrl: { variable: "PUBMED_BASE_URL" } },
  create: createPubmed,
};
const KEYED_RATE = { requests: 10, perMs: 1_000, concurrent: 4 };

const BASE = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/";
const MAX_RESULTS = 100;

type Parameters = Readonly<Record<string, string | number | undefined>>;

function createPubmed({ fetch, apiKey, contactEmail }: SourceOptions): SearchFunctions {
  const endpoint = apiKey === undefined ? PUBMED.endpoint : { ...PUBMED.endpoint, rate: KEYED_RATE };
  const client = createServiceClient(endpoint, fetch, (answer) => entrezError(answer, apiKey !== undefined), apiKey);
  const address = (utility: string, parameters: Parameters): URL =>
    withQuery(`${BASE}${utility}`, { db: "pubmed", ...parameters, tool: "dossier", email: contactEmail, api_key: apiKey });

  async function findIds(term: string, dates: Parameters, limit: number, context: CallContext): Promise<string[]> {
    const url = address("esearch.fcgi", { term, ...dates, retmode: "json", retmax: limit, sort: "relevance" });
    return readIds(await client.text(url, context));
  }

  async function fetchRecords(ids: readonly string[], context: CallContext): Promise<Hit[]> {
    const url = address("efetch.fcgi", { id: ids.join(","), retmode: "xml", rettype: "abstract" });
    const { articles, books } = readRecords(await client.text(url, context));
    if (articles.length + books.length === 0)
      throw new DossierError("unreadable", `pubmed found ${ids.length} records and sent none of them.`);
    const hits = [
      ...readItems("pubmed", ArticleSchema, articles).flatMap(articleHits),
      ...readItems("pubmed", BookArticleSchema, books).flatMap(bookHits),
    ];
    const ranks = new Map(ids.map((id, rank) => [id, rank]));
    const rankOf = ({ publication }: Hit): number => ranks.get(publication?.pmid ?? "") ?? ids.length;
    return hits.sort((a, b) => rankOf(a) - rankOf(b));
  }

  const termsOf = ({ text, written }: SearchQuery): string[] =>
    englishWords(text, written).map((word) => (/^(?:AND|OR|NOT)$/.test(word) ? word.toLowerCase() : word));
  return {
    wordsOf: (query) => termsOf(query).join(" "),
    async search(query, context) {
      const { limit } = query;
      const words = termsOf(query);
      const [mindate, maxdate] = dayRange(query)?.map((day) => day.replaceAll("-", "/")) ?? [];
      const dates = { datetype: mindate && "pdat", mindate, maxdate };
      const count = Math.min(limit, MAX_RESULTS);
      const ids = await allThenAny(words, (operator) => findIds(words.join(` ${operator} `), dates, count, context));
      const hits = ids.length === 0 ? [] : firstHits(await fetchRecords(ids, context), limit);
      return { hits, gaps: null, sent: words.join(" ") };
    },
  };
}

const TOO_FAST = /API rate limit exceeded|too many requests/i;
const BAD_KEY = /API key (?:invalid|not valid)/i;
const HEAD = 2_000;

/** Errors often have status 200. Messages that contain the key or the IP address are not quoted. */
function entrezError({ status, text }: Answer, hasKey: boolean): DossierError | null {
  const head = text.slice(0, HEAD);
  const isError = /^\s*\{\s*"error"/.test(head) || /<ERROR>/i.test(head);
  if (status === 429 || (isError && TOO_FAST.test(head))) {
    const advice = hasKey ? "" : " Set PUBMED_API_KEY for 10 requests a second instead of 3.";
    return new DossierError("rate_limited", `PubMed did not search: too many requests.${advice}`);
  }
  if (BAD_KEY.test(head)) return new DossierError("blocked", "PubMed refused the key in PUBMED_API_KEY.");
  const fault = /"ERROR"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(head)?.[1] ?? /<ERROR>([^<]+)<\/ERROR>/i.exec(head)?.[1];
  if (fault === undefined) return null;
  const message = plainText(fault).slice(0, 200);
  if (/cannot get document|ID list is empty|incorrect id|invalid uid/i.test(message))
    return new DossierError("not_found", `PubMed knows none of these records: ${message}.`);
  return new DossierError("unreachable", `PubMed could not search: ${message}.`);
}

const JsonIdsSchema = z
  .object({ esearchresult: z.object({ count: z.coerce.number(), idlist: z.array(z.string()) }) })
  .transform(({ esearchresult: { count, idlist } }) => ({ count, ids: idlist }));
const XmlIdListSchema = z.union([z.literal("").transform(() => []), z.object({ Id: z.array(XmlText) }).transform(({ Id }) => Id)]);
const XmlIdsSchema = z
  .object({ eSearchResult: z.object({ Count: XmlText, IdList: XmlIdListSchema }) })
  .transform(({ eSearchResult: { Count, IdList } }) => ({ count: Number(Count), ids: IdList }));

/** Returns the best id first. Archives and proxies may send XML instead of JSON. */
function readIds(text: string): string[] {
  const parsed = text.trimStart().startsWith("<")
    ? XmlIdsSchema.safeParse(parseXml("pubmed", text, { lists: ["Id"], mixed: [] }))
    : JsonIdsSchema.safeParse(readJson("pubmed", text));
  if (!parsed.success) throw new DossierError("unreadable", "pubmed answered with something that is not a list of ids.");
  const { count, ids } = parsed.data;
  if (ids.length === 0 && count > 0) throw new DossierError("unreadable", `pubmed counted ${count} records and named none.`);
  return ids;
}

const LISTS =
  "PubmedArticle PubmedBookArticle Author AuthorList AbstractText ArticleId PublicationType CommentsCorrections ArticleDate".split(" ");
const MIXED = "ArticleTitle VernacularTitle BookTitle AbstractText CollectiveName".split(" ");

const text = XmlText.nullish();
const attribute = z.string().nullish();

const PartialDateSchema = z.object({ Year: text, Month: text, Day: text, MedlineDate: text });

const NamesSchema = z.object({ LastName: text, ForeName: text, Initials: text, Suffix: text, CollectiveName: text });
const AuthorSchema = NamesSchema.extend({ "@ValidYN": attribute });

/** The parser returns an empty element as an empty string. */
const orNothing = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === "" ? null : value), schema.nullish());

const AuthorListsSchema = orNothing(z.array(orNothing(z.object({ "@Type": attribute, Author: z.array(AuthorSchema).nullish() }))));
const AbstractPartSchema = z.union([z.string(), z.object({ "#text": z.string().default(""), "@Label": attribute })]);
const AbstractSchema = orNothing(z.object({ AbstractText: z.array(AbstractPartSchema).nullish() }));
const IdListSchema = orNothing(z.object({ ArticleId: z.array(z.object({ "#text": z.string(), "@IdType": z.string() })).nullish() }));

const ArticleSchema = z.object({
  MedlineCitation: z.object({
    PMID: XmlText,
    Article: z.object({
      ArticleTitle: text,
      VernacularTitle: text,
      Journal: z.object({ Title: text, JournalIssue: z.object({ PubDate: orNothing(PartialDateSchema) }).nullish() }).nullish(),
      ArticleDate: z.array(PartialDateSchema).nullish(),
      Abstract: AbstractSchema,
      AuthorList: AuthorListsSchema,
      PublicationTypeList: orNothing(z.object({ PublicationType: z.array(XmlText).nullish() })),
    }),
    CommentsCorrectionsList: orNothing(z.object({ CommentsCorrections: z.array(z.object({ "@RefType": attribute })).nullish() })),
  }),
  PubmedData: orNothing(z.object({ ArticleIdList: IdListSchema })),
});

const BookArticleSchema = z.object({
  BookDocument: z.object({
    PMID: XmlText,
    ArticleTitle: text,
    Book: z.object({
      BookTitle: text,
      PubDate: orNothing(PartialDateSchema),
      Publisher: z.object({ PublisherName: text }).nullish(),
      AuthorList: AuthorListsSchema,
    }),
    ContributionDate: orNothing(PartialDateSchema),
    Abstract: AbstractSchema,
    AuthorList: AuthorListsSchema,
    ArticleIdList: IdListSchema,
  }),
});

const RecordsSchema = z.object({
  PubmedArticleSet: z.preprocess(
    (value) => (value === "" ? {} : value),
    z.object({ PubmedArticle: z.array(z.unknown()).nullish(), PubmedBookArticle: z.array(z.unknown()).nullish() }),
  ),
});

function readRecords(text: string): { articles: readonly unknown[]; books: readonly unknown[] } {
  const parsed = RecordsSchema.safeParse(parseXml("pubmed", text, { lists: LISTS, mixed: MIXED }));
  if (!parsed.success) throw new DossierError("unreadable", "pubmed answered with something that is not a set of articles.");
  const { PubmedArticle, PubmedBookArticle } = parsed.data.PubmedArticleSet;
  return { articles: PubmedArticle ?? [], books: PubmedBookArticle ?? [] };
}

function articleHits({ MedlineCitation: citation, PubmedData }: z.infer<typeof ArticleSchema>): Hit[] {
  const { Article: article, CommentsCorrectionsList } = citation;
  const types = article.PublicationTypeList?.PublicationType ?? [];
  const remarks = CommentsCorrectionsList?.CommentsCorrections ?? [];
  return recordHits(citation.PMID, PubmedData?.ArticleIdList, {
    title: titleOf(article.ArticleTitle, article.VernacularTitle),
    // The online version comes first, because an issue can be dated by its season.
    publishedAt: dateOf(article.ArticleDate?.[0]) ?? dateOf(article.Journal?.JournalIssue?.PubDate),
    snippet: abstractOf(article.Abstract),
    authors: authorsOf(article.AuthorList),
    venue: article.Journal?.Title ?? null,
    retracted: types.some(isRetractedType) || remarks.some((remark) => remark["@RefType"] === "RetractionIn"),
  });
}

function bookHits({ BookDocument: chapter }: z.infer<typeof BookArticleSchema>): Hit[] {
  const { Book: book } = chapter;
  return recordHits(chapter.PMID, chapter.ArticleIdList, {
    title: titleOf(chapter.ArticleTitle, book.BookTitle),
    publishedAt: dateOf(chapter.ContributionDate) ?? dateOf(book.PubDate),
    snippet: abstractOf(chapter.Abstract),
    authors: authorsOf(chapter.AuthorList ?? book.AuthorList),
    venue: plainText(book.BookTitle ?? book.Publisher?.PublisherName ?? "") || null,
  });
}

function recordHits(
  pmid: string,
  ids: z.infer<typeof IdListSchema>,
  work: Omit<FoundWork, "kind" | "foundBy" | "url" | "doi" | "pmid" | "fullTextUrl">,
): Hit[] {
  const idOf = (type: string): string | null => ids?.ArticleId?.find((id) => id["@IdType"] === type)?.["#text"].trim() ?? null;
  const pmc = /^PMC\d+$/.exec(idOf("pmc") ?? "")?.[0];
  return publicationHits({
    kind: "scholar",
    foundBy: "pubmed",
    url: `https://pubmed.ncbi.nlm.nih.gov/${encodeURIComponent(pmid.trim())}/`,
    doi: idOf("doi"),
    pmid,
    fullTextUrl: pmc === undefined ? null : `https://pmc.ncbi.nlm.nih.gov/articles/${pmc}/`,
    ...work,
  });
}

const NO_TITLE = /^\[?\s*not available\s*\]?\.?$/i;

/** Removes the final full stop, and the brackets that mark a translated title. */
function titleOf(title: string | null | undefined, other: string | null | undefined): string {
  const own = plainText(title ?? "");
  const chosen = own === "" || NO_TITLE.test(own) ? plainText(other ?? "") : own;
  return chosen.replace(/^\[(.*)\]\.?$/, "$1").replace(/(?<!\.)\.$/, "");
}

function abstractOf(abstract: z.infer<typeof AbstractSchema>): string {
  return (abstract?.AbstractText ?? [])
    .map((part) => (typeof part === "string" ? part : part["@Label"] ? `${part["@Label"]}: ${part["#text"]}` : part["#text"]))
    .join(" ");
}

/** Leaves out editors, and names that PubMed marks as misspelled. */
function authorsOf(lists: z.infer<typeof AuthorListsSchema>): string[] {
  return (lists ?? [])
    .filter((list) => list?.["@Type"] !== "editors")
    .flatMap((list) => list?.Author ?? [])
    .filter((author) => author["@ValidYN"] !== "N")
    .map(
      ({ CollectiveName, ForeName, Initials, LastName, Suffix }) => CollectiveName ?? personName(ForeName ?? Initials, LastName, Suffix),
    );
}

function dateOf(date: z.infer<typeof PartialDateSchema> | null | undefined): string | null {
  const [, spanYear, spanMonth] = /(\d{4})(?:\s+([A-Za-z]{3}))?/.exec(date?.MedlineDate ?? "") ?? [];
  const year = date?.Year?.trim() ?? spanYear;
  const month = numberOfMonth(date?.Month ?? spanMonth);
  const day = date?.Day?.trim();
  if (year === undefined) return null;
  if (month === null) return year;
  return day === undefined ? `${year}-${month}` : `${year}-${month}-${day.padStart(2, "0")}`;
}
