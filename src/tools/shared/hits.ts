import { z } from "zod";
import { type Hit, inertAddress, mergeHits, sourceIdOf } from "../../domain/hit.ts";
import type { Publication } from "../../domain/report.ts";
import { arxivIdOfDoi, arxivIdOfUrl, parseArxivId, parseDoi } from "../../ranking/publication-ids.ts";
import { cutText, plainText } from "./text.ts";

// Lengths are in UTF-16 code units.
const MAX_ADDRESS = 8_000;
const MAX_TITLE = 500;
const MAX_SNIPPET = 4_000;
const MAX_AUTHORS = 50;

type FoundPage = Pick<Hit, "foundBy" | "title" | "url" | "snippet"> & Partial<Pick<Hit, "publishedAt">>;

/** A URL that is not http(s) gets the source's name in its id, so that it cannot pass for a file of the corpus. */
export function webHit({ foundBy, title, url, publishedAt, snippet }: FoundPage): Hit {
  return {
    id: sourceIdOf(WEB_ADDRESS.test(url) ? url : `${foundBy} ${url}`),
    kind: "web",
    title: cutText(plainText(title), MAX_TITLE) || url,
    url: inertAddress(url),
    publishedAt: publishedAt ?? null,
    foundBy,
    contentHash: null,
    snippet: cutText(plainText(snippet), MAX_SNIPPET),
  };
}

const WEB_ADDRESS = /^https?:\/\//i;
const RELATIVE = /^\/(?![/\\])/;

/** Accepts any scheme: the download refuses forbidden ones and records why. */
export const FoundAddressSchema = z
  .string()
  .min(1)
  .refine((address) => !RELATIVE.test(address), "not an address")
  .transform((address) => (address.length > MAX_ADDRESS ? `${address.slice(0, MAX_ADDRESS).toWellFormed()}…` : address));

export function firstHits(hits: readonly Hit[], limit: number): Hit[] {
  return mergeHits([], hits).slice(0, limit);
}

export interface ResultPage {
  readonly hits: readonly Hit[];
  readonly more: boolean;
}

/** Reads pages until `limit` hits are found or a page has no new hit. If a page after the first fails, the earlier hits are returned. */
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

/** Texts may contain markup. */
export interface FoundWork extends Partial<Omit<Publication, "retracted">> {
  readonly kind: Hit["kind"];
  readonly foundBy: string;
  readonly title: string;
  readonly url: string;
  /** `2021-03-04`, `2021-03` or `2021`, also with a time. Any other text is ignored. */
  readonly publishedAt?: string | null;
  readonly snippet: string;
  readonly retracted?: boolean;
}

/** Returns one hit, or none without a usable URL. An arXiv paper without a `fullTextUrl` gets the URL of its PDF. */
export function publicationHits(work: FoundWork): Hit[] {
  const title = cutText(plainText(work.title), MAX_TITLE);
  const doi = normalizeDoi(work.doi);
  const arxivId = normalizeArxivId(work.arxivId) ?? arxivIdOfDoi(doi ?? "");
  const pmid = /(?:^|\/)(\d{1,9})\/?$/.exec(work.pmid?.trim() ?? "")?.[1] ?? null;
  const url = webAddress(work.url) ?? registryAddress({ doi, arxivId, pmid });
  if (url === null) return [];
  const authors = (work.authors ?? []).slice(0, MAX_AUTHORS).map(plainText);
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
      authors: authors.filter((name) => name !== ""),
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

function registryAddress({ doi, arxivId, pmid }: Pick<Publication, "doi" | "arxivId" | "pmid">): string | null {
  if (doi !== null) return doiUrl(doi);
  if (arxivId !== null) return `https://arxiv.org/abs/${arxivId}`;
  return pmid === null ? null : `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`;
}

/** Returns a DOI in lower case, without `https://doi.org/`; null if there is none. */
export function normalizeDoi(text: string | null | undefined): string | null {
  return parseDoi(text ?? "");
}

export function doiUrl(doi: string): string {
  return `https://doi.org/${encodeURI(doi.toWellFormed()).replaceAll("?", "%3F").replaceAll("#", "%23")}`;
}

/** Returns `2101.00001` or `astro-ph/0601001`, without the version, for an id or URL of arXiv; otherwise null. */
export function normalizeArxivId(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  return parseArxivId(given) ?? (URL.canParse(given) ? arxivIdOfUrl(new URL(given)) : null);
}

const MONTH = /^(?!0000)\d{4}(?:-(?:0[1-9]|1[0-2]))?(?=$|[-T\s])/;
const DAY = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?=$|[T\s])/;

