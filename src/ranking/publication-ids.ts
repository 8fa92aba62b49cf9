import { hostOf, isWeb, safeDecode } from "./canonical-url.ts";

/** The syntax of a DOI: https://doi.org/10.1000/182. Old DOIs may contain brackets. */
const DOI = /(?<![\d.])10\.\d{4,9}(?:\.\d+)*\/[^\s"]+/;
const MAX_LENGTH = 300;
const VIEW_PATHS =
  "full|fulltext|abstract|abs|e?pdf|pdfdirect|epub|html|xml|meta|summary|references|figures|tables|metrics|citations?|download";
const VIEW_SUFFIXES = "full|full-text|fulltext|abstract|pdf|html|xml|supplementary-material";
const VIEWS = new RegExp(String.raw`(?:/(?:${VIEW_PATHS}|(?:figures|tables)/\d+)|\.(?:${VIEW_SUFFIXES}))$`);
const OTHER_PAGES = /\/(?:toc|loi|suppl|citedby|journal|action|search)\/.*?10\./;

/** Returns `10.1000/abc` for `doi:10.1000/ABC` and `https://doi.org/10.1000/ABC`, and null for text without a DOI. */
export function parseDoi(text: string): string | null {
  const found = DOI.exec(safeDecode(text.trim()).normalize("NFKC"))?.[0];
  return found === undefined || found.length > MAX_LENGTH ? null : trimPunctuation(found.toLowerCase());
}

export function doiOfUrl(url: URL): string | null {
  if (!isWeb(url)) return /^(?:doi|info|urn):$/.test(url.protocol) ? parseDoi(url.href) : null;
  const host = hostOf(url);
  const path = safeDecode(url.pathname);
  if (host === "doi.org" || host.endsWith(".doi.org")) return parseDoi(path);
  const known = doiByPublisher(host, path, url.searchParams);
  if (known !== null) return known;
  const inPath = OTHER_PAGES.test(path) ? undefined : /\/(10\.\d{4,9}(?:\.\d+)*\/.+)$/.exec(path)?.[1];
  const doi = parseDoi(inPath ?? url.searchParams.get("doi") ?? "");
  return doi === null ? null : removeViewPath(host, doi);
}

function doiByPublisher(host: string, path: string, parameters: URLSearchParams): string | null {
  if (host === "nature.com") {
    const suffix = /^\/articles\/(s?\d{4,5}-\d{3}-\d{4,6}-[\dx]|[a-z]+\d+[\d.-]*[a-z]?)(?:\.pdf|\/|$)/i.exec(path)?.[1];
    if (suffix !== undefined) return `10.1038/${suffix.toLowerCase()}`;
  }
  const zenodo = host === "zenodo.org" ? /^\/records?\/(\d+)(?!\d|\/latest)/.exec(path)?.[1] : undefined;
  if (zenodo !== undefined) return `10.5281/zenodo.${zenodo}`;
  const ssrn = /(?:^|\.)ssrn\.com$/.test(host) ? (parameters.get("abstract_id") ?? parameters.get("abstractid")) : null;
  if (ssrn !== null && /^\d+$/.test(ssrn)) return `10.2139/ssrn.${ssrn}`;
  return host === "journals.plos.org" ? parseDoi(parameters.get("id") ?? "") : null;
}

function removeViewPath(host: string, doi: string): string {
  let work = doi;
  while (VIEWS.test(work)) work = work.replace(VIEWS, "");
  if (/^(?:bio|med)rxiv\.org$/.test(host)) return work.replace(/v\d+$/, "");
  // Oxford University Press appends an article number to the DOI.
  return host === "academic.oup.com" ? work.replace(/(\/[^/]*[a-z][^/]*)\/\d+$/, "$1") : work;
}

function trimPunctuation(doi: string): string {
  const isUnopened = (text: string, open: string, close: string): boolean =>
    text.endsWith(close) && text.split(open).length < text.split(close).length;
  let work = doi;
  while (/[.,;:/?#'’”}…]$/.test(work) || isUnopened(work, "(", ")") || isUnopened(work, "[", "]")) work = work.slice(0, -1);
  return work;
}

/** Ids such as `2101.00001` (since April 2007) and `math/0309136` (before): https://info.arxiv.org/help/arxiv_identifier.html */
const ARXIV_ID = /^(?:arxiv[:.])?\s*(?:(\d{4}\.\d{4,5})|([a-z-]+)(?:\.[a-z]{2})?\/(\d{7}))(?:v\d+)?(?:\.pdf)?$/i;
const ARXIV_HOSTS = /(?:^|\.)(?:arxiv\.org|xxx\.lanl\.gov|ar5iv\.org|alphaxiv\.org|arxiv-vanity\.com)$/;
const ARXIV_PAGE = /^\/(?:abs|pdf|html|format|ps|dvi|e-print|src|papers|overview)\/(.+?)\/?$/;

/** Returns `math/0309136` for `arXiv:math.GT/0309136v2`, and null for text that is no arXiv id. */
export function parseArxivId(text: string): string | null {
  const [, id, archive, number] = ARXIV_ID.exec(text.trim()) ?? [];
  return id ?? (archive && number ? `${archive.toLowerCase()}/${number}` : null);
}

export function arxivIdOfUrl(url: URL): string | null {
  if (!isWeb(url)) return url.protocol === "arxiv:" ? parseArxivId(url.href) : null;
  return ARXIV_HOSTS.test(hostOf(url)) ? parseArxivId(ARXIV_PAGE.exec(safeDecode(url.pathname))?.[1] ?? "") : null;
}

export function arxivIdOfDoi(doi: string): string | null {
  return doi.startsWith("10.48550/arxiv.") ? parseArxivId(doi.slice("10.48550/".length)) : null;
}
