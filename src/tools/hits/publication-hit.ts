import { type Hit, sourceIdOf } from "../../domain/hit.ts";
import type { Publication, Source } from "../../domain/report.ts";
import { arxivIdOfDoi, arxivIdOfUrl, parseArxivId, parseDoi } from "../../ranking/publication-ids.ts";
import { cutText } from "./cut-text.ts";
import { MAX_ADDRESS } from "./found-address.ts";
import { plainText } from "./plain-text.ts";
import { isRetractedTitle } from "./retraction.ts";

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
  const doi = normaliseDoi(work.doi);
  const arxivId = normaliseArxivId(work.arxivId) ?? arxivIdOfDoi(doi ?? "");
  const pmid = /(?:^|\/)(\d{1,9})\/?$/.exec(work.pmid?.trim() ?? "")?.[1] ?? null;
  const url = webAddress(work.url) ?? addressIn({ doi, arxivId, pmid });
  if (url === null) return [];
  const hit: Hit = {
    id: sourceIdOf(url),
    kind: work.kind,
    title: title || url,
    url,
    publishedAt: normaliseDate(work.publishedAt),
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
      licence: normaliseLicence(work.licence),
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
export function normaliseDoi(text: string | null | undefined): string | null {
  return parseDoi(text ?? "");
}

/** Where a DOI leads; DOIs hold characters that addresses do not. */
export function doiUrl(doi: string): string {
  return `https://doi.org/${encodeURI(doi.toWellFormed()).replaceAll("?", "%3F").replaceAll("#", "%23")}`;
}

/** `2101.00001` or `astro-ph/0601001`, without version, from an id or an address of arXiv; null for anything else. */
export function normaliseArxivId(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  return parseArxivId(given) ?? (URL.canParse(given) ? arxivIdOfUrl(new URL(given)) : null);
}

/** As exact as it is known; a day that its month does not have is left out. */
function normaliseDate(text: string | null | undefined): string | null {
  const given = text?.trim() ?? "";
  const day = DAY.exec(given)?.[0];
  if (day !== undefined && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return day;
  return MONTH.exec(given)?.[0] ?? null;
}

/** Addresses as they are; names in one spelling: `cc by` and `CCBY` are `cc-by`. */
function normaliseLicence(text: string | null | undefined): string | null {
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
