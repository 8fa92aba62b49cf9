import { hostOf, isWeb, safeDecode } from "./canonical-url.ts";

/** https://info.arxiv.org/help/arxiv_identifier.html: since April 2007, or before, where the subject class may be left out. */
const ID = /^(?:arxiv[:.])?\s*(?:(\d{4}\.\d{4,5})|([a-z-]+)(?:\.[a-z]{2})?\/(\d{7}))(?:v\d+)?(?:\.pdf)?$/i;
const HOSTS = /(?:^|\.)(?:arxiv\.org|xxx\.lanl\.gov|ar5iv\.org|alphaxiv\.org|arxiv-vanity\.com)$/;
const PAGE = /^\/(?:abs|pdf|html|format|ps|dvi|e-print|src|papers|overview)\/(.+?)\/?$/;

/** The id in a text such as `arXiv:math.GT/0309136v2`: `math/0309136`, without version, in lower case; null where it is none. */
export function parseArxivId(text: string): string | null {
  const [, id, archive, number] = ID.exec(text.trim()) ?? [];
  return id ?? (archive && number ? `${archive.toLowerCase()}/${number}` : null);
}

/** The id of the paper that stands at an address of arXiv or of one of its mirrors. */
export function arxivIdOfUrl(url: URL): string | null {
  if (!isWeb(url)) return url.protocol === "arxiv:" ? parseArxivId(url.href) : null;
  if (!HOSTS.test(hostOf(url))) return null;
  return parseArxivId(PAGE.exec(safeDecode(url.pathname))?.[1] ?? "");
}

/** The id of a paper whose DOI was given by arXiv itself: 10.48550/arXiv.X. */
export function arxivIdOfDoi(doi: string): string | null {
  return doi.startsWith("10.48550/arxiv.") ? parseArxivId(doi.slice("10.48550/".length)) : null;
}
