import { z } from "zod";
import type { Hit } from "../../domain/hit.ts";
import type { CallContext, Endpoint, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SourceOptions } from "../services/entry.ts";
import { type FoundWork, firstHits, isRetractedType, personName, publicationHits } from "../services/hits.ts";
import { allThenAny, englishWords } from "../services/query.ts";
import { parseXml, readItems, XmlText } from "../services/read-answer.ts";
import { type Answer, createServiceClient } from "../services/service-client.ts";
import { plainText } from "../services/text.ts";

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

const LISTS = [
  "PubmedArticle",
  "PubmedBookArticle",
  "Author",
  "AuthorList",
  "AbstractText",
  "ArticleId",
  "PublicationType",
  "CommentsCorrections",
  "ArticleDate",
];
/** Elements with `<i>` and `<sub>` inside; they are read by `plainText`. */
const MIXED = ["ArticleTitle", "VernacularTitle", "BookTitle", "AbstractText", "CollectiveName"];

/** Of `PubDate`, `ArticleDate`, `ContributionDate`: numbers or names of months, or `MedlineDate` such as `1998 Dec-1999 Jan`. */
const PartialDateSchema = z.object({
  Year: XmlText.nullish(),
  Month: XmlText.nullish(),
  Day: XmlText.nullish(),
  MedlineDate: XmlText.nullish(),
});
type PartialDate = z.infer<typeof PartialDateSchema>;

const AuthorSchema = z.object({
  "@ValidYN": z.string().nullish(),
  LastName: XmlText.nullish(),
  ForeName: XmlText.nullish(),
  Initials: XmlText.nullish(),
  Suffix: XmlText.nullish(),
  CollectiveName: XmlText.nullish(),
});
type Author = z.infer<typeof AuthorSchema>;

/** An empty element is an empty string. */
const orNothing = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === "" ? null : value), schema.nullish());

const AuthorListsSchema = orNothing(
  z.array(orNothing(z.object({ "@Type": z.string().nullish(), Author: z.array(AuthorSchema).nullish() }))),
);
const AbstractSchema = orNothing(
  z.object({
    AbstractText: z.array(z.union([z.string(), z.object({ "#text": z.string().default(""), "@Label": z.string().nullish() })])).nullish(),
  }),
);
const IdListSchema = orNothing(z.object({ ArticleId: z.array(z.object({ "#text": z.string(), "@IdType": z.string() })).nullish() }));
const TypesSchema = z.array(XmlText).nullish();

/** A `PubmedArticle` of efetch, as far as it is used here. */
const ArticleSchema = z.object({
  MedlineCitation: z.object({
    PMID: XmlText,
    Article: z.object({
      ArticleTitle: XmlText.nullish(),
      VernacularTitle: XmlText.nullish(),
      Journal: z
        .object({
          Title: XmlText.nullish(),
          JournalIssue: z.object({ PubDate: orNothing(PartialDateSchema) }).nullish(),
        })
        .nullish(),
      ArticleDate: z.array(PartialDateSchema).nullish(),
      Abstract: AbstractSchema,
      AuthorList: AuthorListsSchema,
      PublicationTypeList: orNothing(z.object({ PublicationType: TypesSchema })),
    }),
    CommentsCorrectionsList: orNothing(
      z.object({ CommentsCorrections: z.array(z.object({ "@RefType": z.string().nullish() })).nullish() }),
    ),
  }),
  PubmedData: orNothing(z.object({ ArticleIdList: IdListSchema })),
});
type Article = z.infer<typeof ArticleSchema>;

/** A chapter of the NCBI Bookshelf, which efetch mixes with the articles. */
const BookArticleSchema = z.object({
  BookDocument: z.object({
    PMID: XmlText,
    ArticleTitle: XmlText.nullish(),
    Book: z.object({
      BookTitle: XmlText.nullish(),
      PubDate: orNothing(PartialDateSchema),
      Publisher: z.object({ PublisherName: XmlText.nullish() }).nullish(),
      AuthorList: AuthorListsSchema,
    }),
    ContributionDate: orNothing(PartialDateSchema),
    Abstract: AbstractSchema,
    AuthorList: AuthorListsSchema,
    ArticleIdList: IdListSchema,
  }),
});
type BookArticle = z.infer<typeof BookArticleSchema>;

const SetSchema = z.object({
  PubmedArticleSet: z.preprocess(
    (value) => (value === "" ? {} : value),
    z.object({ PubmedArticle: z.array(z.unknown()).nullish(), PubmedBookArticle: z.array(z.unknown()).nullish() }),
  ),
});

