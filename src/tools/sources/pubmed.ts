import { z } from "zod";
import { DossierError } from "../../errors.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { type FoundWork, isRetractedType, numberOfMonth, personName } from "../shared/hits.ts";
import { dayRange, englishWords } from "../shared/query.ts";
import { searchByWords } from "../shared/searches.ts";
import { type Answer, parseXml, readItems, readJson, withQuery, XmlText } from "../shared/service-client.ts";
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
  fasterRate: { needs: "apiKey", rate: { requests: 10, perMs: 1_000, concurrent: 4 } },
  statuses: { 429: { hint: "PUBMED_API_KEY allows 10 requests a second instead of 3." } },
  refusal: entrezError,
  create: createPubmed,
};

const BASE = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/";

function createPubmed({ client, apiKey, contactEmail }: SourceOptions): SearchFunctions {
  const address = (utility: string, parameters: Readonly<Record<string, string | number | undefined>>): URL =>
    withQuery(`${BASE}${utility}`, { db: "pubmed", ...parameters, tool: "dossier", email: contactEmail, api_key: apiKey });
  const wordsOf = (text: string, written?: true): string[] =>
    englishWords(text, written).map((word) => (/^(?:AND|OR|NOT)$/.test(word) ? word.toLowerCase() : word));
  return searchByWords(wordsOf, async (words, operator, query, context) => {
    const [mindate, maxdate] = dayRange(query)?.map((day) => day.replaceAll("-", "/")) ?? [];
    const search = address("esearch.fcgi", {
      term: words.join(` ${operator} `),
      datetype: mindate && "pdat",
      mindate,
      maxdate,
      retmode: "json",
      retmax: query.limit,
      sort: "relevance",
    });
    const ids = readIds(await client.text(search, context));
    if (ids.length === 0) return [];
    const fetch = address("efetch.fcgi", { id: ids.join(","), retmode: "xml", rettype: "abstract" });
    const works = readArticles(await client.text(fetch, context));
    return works.sort((a, b) => ids.indexOf(a.pmid) - ids.indexOf(b.pmid));
  });
}

const HEAD = 2_000;

/** Errors often have status 200. Messages that contain the key or the IP address are not quoted. */
function entrezError({ text }: Answer): DossierError | null {
  const head = text.slice(0, HEAD);
  if (/API rate limit exceeded/i.test(head)) return new DossierError("rate_limited", "PubMed did not search: too many requests.");
  if (/API key (?:invalid|not valid)/i.test(head)) return new DossierError("blocked", "PubMed refused the key in PUBMED_API_KEY.");
  const fault = /"ERROR"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(head)?.[1] ?? /<ERROR>([^<]+)<\/ERROR>/i.exec(head)?.[1];
  return fault === undefined ? null : new DossierError("unreachable", `PubMed could not search: ${plainText(fault).slice(0, 200)}.`);
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

const AuthorListSchema = z.array(orNothing(z.object({ "@Type": attribute, Author: z.array(AuthorSchema).nullish() }))).nullish();
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
      AuthorList: AuthorListSchema,
      PublicationTypeList: orNothing(z.object({ PublicationType: z.array(XmlText).nullish() })),
    }),
    CommentsCorrectionsList: orNothing(z.object({ CommentsCorrections: z.array(z.object({ "@RefType": attribute })).nullish() })),
  }),
  PubmedData: orNothing(z.object({ ArticleIdList: IdListSchema })),
});

/** A chapter of a book, such as those of StatPearls. */
const ChapterSchema = z.object({
  BookDocument: z.object({
    PMID: XmlText,
    ArticleTitle: text,
    Book: z.object({ BookTitle: text, PubDate: orNothing(PartialDateSchema), AuthorList: AuthorListSchema }),
    ContributionDate: orNothing(PartialDateSchema),
    Abstract: AbstractSchema,
    AuthorList: AuthorListSchema,
    ArticleIdList: IdListSchema,
  }),
});

const Records = z.array(z.unknown()).default([]);
const RecordsSchema = z.object({ PubmedArticleSet: orNothing(z.object({ PubmedArticle: Records, PubmedBookArticle: Records })) });

/** @throws DossierError `unreadable`, also if there is no record */
function readArticles(text: string): (FoundWork & { readonly pmid: string })[] {
  const parsed = RecordsSchema.safeParse(parseXml("pubmed", text, { lists: LISTS, mixed: MIXED }));
  if (!parsed.success) throw new DossierError("unreadable", "pubmed answered with something that is not a set of articles.");
  const { PubmedArticle: articles = [], PubmedBookArticle: chapters = [] } = parsed.data.PubmedArticleSet ?? {};
  if (articles.length + chapters.length === 0) throw new DossierError("unreadable", "pubmed found articles and sent none of them.");
  return [...readItems("pubmed", ArticleSchema, articles).map(toWork), ...readItems("pubmed", ChapterSchema, chapters).map(chapterToWork)];
}

function toWork({ MedlineCitation: citation, PubmedData }: z.infer<typeof ArticleSchema>) {
  const { Article: article, CommentsCorrectionsList } = citation;
  const types = article.PublicationTypeList?.PublicationType ?? [];
  const remarks = CommentsCorrectionsList?.CommentsCorrections ?? [];
  return {
    ...identified(citation.PMID, PubmedData?.ArticleIdList),
    title: titleOf(article.ArticleTitle, article.VernacularTitle),
    // The online version comes first, because an issue can be dated by its season.
    publishedAt: dateOf(article.ArticleDate?.[0]) ?? dateOf(article.Journal?.JournalIssue?.PubDate),
    snippet: abstractOf(article.Abstract),
    authors: authorsOf(article.AuthorList),
    venue: article.Journal?.Title ?? null,
    retracted: types.some(isRetractedType) || remarks.some((remark) => remark["@RefType"] === "RetractionIn"),
  };
}

function chapterToWork({ BookDocument: { Book: book, ...chapter } }: z.infer<typeof ChapterSchema>) {
  return {
    ...identified(chapter.PMID, chapter.ArticleIdList),
    title: titleOf(chapter.ArticleTitle, book.BookTitle),
    publishedAt: dateOf(chapter.ContributionDate) ?? dateOf(book.PubDate),
    snippet: abstractOf(chapter.Abstract),
    authors: authorsOf(chapter.AuthorList ?? book.AuthorList),
    venue: plainText(book.BookTitle ?? "") || null,
  };
}

function identified(id: string, ids: z.infer<typeof IdListSchema>) {
  const idOf = (type: string) => ids?.ArticleId?.find((one) => one["@IdType"] === type)?.["#text"].trim();
  const pmid = id.trim();
  const pmc = /^PMC\d+$/.exec(idOf("pmc") ?? "")?.[0];
  return {
    url: `https://pubmed.ncbi.nlm.nih.gov/${encodeURIComponent(pmid)}/`,
    doi: idOf("doi") ?? null,
    pmid,
    fullTextUrl: pmc === undefined ? null : `https://pmc.ncbi.nlm.nih.gov/articles/${pmc}/`,
  };
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
function authorsOf(lists: z.infer<typeof AuthorListSchema>): string[] {
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
