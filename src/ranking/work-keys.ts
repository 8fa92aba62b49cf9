import { arxivIdOfDoi, arxivIdOfUrl, parseArxivId } from "./arxiv-id.ts";
import { canonicalUrl, hostOf, isWeb, parseAddress, safeDecode } from "./canonical-url.ts";
import { doiOfUrl, parseDoi } from "./doi.ts";

/** What is known of the identity of a hit; identifiers in any of their spellings. */
export interface Identified {
  readonly url: string;
  /** Who found it: outside of the web an address says something only to its own source. */
  readonly foundBy?: string;
  readonly doi?: string | null;
  readonly arxivId?: string | null;
  readonly pmid?: string | null;
}

const PUBMED = /^\/(?:(?:m\/)?pubmed\/|(?:article|abstract)\/med\/|med\/)?(\d{1,9})(?:\/|$)/i;
const PMC = /\/(PMC\d+)(?:\.\d+)?(?:\/|$)/i;
/** Parameters that leave a wiki's article what it is; any other may ask for a revision, or for a search. */
const WIKI_VIEW = /^(?:title|variant|useskin|mobileaction|oldformat|redirect|wprov|utm_.*)$/;

/**
 * All keys a hit answers to, its canonical address last: `doi:…`, `arxiv:…` (without version), `pmid:…`, `pmc:…`,
 * `wiki:…`. Two hits that share one are the same work. What is no such identifier gives no key.
 */
export function workKeys(hit: Identified): string[] {
  const url = parseAddress(hit.url);
  const bare = /^\s*(?:doi\s*)?10\./i.test(hit.url) ? parseDoi(hit.url) : null;
  const dois = [parseDoi(hit.doi ?? ""), bare, url && doiOfUrl(url)].filter((doi) => doi !== null);
  const arxivIds = [parseArxivId(hit.arxivId ?? ""), url && arxivIdOfUrl(url), arxivIdOfText(hit.arxivId ?? "")];
  const keys = [
    ...dois.map((doi) => keyed("arxiv", arxivIdOfDoi(doi)) ?? `doi:${doi}`),
    ...arxivIds.map((id) => keyed("arxiv", id)),
    keyed("pmid", /^(?:pmid:?\s*)?0*(\d{1,9})$/i.exec(hit.pmid?.trim() ?? "")?.[1]),
    ...(url && isWeb(url) ? addressKeys(url) : []),
    `url:${url && !isWeb(url) ? `${hit.foundBy ?? ""} ` : ""}${canonicalUrl(hit.url)}`,
  ];
  return [...new Set(keys.filter((key) => key !== null))];
}

function keyed(kind: string, id: string | null | undefined): string | null {
  return id ? `${kind}:${id}` : null;
}

function arxivIdOfText(text: string): string | null {
  return URL.canParse(text) ? arxivIdOfUrl(new URL(text)) : null;
}

function addressKeys(url: URL): (string | null)[] {
  const host = hostOf(url);
  const isEuropePmc = host === "europepmc.org";
  if (!isEuropePmc && !/^(?:(?:pubmed|pmc)\.)?ncbi\.nlm\.nih\.gov$/.test(host)) return [keyed("wiki", wikiPage(host, url))];
  const pmc = PMC.exec(url.pathname)?.[1] ?? /^PMC\d+$/i.exec(url.searchParams.get("accid") ?? "")?.[0];
  const pmid = host === "ncbi.nlm.nih.gov" && !/\/pubmed\//.test(url.pathname) ? undefined : PUBMED.exec(url.pathname)?.[1];
  return [keyed("pmc", pmc?.toUpperCase()), keyed("pmid", pmid?.replace(/^0+/, ""))];
}

/** Host and title of an article of the Wikimedia family, whatever the script it is shown in; a revision is no such page. */
function wikiPage(host: string, url: URL): string | null {
  if (!/^[a-z-]+\.(?:wikipedia|wiktionary|wikibooks|wikisource|wikinews|wikiquote|wikiversity|wikivoyage)\.org$/.test(host)) return null;
  if ([...url.searchParams.keys()].some((name) => !WIKI_VIEW.test(name))) return null;
  const inPath = /^\/(?:wiki|zh(?:-[a-z]+)*|sr-e[cl]|kk-[a-z]+|uz-[a-z]+)\/(.+)$/.exec(url.pathname)?.[1];
  const title = inPath === undefined ? (url.searchParams.get("title") ?? "") : safeDecode(inPath);
  if (title === "") return null;
  const spelt = title
    .normalize("NFC")
    .replaceAll(/[\s_]+/g, "_")
    .replace(/_$/, "");
  return `${host}/${host.includes("wiktionary") ? spelt : spelt.charAt(0).toUpperCase() + spelt.slice(1)}`;
}