/** Keeps `2021-03` or `2021` if the day or month is missing or impossible. */
function normalizeDate(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  const day = DAY.exec(given)?.[0];
  if (day !== undefined && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return day;
  return MONTH.exec(given)?.[0] ?? null;
}

function normalizeLicense(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  if (given === "" || webAddress(given) !== null) return given || null;
  const name = given.toLowerCase().replaceAll(/[\s_]+/g, "-");
  return name.replace(/^cc-?(by)(?:-?(nc))?(?:-?(nd|sa))?(?=$|-)/, (_, ...parts) =>
    ["cc", ...parts.slice(0, 3)].filter((part) => typeof part === "string").join("-"),
  );
}

export function webAddress(text: string | null | undefined): string | null {
  return text && text.length <= MAX_ADDRESS && WEB_ADDRESS.test(text) && URL.canParse(text) ? text : null;
}

/** Matches `RETRACTED: …`, `Retraction Note to: …`, `… (Retracted article)` and `撤稿：…`. */
const RETRACTED_TITLES = [
  /^[^\p{L}\p{N}]*(?:retracted|withdrawn)(?: (?:article|paper|chapter))?\s*[:：\])】—–]/iu,
  /^[^\p{L}\p{N}]*(?:notice of )?retraction(?: (?:note|notice|statement))?(?: (?:to|for|of))?\s*[:：]/iu,
  /^[^\p{L}\p{N}]*(?:retraction not(?:e|ice)|notice of retraction)\b/iu,
  /^[^\p{L}\p{N}]*(?:撤稿|撤回|已撤稿)(?:声明|公告)?\s*[:：\])】]/u,
  /[([](?:this article was |has been )?retracted\b[^()[\]]*[)\]][^\p{L}\p{N}]*$/iu,
];
const RETRACTED_TYPE = /^(?:retracted[ -](?:publication|article)|retraction(?: of publication| notice| in)?|withdrawn publication)$/i;

export function isRetractedTitle(title: string): boolean {
  return RETRACTED_TITLES.some((pattern) => pattern.test(title));
}

export function isRetractedType(type: string): boolean {
  return RETRACTED_TYPE.test(type.trim());
}

const EAST_ASIAN = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー・]+$/u;

/** Returns `Ada Penrose` or `王小明`; empty without any name. */
export function personName(given: string | null | undefined, family: string | null | undefined, suffix?: string | null): string {
  const [first, last] = [given?.trim() ?? "", family?.trim() ?? ""];
  if (EAST_ASIAN.test(first) && EAST_ASIAN.test(last)) return `${last}${first}`;
  return [first, last, suffix?.trim() ?? ""].filter((part) => part !== "").join(" ");
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const CHINESE = /^(?<year>\d{4})\s*年\s*(?<month>\d{1,2})\s*月\s*(?<day>\d{1,2})\s*日/;
const MONTH_FIRST = /^(?<month>[a-z]{3})[a-z]*\.?\s+(?<day>\d{1,2}),?\s+(?<year>\d{4})\b/i;
const DAY_FIRST = /^(?:[a-z]{3,9},\s*)?(?<day>\d{1,2})\s+(?<month>[a-z]{3})[a-z]*\.?,?\s+(?<year>\d{4})\b/i;

/** Returns an ISO, English or Chinese date as `2021-03-04`; null for other texts, such as `2 days ago`. */
export function calendarDate(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  const iso = DAY.exec(trimmed)?.[0];
  if (iso !== undefined) return iso;
  const { year, month, day } = (CHINESE.exec(trimmed) ?? MONTH_FIRST.exec(trimmed) ?? DAY_FIRST.exec(trimmed))?.groups ?? {};
  const monthNumber = numberOfMonth(month);
  if (year === undefined || monthNumber === null || Number(day) < 1 || Number(day) > 31) return null;
  return `${year}-${monthNumber}-${String(day).padStart(2, "0")}`;
}

export function numberOfMonth(month: string | null | undefined): string | null {
  const given = month?.trim().toLowerCase() ?? "";
  const number = /^\d{1,2}$/.test(given) ? Number(given) : MONTHS.indexOf(given.slice(0, 3)) + 1;
  return number >= 1 && number <= 12 ? String(number).padStart(2, "0") : null;
}
