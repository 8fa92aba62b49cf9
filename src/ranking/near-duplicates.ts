import { publisherSiteOf } from "./canonical-url.ts";
import { containment, hashOf, shingles } from "./hashed-sets.ts";
import { countTerms, intersectionSize, neitherContains } from "./scoring.ts";
import { STOP_TERMS } from "./stop-words.ts";
import { numbersIn, tokenize, wordCountOf } from "./tokenize.ts";

export type HitTerms = Readonly<ReturnType<typeof termsOfHit>>;

type TitleLikeness = "equal" | "contained" | "related" | "different";
type BodyLikeness = "equal" | "alike" | "different" | "missing";

/** In words. Shorter snippets may be equal by chance, so they are not compared. */
const MIN_BODY = 8;
/** Many pages share a short title. Equal titles need at least 4 words if the snippets are similar, and 7 if a snippet is missing. */
const SPECIFIC_TITLE = 4;
const TELLING_TITLE = 7;
const MAX_COMPARED_TERMS = 150;
const MAX_COUNTED_LENGTH = 1_000;
const EQUAL_AT = 0.9;
const ALIKE_AT = 0.7;
const RELATED_AT = 1 / 3;
const MIN_REWRITTEN = 2;
const DATELINE = new RegExp(
  `^\\s*(?:${[
    String.raw`[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]{2,8}\.? \d{4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}年\d{1,2}月\d{1,2}日`,
    String.raw`\d+ (?:minute|hour|day|week|month|year)s? ago|\d+\s?(?:分钟|小时|天|周|个月|年)前`,
    String.raw`[A-Z][A-Z .,]{1,30}(?:[A-Z][a-z]{2,8}\.? \d{1,2} )?\([A-Z]\w+\)`,
  ].join("|")})\\s*[—·–-]+\\s*`,
);
const LABEL = /^\s*[[(](?:\d{4}\.\d{4,5}(?:v\d+)?|pdf|html|doc|book|b|c)[\])]\s*/i;

/** In UTF-16 code units of titles and snippets. Their terms take about fifty times as much memory, in bytes. */
const MAX_ANALYZED_LENGTH = 200_000;
/** The queries of a run, and those of later runs, often find the same passages again. */
const analyzed = new Map<string, ReturnType<typeof analyzeHit>>();
let analyzedLength = 0;

export function termsOfHit({ url, title, snippet }: { url: string; title: string; snippet: string }) {
  const key = JSON.stringify([title, snippet]);
  const terms = analyzed.get(key) ?? (key.length > MAX_ANALYZED_LENGTH ? analyzeHit(title, snippet) : analyzeAndKeep(key));
  return { ...terms, site: publisherSiteOf(url) };
}

function analyzeAndKeep(key: string): ReturnType<typeof analyzeHit> {
  // Terms can be slices of what is analyzed, so they would keep a whole document if the snippet is a slice of it. What is parsed is a copy.
  const [title, snippet] = JSON.parse(key) as [string, string];
  const terms = analyzeHit(title, snippet);
  analyzedLength += key.length;
  if (analyzedLength > MAX_ANALYZED_LENGTH) {
    analyzed.clear();
    analyzedLength = key.length;
  }
  analyzed.set(key, terms);
  return terms;
}

/** `name` is the title without a label such as `[PDF]` and without a truncated last word. `body` is the snippet without its dateline. */
function analyzeHit(title: string, snippet: string) {
  const name = title.replace(LABEL, "");
  const body = snippet.replace(DATELINE, "");
  const titleTerms = tokenize(title);
  const bodyTerms = tokenize(snippet);
  const nameTerms = name === title ? titleTerms : tokenize(name);
  const compared = (body === snippet ? bodyTerms : tokenize(body)).slice(0, MAX_COMPARED_TERMS);
  return {
    titleTerms: countTerms(titleTerms),
    bodyTerms: countTerms(bodyTerms),
    name: /(?:…|\.\.\.)\s*$/.test(name) ? nameTerms.slice(0, -1) : nameTerms,
    nameNumbers: numbersIn(name).join(" "),
    body: new Set(compared),
    bodyNumbers: new Set(numbersIn(body.slice(0, MAX_COUNTED_LENGTH))),
    bodyShingles: shingles(compared),
    bodySize: wordCountOf(compared),
  };
}

