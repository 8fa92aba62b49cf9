import { completed, type Hit } from "../domain/hit.ts";
import { groupBySharedKeys } from "../util/disjoint-sets.ts";
import { canonicalUrl, hostOf, isWeb, parseAddress, safeDecode } from "./canonical-url.ts";
import { arxivIdOfDoi, arxivIdOfUrl, doiOfUrl, parseArxivId, parseDoi } from "./publication-ids.ts";

/** One work, under whichever addresses it was found. */
export interface Work {
  readonly hit: Hit;
  /** The ids of the work's other hits, in the order in which they were found. */
  readonly alternatives: readonly string[];
  /** The best place, from 1, that each source gave it. */
  readonly placeBySource: ReadonlyMap<string, number>;
}

/**
 * The works that hits are of, in the order in which they were first found; the list is taken to hold each source's hits
 * in that source's own order. A work stands at the address that brought its content, otherwise at the first one found,
 * with the longest snippet of all, and with what the hit there lacks (a date, a whole title, authors, that it was
 * retracted) from the others.
 */
export function mergeWorks(hits: readonly Hit[]): Work[] {
  const places = placesBySource(hits);
  const groups = new Map<number, number[]>();
  for (const [i, group] of groupBySharedKeys(
    hits.map(({ url, foundBy, publication }) => workKeys({ url, foundBy, ...publication })),
  ).entries()) {
    const members = groups.get(group);
    if (members) members.push(i);
    else groups.set(group, [i]);
  }
  return [...groups.values()]
    .flatMap((group) => byContent(group, hits))
    .flatMap((members) => {
      const [first, ...others] = members.flatMap((i) => hits[i] ?? []);
      if (first === undefined) return [];
      const hit = mergeHitsOfWork(first, others);
      const ids = new Set([first, ...others].map(({ id }) => id));
      ids.delete(hit.id);
      return [{ hit, alternatives: [...ids], placeBySource: bestPlaces(members, hits, places) }];
    });
}

/** One address may have brought several contents (a tool's answers): each of them is a work; what brought none goes with the first. */
function byContent(members: readonly number[], hits: readonly Hit[]): number[][] {
  const first = members.map((i) => hits[i]?.contentHash ?? null).find((hash) => hash !== null) ?? null;
  return [...Map.groupBy(members, (i) => hits[i]?.contentHash ?? first).values()];
}

function placesBySource(hits: readonly Hit[]): number[] {
  const counts = new Map<string, number>();
  return hits.map(({ foundBy }) => {
    const place = (counts.get(foundBy) ?? 0) + 1;
    counts.set(foundBy, place);
    return place;
  });
}

function bestPlaces(members: readonly number[], hits: readonly Hit[], places: readonly number[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const i of members) {
    const source = hits[i]?.foundBy ?? "";
    best.set(source, Math.min(best.get(source) ?? Number.POSITIVE_INFINITY, places[i] ?? Number.POSITIVE_INFINITY));
  }
  return best;
}

function mergeHitsOfWork(first: Hit, others: readonly Hit[]): Hit {
  const found = [first, ...others];
  const lead = found.find(({ contentHash }) => contentHash !== null) ?? first;
  const titles = found.map(({ title }) => title).filter(isWhole);
  return {
    ...found.reduce(completed, lead),
    title: isWhole(lead.title) ? lead.title : longest([...titles, ...(titles.length > 0 ? [] : [lead.title])]),
    snippet: longest(found.map(({ snippet }) => snippet)),
    publishedAt: lead.publishedAt ?? found.find(({ publishedAt }) => publishedAt !== null)?.publishedAt ?? null,
  };
}

/** Neither empty nor cut short nor an address. */
function isWhole(title: string): boolean {
  return title.trim() !== "" && !/(?:…|\.\.\.)\s*$|^\s*(?:https?:\/\/|www\.)\S+\s*$/i.test(title);
}

/** Of equals the first. */
function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), "");
}

/** What is known of the identity of a hit; identifiers in any of their spellings. */
interface Identified {
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
