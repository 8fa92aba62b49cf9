import { z } from "zod";
import { type Hit, mergeHits, sourceIdOf } from "../../domain/hit.ts";
import type { Publication, Source } from "../../domain/report.ts";
import { arxivIdOfDoi, arxivIdOfUrl, parseArxivId, parseDoi } from "../../ranking/publication-ids.ts";
import { cutText, plainText } from "./text.ts";

/** A work as an adapter found it. What is left out is unknown. */
export interface FoundWork extends Partial<Omit<Publication, "retracted">> {
  readonly kind: Source["kind"];
  readonly foundBy: string;
  readonly title: string;
  /** The address that a reader would cite. Anything but http and https counts as unknown. */
  readonly url: string;
  /** As the service spells it: `2021-03-04`, `2021-03`, `2021`, with or without a time; anything else counts as unknown. */
  readonly publishedAt?: string | null;
  /** The abstract or the lines a search engine shows; markup is taken out. */
  readonly snippet: string;
  readonly retracted?: boolean;
}

const MAX_SNIPPET = 4_000;
const MAX_TITLE = 500;
const MAX_AUTHORS = 50;
const MONTH = /^(?!0000)\d{4}(?:-(?:0[1-9]|1[0-2]))?(?=$|[-T\s])/;
const DAY = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?=$|[T\s])/;

/**
 * The same work as a hit, its names, numbers and texts normalised; none for a work without an address that a reader can
 * open. An arXiv paper can be read by anyone, whoever found it.
 */
export function publicationHits(work: FoundWork): Hit[] {
  const title = cutText(plainText(work.title), MAX_TITLE);
  const doi = normalizeDoi(work.doi);
  const arxivId = normalizeArxivId(work.arxivId) ?? arxivIdOfDoi(doi ?? "");
  const pmid = /(?:^|\/)(\d{1,9})\/?$/.exec(work.pmid?.trim() ?? "")?.[1] ?? null;
  const url = webAddress(work.url) ?? addressIn({ doi, arxivId, pmid });
  if (url === null) return [];
  const hit: Hit = {
    id: sourceIdOf(url),
    kind: work.kind,
    title: title || url,
    url,
    publishedAt: normalizeDate(work.publishedAt),
    foundBy: work.foundBy,
    contentHash: null,
    snippet: cutText(plainText(work.snippet), MAX_SNIPPET),
    publication: {
      authors: (work.authors ?? [])
        .slice(0, MAX_AUTHORS)
        .map(plainText)
        .filter((name) => name !== ""),
      doi,
      arxivId,
      pmid,
      venue: plainText(work.venue ?? "") || null,
      licence: normalizeLicense(work.licence),
      retracted: work.retracted === true || isRetractedTitle(title),
      fullTextUrl: webAddress(work.fullTextUrl) ?? (arxivId === null ? null : `https://arxiv.org/pdf/${arxivId}`),
    },
  };
  return [hit];
}

/** Where the registries have a work, by its numbers. */
function addressIn({ doi, arxivId, pmid }: Pick<Publication, "doi" | "arxivId" | "pmid">): string | null {
  if (doi !== null) return doiUrl(doi);
  if (arxivId !== null) return `https://arxiv.org/abs/${arxivId}`;
  return pmid === null ? null : `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`;
}

/** The DOI alone, in lower case as DOIs compare; null for what is none. */
export function normalizeDoi(text: string | null | undefined): string | null {
  return parseDoi(text ?? "");
}

/** Where a DOI leads; DOIs hold characters that addresses do not. */
export function doiUrl(doi: string): string {
  return `https://doi.org/${encodeURI(doi.toWellFormed()).replaceAll("?", "%3F").replaceAll("#", "%23")}`;
}

/** `2101.00001` or `astro-ph/0601001`, without version, from an id or an address of arXiv; null for anything else. */
export function normalizeArxivId(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  return parseArxivId(given) ?? (URL.canParse(given) ? arxivIdOfUrl(new URL(given)) : null);
}

/** As exact as it is known; a day that its month does not have is left out. */
function normalizeDate(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  const day = DAY.exec(given)?.[0];
  if (day !== undefined && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return day;
  return MONTH.exec(given)?.[0] ?? null;
}

/** Addresses as they are; names in one spelling: `cc by` and `CCBY` are `cc-by`. */
function normalizeLicense(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  if (given === "" || webAddress(given) !== null) return given || null;
  const name = given.toLowerCase().replaceAll(/[\s_]+/g, "-");
  return name.replace(/^cc-?(by)(?:-?(nc))?(?:-?(nd|sa))?(?=$|-)/, (_, ...parts) =>
    ["cc", ...parts.slice(0, 3)].filter((part) => typeof part === "string").join("-"),
  );
}

/** An address that a browser opens as a page; null for scripts, files and the like. */
export function webAddress(text: string | null | undefined): string | null {
  return text && text.length <= MAX_ADDRESS && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

/** A title that publishers mark: `RETRACTED: …`, `[Retracted] …`, `Retraction Note to: …`, `… (Retracted article)`, `撤稿：…`. */
const RETRACTED_TITLE =
  /^\W*(?:(?:retracted|withdrawn)(?: (?:article|paper|chapter))?\s*[:：\])】—–]|(?:notice of )?retraction(?: (?:note|notice|statement))?(?: (?:to|for|of))?\s*[:：]|retraction not(?:e|ice)\b|notice of retraction\b)|^\W*(?:撤稿|撤回|已撤稿)(?:声明|公告)?\s*[:：\])】]|[([](?:this article was |has been )?retracted\b[^()[\]]*[)\]]\W*$/i;

