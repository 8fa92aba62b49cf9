import type { Hit } from "../../domain/hit.ts";
import { personName } from "../hits/person-name.ts";
import { plainText } from "../hits/plain-text.ts";
import { type FoundWork, publicationHits } from "../hits/publication-hit.ts";
import { isRetractedType } from "../hits/retraction.ts";
import type { Article, Author, BookArticle, PartialDate } from "./article.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const NO_TITLE = /^\[?\s*not available\s*\]?\.?$/i;

type Found = Pick<FoundWork, "title" | "publishedAt" | "snippet" | "authors" | "venue"> & Pick<Partial<FoundWork>, "retracted">;
type IdList = NonNullable<Article["PubmedData"]>["ArticleIdList"];
type AuthorLists = Article["MedlineCitation"]["Article"]["AuthorList"];
type Abstract = Article["MedlineCitation"]["Article"]["Abstract"];

export function articleHits({ MedlineCitation: citation, PubmedData }: Article): Hit[] {
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

export function bookHits({ BookDocument: chapter }: BookArticle): Hit[] {
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
