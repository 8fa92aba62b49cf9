/** Parameters that say where a reader came from, not what is read. */
const TRACKING = /^(?:utm_.*|gclid|fbclid|msclkid|dclid|yclid|igshid|mc_[ce]id|_hsenc|_hsmi|ref|ref_src|spm|from_source)$/i;
/** The DOI in the path of doi.org. */
const DOI = /^\/?(?:doi\/(?:abs\/|full\/|pdf\/)?)?(10\.\d{4,9}\/.+?)\/?$/i;

/**
 * One key for the spellings of one address, for comparison only, never to be fetched: no scheme, `www.`, fragment,
 * tracking parameters or closing slash, parameters in order; DOI links by their DOI. Other text than a URL stays as it is.
 */
export function canonicalUrl(url: string): string {
  if (!URL.canParse(url)) return url.trim();
  const parsed = new URL(url);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") return parsed.href.replace(/#.*$/, "");
  const host = parsed.host.replace(/^www\./, "");
  const doi = /(?:^|\.)doi\.org$/.test(host) ? DOI.exec(safeDecode(parsed.pathname))?.[1] : undefined;
  if (doi) return `doi:${doi.toLowerCase()}`;
  const kept = [...parsed.searchParams].filter(([name]) => !TRACKING.test(name)).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const query = kept.length > 0 ? `?${new URLSearchParams(kept)}` : "";
  return `${host}${parsed.pathname.replace(/\/+$/, "")}${query}`;
}

/** A path with a broken escape is taken as it is spelt. */
function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