/** What the indexes of the life sciences call it, as a type of publication or of a remark. */
const RETRACTED_TYPE = /^(?:retracted[ -](?:publication|article)|retraction(?: of publication| notice| in)?|withdrawn publication)$/i;

/**
 * Whether a title says that the work is retracted or withdrawn. The notice of a retraction counts as well: a search finds
 * it in place of the work, under the same title.
 */
export function isRetractedTitle(title: string): boolean {
  return RETRACTED_TITLE.test(title);
}

/** The same of a type of publication, such as `Retracted Publication`. */
export function isRetractedType(type: string): boolean {
  return RETRACTED_TYPE.test(type.trim());
}

/** Names of these scripts are written family name first and without a space. */
const EAST_ASIAN = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー・]+$/u;

/** A name out of its parts, as the work would print it: `Ada Penrose`, `王小明`. Empty where no part is known. */
export function personName(given: string | null | undefined, family: string | null | undefined, suffix?: string | null): string {
  const [first, last] = [given?.trim() ?? "", family?.trim() ?? ""];
  if (EAST_ASIAN.test(first) && EAST_ASIAN.test(last)) return `${last}${first}`;
  return [first, last, suffix?.trim() ?? ""].filter((part) => part !== "").join(" ");
}

/** A page as a search engine shows it. */
interface FoundPage {
  readonly foundBy: string;
  readonly title: string;
  readonly url: string;
  /** A calendar date, see `calendarDate`. */
  readonly publishedAt?: string | null;
  readonly snippet: string;
}

/**
 * The same page as a hit, its texts without markup. What is no address of the web is a place of its finder's alone: it
 * must not pass for what another source, such as the corpus, has at the same address.
 */
export function webHit({ foundBy, title, url, publishedAt, snippet }: FoundPage): Hit {
  return {
    id: sourceIdOf(isWebAddress(url) ? url : `${foundBy} ${url}`),
    kind: "web",
    title: cutText(plainText(title), MAX_TITLE) || url,
    url,
    publishedAt: publishedAt ?? null,
    foundBy,
    contentHash: null,
    snippet: cutText(plainText(snippet), MAX_SNIPPET),
  };
}

/** One page of results, and whether there may be another. */
export interface ResultPage {
  readonly hits: readonly Hit[];
  readonly more: boolean;
}

/**
 * Hits of pages 0, 1, 2 ... until there are `limit`, each once: a page that brings nothing new is the last one. A later
 * page that cannot be had costs only itself.
 */
export async function collectPages(
  limit: number,
  maxPages: number,
  signal: AbortSignal,
  readPage: (page: number) => Promise<ResultPage>,
): Promise<Hit[]> {
  let hits: Hit[] = [];
  for (let page = 0; page < maxPages && hits.length < limit; page++) {
    const { hits: found, more } = await readPage(page).catch((error: unknown) => {
      signal.throwIfAborted();
      if (page === 0) throw error;
      return { hits: [], more: false };
    });
    const merged = mergeHits(hits, found);
    if (merged.length === hits.length) break;
    hits = merged;
    if (!more) break;
  }
  return hits.slice(0, limit);
}

/** The first `limit` hits, each address once: an index can hold a work twice. */
export function firstHits(hits: readonly Hit[], limit: number): Hit[] {
  return mergeHits([], hits).slice(0, limit);
}

/** Longer addresses are not followed by anything; in UTF-16 code units. */
const MAX_ADDRESS = 8_000;
/** What an engine has on its own site. */
const RELATIVE = /^\/(?![/\\])/;
const WEB_ADDRESS = /^https?:\/\//i;

/**
 * The address of a hit, whatever it leads to: what must not be followed is refused, and recorded, where it would be
 * fetched. Of one that is too long the beginning is kept, and a mark that makes it too long still.
 */
export const FoundAddressSchema = z
  .string()
  .min(1)
  .refine((address) => !RELATIVE.test(address), "not an address")
  .transform((address) => (address.length > MAX_ADDRESS ? `${address.slice(0, MAX_ADDRESS).toWellFormed()}…` : address));

/** Whether an address can be a page of the web. */
function isWebAddress(address: string): boolean {
  return WEB_ADDRESS.test(address);
}

const ISO = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?=$|[T\s])/;
const CHINESE = /^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH_FIRST = /^([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})\b/i;
/** Also what mail and HTTP write, `Mon, 05 May 2025 07:00:00 GMT`. */
const DAY_FIRST = /^(?:[a-z]{3,9},\s*)?(\d{1,2})\s+([a-z]{3})[a-z]*\.?,?\s+(\d{4})\b/i;

/**
 * The day that a search engine names, as `2021-03-04`: ISO, English and Chinese spellings. Null for everything else, `2
 * days ago` included, because what that means depends on when the answer is read.
 */
export function calendarDate(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  const iso = ISO.exec(trimmed)?.[0];
  if (iso !== undefined) return iso;
  const [, year, month, day] = CHINESE.exec(trimmed) ?? [];
  if (year !== undefined) return spell(year, Number(month), Number(day));
  const [, monthName, dayOfMonth, yearAfter] = MONTH_FIRST.exec(trimmed) ?? [];
  if (monthName !== undefined) return spell(yearAfter, monthNumber(monthName), Number(dayOfMonth));
  const [, dayFirst, nameAfter, lastYear] = DAY_FIRST.exec(trimmed) ?? [];
  return nameAfter === undefined ? null : spell(lastYear, monthNumber(nameAfter), Number(dayFirst));
}

function monthNumber(name: string): number {
  return MONTHS.indexOf(name.toLowerCase()) + 1;
}

function spell(year: string | undefined, month: number, day: number): string | null {
  if (year === undefined || month < 1 || month > 12 || day < 1 || day > 31) return null;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