/** What efetch sent, still to be read one by one. @throws DossierError `unreadable` */
function readArticleSet(text: string): { articles: readonly unknown[]; books: readonly unknown[] } {
  const parsed = SetSchema.safeParse(parseXml("pubmed", text, { lists: LISTS, mixed: MIXED }));
  if (!parsed.success) throw new DossierError("unreadable", "pubmed answered with something that is no set of articles.");
  const { PubmedArticle, PubmedBookArticle } = parsed.data.PubmedArticleSet;
  return { articles: PubmedArticle ?? [], books: PubmedBookArticle ?? [] };
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const NO_TITLE = /^\[?\s*not available\s*\]?\.?$/i;

type Found = Pick<FoundWork, "title" | "publishedAt" | "snippet" | "authors" | "venue"> & Pick<Partial<FoundWork>, "retracted">;
type IdList = NonNullable<Article["PubmedData"]>["ArticleIdList"];
type AuthorLists = Article["MedlineCitation"]["Article"]["AuthorList"];
type Abstract = Article["MedlineCitation"]["Article"]["Abstract"];

function articleHits({ MedlineCitation: citation, PubmedData }: Article): Hit[] {
  const { Article: article, CommentsCorrectionsList } = citation;
  const types = article.PublicationTypeList?.PublicationType ?? [];
  const remarks = CommentsCorrectionsList?.CommentsCorrections ?? [];
  const found = {
    title: titleOf(article.ArticleTitle, article.VernacularTitle),
    // What appeared online first is dated by that; the date of an issue can be a season.
    publishedAt: dateOf(article.ArticleDate?.[0]) ?? dateOf(article.Journal?.JournalIssue?.PubDate),
    snippet: abstractOf(article.Abstract),
    authors: authorsOf(article.AuthorList),
    venue: article.Journal?.Title ?? null,
    retracted: types.some(isRetractedType) || remarks.some((remark) => remark["@RefType"] === "RetractionIn"),
  };
  return hitsOf(citation.PMID, PubmedData?.ArticleIdList, found);
}

function bookHits({ BookDocument: chapter }: BookArticle): Hit[] {
  const { Book: book } = chapter;
  const found = {
    title: titleOf(chapter.ArticleTitle, book.BookTitle),
    publishedAt: dateOf(chapter.ContributionDate) ?? dateOf(book.PubDate),
    snippet: abstractOf(chapter.Abstract),
    authors: authorsOf(chapter.AuthorList ?? book.AuthorList),
    venue: plainText(book.BookTitle ?? book.Publisher?.PublisherName ?? "") || null,
  };
  return hitsOf(chapter.PMID, chapter.ArticleIdList, found);
}

function hitsOf(pmid: string, ids: IdList, found: Found): Hit[] {
  const idOf = (type: string): string | null => ids?.ArticleId?.find((id) => id["@IdType"] === type)?.["#text"].trim() ?? null;
  const pmc = /^PMC\d+$/.exec(idOf("pmc") ?? "")?.[0];
  return publicationHits({
    kind: "scholar",
    foundBy: "pubmed",
    url: `https://pubmed.ncbi.nlm.nih.gov/${encodeURIComponent(pmid.trim())}/`,
    doi: idOf("doi"),
    pmid,
    fullTextUrl: pmc === undefined ? null : `https://pmc.ncbi.nlm.nih.gov/articles/${pmc}/`,
    ...found,
  });
}

/** Titles end with a full stop here, and translated ones stand in brackets. */
function titleOf(title: string | null | undefined, other: string | null | undefined): string {
  const own = plainText(title ?? "");
  const chosen = own === "" || NO_TITLE.test(own) ? plainText(other ?? "") : own;
  return chosen.replace(/^\[(.*)\]\.?$/, "$1").replace(/(?<!\.)\.$/, "");
}

/** The parts of a structured abstract, each with its heading. */
function abstractOf(abstract: Abstract): string {
  return (abstract?.AbstractText ?? [])
    .map((part) => (typeof part === "string" ? part : part["@Label"] ? `${part["@Label"]}: ${part["#text"]}` : part["#text"]))
    .join(" ");
}

/** Lists of editors stand beside those of authors in books; names that were spelt wrongly first are kept as invalid. */
function authorsOf(lists: AuthorLists): string[] {
  return (lists ?? [])
    .filter((list) => list?.["@Type"] !== "editors")
    .flatMap((list) => list?.Author ?? [])
    .filter((author) => author["@ValidYN"] !== "N")
    .map(nameOf);
}

function nameOf({ CollectiveName, ForeName, Initials, LastName, Suffix }: Author): string {
  return CollectiveName ?? personName(ForeName ?? Initials, LastName, Suffix);
}

/** `2026-03-23`, or as much of it as is given; of a range its beginning. */
function dateOf(date: PartialDate | null | undefined): string | null {
  const [, spanYear, spanMonth] = /(\d{4})(?:\s+([A-Za-z]{3}))?/.exec(date?.MedlineDate ?? "") ?? [];
  const year = date?.Year?.trim() ?? spanYear;
  const month = monthNumber(date?.Month ?? spanMonth);
  const day = date?.Day?.trim();
  if (year === undefined) return null;
  return [year, ...(month === null ? [] : [month, ...(day === undefined ? [] : [day.padStart(2, "0")])])].join("-");
}

function monthNumber(month: string | undefined): string | null {
  const given = month?.trim().toLowerCase() ?? "";
  const number = /^\d{1,2}$/.test(given) ? Number(given) : MONTHS.indexOf(given.slice(0, 3)) + 1;
  return number >= 1 && number <= 12 ? String(number).padStart(2, "0") : null;
}
