import { z } from "zod";
import { type Hit, inertAddress, sourceIdOf } from "../../domain/hit.ts";
import type { Publication } from "../../domain/report.ts";
import { arxivIdOfDoi, arxivIdOfUrl, parseArxivId, parseDoi } from "../../ranking/publication-ids.ts";
import { cutText, plainText } from "./text.ts";

// Lengths are in UTF-16 code units.
const MAX_ADDRESS = 8_000;
const MAX_TITLE = 500;
const MAX_SNIPPET = 4_000;
const MAX_AUTHORS = 50;

const WEB_ADDRESS = /^https?:\/\//i;
const RELATIVE = /^\/(?![/\\])/;

/** Accepts any scheme: the download refuses forbidden ones and records why. */
export const FoundAddressSchema = z
  .string()
  .min(1)
  .refine((address) => !RELATIVE.test(address), "not an address")
  .transform((address) => (address.length > MAX_ADDRESS ? `${address.slice(0, MAX_ADDRESS).toWellFormed()}…` : address));

/** Reads a result of a web search whose fields have these names. */
export function webResult({ url, snippet, date }: Readonly<Record<"url" | "snippet" | "date", string>>): z.ZodType<FoundWork> {
  return z.looseObject({ title: z.string() }).transform((result, context): FoundWork => {
    const address = FoundAddressSchema.safeParse(result[url]);
    if (!address.success) context.addIssue({ code: "custom", path: [url], message: "is no address" });
    const [text, day] = [result[snippet], result[date]].map((value) => (typeof value === "string" ? value : null));
    return { title: result.title, url: address.data ?? "", publishedAt: day, snippet: text };
  });
}

/** Reads pages until `limit` items are found, or there are no more. If a page after the first fails, the earlier items are returned. */
export async function collectPages(
  { limit, maxPages, signal }: { readonly limit: number; readonly maxPages: number; readonly signal: AbortSignal },
  readPage: (page: number) => Promise<{ readonly found: readonly FoundWork[]; readonly more: boolean }>,
): Promise<FoundWork[]> {
  const all: FoundWork[] = [];
  for (let page = 0; page < maxPages && all.length < limit; page++) {
    const { found, more } = await readPage(page).catch((error: unknown) => {
      signal.throwIfAborted();
      if (page === 0) throw error;
      return { found: [], more: false };
    });
    all.push(...found);
    if (!more || found.length === 0) break;
  }
  return all;
}

/** Something that a source found. Texts may contain markup. */
export interface FoundWork extends Partial<Omit<Publication, "retracted">> {
  readonly title: string;
  readonly url: string;
  /** `2021-03-04`, `2021-03` or `2021`, also with a time, or an English or Chinese date. Any other text is ignored. */
  readonly publishedAt?: string | null | undefined;
  readonly snippet?: string | null | undefined;
  readonly retracted?: boolean;
}

type Finder = Pick<Hit, "kind" | "foundBy">;

/** Returns one hit, or none if a publication has no title or no usable URL. A page of the Web keeps any URL: the download refuses it and records why. */
export function toHits(finder: Finder, work: FoundWork): Hit[] {
  const title = cutText(plainText(work.title), MAX_TITLE);
  const ids = { doi: parseDoi(work.doi ?? ""), arxivId: normalizeArxivId(work.arxivId), pmid: normalizePmid(work.pmid) };
  const url = finder.kind === "web" ? work.url : (webAddress(work.url) ?? registryAddress(ids));
  if (url === null || (title === "" && finder.kind !== "web")) return [];
  const hit: Hit = {
    // A URL that is not http(s) gets the source's name in its id, so that it cannot pass for a file of the corpus.
    id: sourceIdOf(WEB_ADDRESS.test(url) ? url : `${finder.foundBy} ${url}`),
    kind: finder.kind,
    title: title || url,
    url: inertAddress(url),
    publishedAt: normalizeDate(work.publishedAt),
    foundBy: finder.foundBy,
    contentHash: null,
    snippet: cutText(plainText(work.snippet ?? ""), MAX_SNIPPET),
  };
  return [finder.kind === "web" ? hit : { ...hit, publication: publicationOf(work, ids, title) }];
}

type Ids = Pick<Publication, "doi" | "arxivId" | "pmid">;

/** An arXiv paper without a `fullTextUrl` gets the URL of its PDF. */
function publicationOf(work: FoundWork, { doi, arxivId: named, pmid }: Ids, title: string): Publication {
  const arxivId = named ?? arxivIdOfDoi(doi ?? "");
  return {
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
  };
}

function registryAddress({ doi, arxivId, pmid }: Ids): string | null {
  return doiAddress(doi) ?? arxivAddress(arxivId) ?? (pmid === null ? null : `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`);
}

/** Returns the link of a DOI, which may be a link already; null if there is none. */
export function doiAddress(text: string | null | undefined): string | null {
  const doi = parseDoi(text ?? "");
  return doi && `https://doi.org/${encodeURI(doi.toWellFormed()).replaceAll("?", "%3F").replaceAll("#", "%23")}`;
}

export function arxivAddress(text: string | null | undefined): string | null {
  const id = normalizeArxivId(text);
  return id && `https://arxiv.org/abs/${id}`;
}

/** Returns `2101.00001` or `astro-ph/0601001`, without the version, for an id or URL of arXiv; otherwise null. */
export function normalizeArxivId(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  return parseArxivId(given) ?? (URL.canParse(given) ? arxivIdOfUrl(new URL(given)) : null);
}

function normalizePmid(text: string | null | undefined): string | null {
  return /(?:^|\/)(\d{1,9})\/?$/.exec(text?.trim() ?? "")?.[1] ?? null;
}

const MONTH = /^(?!0000)\d{4}(?:-(?:0[1-9]|1[0-2]))?(?=$|[-T\s])/;
const DAY = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?=$|[T\s])/;

const CHINESE = /^(?<year>\d{4})\s*年\s*(?<month>\d{1,2})\s*月\s*(?<day>\d{1,2})\s*日/;
const MONTH_FIRST = /^(?<month>[a-z]{3})[a-z]*\.?\s+(?<day>\d{1,2}),?\s+(?<year>\d{4})\b/i;
const DAY_FIRST = /^(?:[a-z]{3,9},\s*)?(?<day>\d{1,2})\s+(?<month>[a-z]{3})[a-z]*\.?,?\s+(?<year>\d{4})\b/i;

/** Keeps `2021-03` or `2021` if the day or month is missing or impossible. Returns null for texts such as `2 days ago`. */
function normalizeDate(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  const { year, month, day } = (CHINESE.exec(given) ?? MONTH_FIRST.exec(given) ?? DAY_FIRST.exec(given))?.groups ?? {};
  const iso = year === undefined ? given : `${year}-${numberOfMonth(month) ?? ""}-${day?.padStart(2, "0")}`;
  const known = DAY.exec(iso)?.[0];
  if (known !== undefined && new Date(`${known}T00:00:00Z`).toISOString().startsWith(known)) return known;
  return MONTH.exec(iso)?.[0] ?? null;
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

export function numberOfMonth(month: string | null | undefined): string | null {
  const given = month?.trim().toLowerCase() ?? "";
  const number = /^\d{1,2}$/.test(given) ? Number(given) : MONTHS.indexOf(given.slice(0, 3)) + 1;
  return number >= 1 && number <= 12 ? String(number).padStart(2, "0") : null;
}