/** Hits of the same publisher need equal snippets, because their pages share a template. Hits of different ones need similar ones. */
function isNearDuplicate(a: HitTerms, b: HitTerms): boolean {
  const bodies = compareBodies(a, b);
  const titles = compareTitles(a.name, b.name);
  if (bodies === "different" || titles === "different") return false;
  const onTwoSites = a.site !== b.site;
  if (bodies === "equal") return titles !== "related" || onTwoSites;
  if (titles !== "equal" || !onTwoSites) return false;
  const contentSize = wordCountOf(a.name.filter((term) => !STOP_TERMS.has(term)));
  return contentSize >= (bodies === "alike" ? SPECIFIC_TITLE : TELLING_TITLE);
}

function compareTitles(a: readonly string[], b: readonly string[]): TitleLikeness {
  if (a.join(" ") === b.join(" ") && a.length > 0) return "equal";
  const [left, right] = [new Set(a), new Set(b)];
  const shared = intersectionSize(left, right);
  const smaller = Math.min(left.size, right.size);
  if (shared === smaller) return "contained";
  const rewritten = Math.min(wordCountOf(a.filter((term) => !right.has(term))), wordCountOf(b.filter((term) => !left.has(term))));
  return rewritten >= MIN_REWRITTEN && shared / smaller >= RELATED_AT ? "related" : "different";
}

function compareBodies(a: HitTerms, b: HitTerms): BodyLikeness {
  if (Math.min(a.bodySize, b.bodySize) < MIN_BODY) return "missing";
  const shared = containment(a.bodyShingles, b.bodyShingles);
  if (shared < ALIKE_AT || neitherContains(a.bodyNumbers, b.bodyNumbers)) return "different";
  // Pages made from one template may differ in a single word, such as the name of a city.
  return shared >= EQUAL_AT && !neitherContains(a.body, b.body) ? "equal" : "alike";
}

/** The first hit of a cluster is its leader. A shingle in more leaders than this is boilerplate. */
const MAX_LEADERS_PER_SHINGLE = 50;
const MAX_CANDIDATES = 20;

/** Returns for each hit the index of the first hit that it duplicates, or of the hit itself. `hits` must be sorted, best first. */
export function clusterNearDuplicates(hits: readonly HitTerms[]): number[] {
  const indexes = new Map<string, LeaderIndex>();
  return hits.map((terms, i) => {
    const index = indexes.get(terms.nameNumbers) ?? new LeaderIndex();
    indexes.set(terms.nameNumbers, index);
    const leader = index.candidates(terms).find((candidate) => isNearDuplicate(hits[candidate] ?? terms, terms));
    if (leader === undefined) index.add(i, terms);
    return leader ?? i;
  });
}

class LeaderIndex {
  readonly #leadersByFeature = new Map<number, number[]>();

  add(leader: number, terms: HitTerms): void {
    for (const feature of featuresOf(terms)) {
      const leaders = this.#leadersByFeature.get(feature);
      if (leaders === undefined) this.#leadersByFeature.set(feature, [leader]);
      else if (leaders.length < MAX_LEADERS_PER_SHINGLE) leaders.push(leader);
    }
  }

  /** Returns up to 20 leaders that share the most features with `terms`. Rare features count more. */
  candidates(terms: HitTerms): number[] {
    const shared = new Map<number, number>();
    for (const feature of featuresOf(terms)) {
      const leaders = this.#leadersByFeature.get(feature) ?? [];
      for (const leader of leaders) shared.set(leader, (shared.get(leader) ?? 0) + 1 / leaders.length);
    }
    return [...shared]
      .sort(([a, weightOfA], [b, weightOfB]) => weightOfB - weightOfA || a - b)
      .slice(0, MAX_CANDIDATES)
      .map(([leader]) => leader);
  }
}

/** The hashes of the shingles and of the name. */
function featuresOf({ bodyShingles, name }: HitTerms): Iterable<number> {
  return name.length > 0 ? [...bodyShingles, hashOf(` ${name.join(" ")}`)] : bodyShingles;
}
