import { completeHit, type Hit } from "../domain/hit.ts";
import type { Publication } from "../domain/report.ts";
import { canonicalUrl, hostOf, isWeb, parseAddress, safeDecode } from "./canonical-url.ts";
import { groupBySharedKeys } from "./group-by-shared-keys.ts";
import { arxivIdOfDoi, arxivIdOfUrl, doiOfUrl, parseArxivId, parseDoi } from "./publication-ids.ts";

export interface Work {
  readonly hit: Hit;
  readonly alternatives: readonly string[];
  readonly placeBySource: ReadonlyMap<string, number>;
}

/** Merges hits that are the same publication or page. `hits` must keep the order in which each source returned them. */
export function mergeWorks(hits: readonly Hit[]): Work[] {
  const places = placesBySource(hits);
  const groups = groupBySharedKeys(hits.map(({ url, foundBy, publication }) => workKeys({ url, foundBy, ...publication })));
  return [...Map.groupBy(hits.keys(), (i) => groups[i] ?? i).values()]
    .flatMap((members) => splitByContent(members, hits))
    .flatMap((members) => {
      const [first, ...others] = members.flatMap((i) => hits[i] ?? []);
      if (first === undefined) return [];
      const hit = mergeHitsOfWork(first, others);
      const ids = new Set([first, ...others].map(({ id }) => id));
      ids.delete(hit.id);
      const placeBySource = new Map<string, number>();
      for (const i of members) {
        const { foundBy } = hits[i] ?? first;
        placeBySource.set(foundBy, placeBySource.get(foundBy) ?? places[i] ?? 1);
      }
      return [{ hit, alternatives: [...ids], placeBySource }];
    });
}

/** Separates hits with different contents, because a tool may give different answers at the same URL. */
function splitByContent(members: readonly number[], hits: readonly Hit[]): number[][] {
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

function mergeHitsOfWork(first: Hit, others: readonly Hit[]): Hit {
  if (others.length === 0) return first;
  const found = [first, ...others];
  const lead = found.find(({ contentHash }) => contentHash !== null) ?? first;
  const titles = found.map(({ title }) => title).filter(isWholeTitle);
  return {
    ...found.reduce(completeHit, lead),
    title: isWholeTitle(lead.title) || titles.length === 0 ? lead.title : longest(titles),
    snippet: longest(found.map(({ snippet }) => snippet)),
    publishedAt: lead.publishedAt ?? found.find(({ publishedAt }) => publishedAt !== null)?.publishedAt ?? null,
  };
}

function isWholeTitle(title: string): boolean {
  return title.trim() !== "" && !/(?:…|\.\.\.)\s*$|^\s*(?:https?:\/\/|www\.)\S+\s*$/i.test(title);
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), "");
}

/** Two sources may use the same URL for different things if it is not http(s). Then `foundBy` tells them apart. */
type Identified = Pick<Hit, "url"> & Partial<Pick<Hit, "foundBy"> & Pick<Publication, "doi" | "arxivId" | "pmid">>;

const PUBMED = /^\/(?:(?:m\/)?pubmed\/|(?:article|abstract)\/med\/|med\/)?(\d{1,9})(?:\/|$)/i;
const PMC = /\/(PMC\d+)(?:\.\d+)?(?:\/|$)/i;
const WIKI_VIEW = /^(?:title|variant|useskin|mobileaction|oldformat|redirect|wprov|utm_.*)$/;

/** Returns keys such as `doi:…`, `pmid:…` and `url:…`. Hits that share a key are the same work. */
export function workKeys(hit: Identified): string[] {
  const url = parseAddress(hit.url);
  const bare = /^\s*(?:doi\s*)?10\./i.test(hit.url) ? parseDoi(hit.url) : null;
  const dois = [parseDoi(hit.doi ?? ""), bare, url && doiOfUrl(url)].filter((doi) => doi !== null);
  const arxivUrl = URL.parse(hit.arxivId ?? "");
  const arxivIds = [parseArxivId(hit.arxivId ?? ""), url && arxivIdOfUrl(url), arxivUrl && arxivIdOfUrl(arxivUrl)];
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

function addressKeys(url: URL): (string | null)[] {
  const host = hostOf(url);
  if (host !== "europepmc.org" && !/^(?:(?:pubmed|pmc)\.)?ncbi\.nlm\.nih\.gov$/.test(host)) return [keyed("wiki", wikiPage(host, url))];
  const pmc = PMC.exec(url.pathname)?.[1] ?? /^PMC\d+$/i.exec(url.searchParams.get("accid") ?? "")?.[0];
  const pmid = host === "ncbi.nlm.nih.gov" && !/\/pubmed\//.test(url.pathname) ? undefined : PUBMED.exec(url.pathname)?.[1];
  return [keyed("pmc", pmc?.toUpperCase()), keyed("pmid", pmid?.replace(/^0+/, ""))];
}

/** Returns host and title of a Wikimedia article; null for a revision. Views such as `/zh-hant/…` give the same value. */
function wikiPage(host: string, url: URL): string | null {
  if (!/^[a-z-]+\.(?:wikipedia|wiktionary|wikibooks|wikisource|wikinews|wikiquote|wikiversity|wikivoyage)\.org$/.test(host)) return null;
  if ([...url.searchParams.keys()].some((name) => !WIKI_VIEW.test(name))) return null;
  const inPath = /^\/(?:wiki|zh(?:-[a-z]+)*|sr-e[cl]|kk-[a-z]+|uz-[a-z]+)\/(.+)$/.exec(url.pathname)?.[1];
  const title = inPath === undefined ? (url.searchParams.get("title") ?? "") : safeDecode(inPath);
  if (title === "") return null;
  const spelling = title
    .normalize("NFC")
    .replaceAll(/[\s_]+/g, "_")
    .replace(/_$/, "");
  return `${host}/${host.includes("wiktionary") ? spelling : spelling.charAt(0).toUpperCase() + spelling.slice(1)}`;
}
