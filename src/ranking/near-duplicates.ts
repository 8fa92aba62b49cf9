import { siteOf } from "./canonical-url.ts";
import { STOP_TERMS } from "./query-terms.ts";
import { containment, intersectionSize, neitherContains, shingles } from "./scoring.ts";
import { numbersIn, tokenize, wordCountOf } from "./tokenize.ts";

export type HitTerms = Readonly<ReturnType<typeof termsOfHit>>;

/** `contained`: all terms of one title (maybe none) are in the other. `related`: one may be a rewritten headline of the other. */
type TitleLikeness = "equal" | "contained" | "related" | "different";
type BodyLikeness = "equal" | "alike" | "different" | "missing";

/** In words (see `wordCountOf`). Shorter bodies may be alike by chance, so they count as missing. */
const MIN_BODY = 8;
/** Equal titles identify one text from this many content words on: 4 if the bodies are alike, 7 if a body is missing. */
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

/** Returns the terms of a hit. `name`: title without labels and a cut last word. `body`: start of the snippet without dateline. */
export function termsOfHit({ url, title, snippet }: { url: string; title: string; snippet: string }) {
  const name = title.replace(LABEL, "");
  const body = snippet.replace(DATELINE, "");
  const titleTerms = tokenize(title);
  const bodyTerms = tokenize(snippet);
  const nameTerms = name === title ? titleTerms : tokenize(name);
  const compared = (body === snippet ? bodyTerms : tokenize(body)).slice(0, MAX_COMPARED_TERMS);
  return {
    titleTerms,
    bodyTerms,
    site: siteOf(url),
    name: /(?:…|\.\.\.)\s*$/.test(name) ? nameTerms.slice(0, -1) : nameTerms,
    // Only hits with equal title numbers are compared.
    nameNumbers: numbersIn(name).join(" "),
    body: new Set(compared),
    bodyNumbers: new Set(numbersIn(body.slice(0, MAX_COUNTED_LENGTH))),
    bodyShingles: shingles(compared),
    bodySize: wordCountOf(compared),
  };
}

/**
 * Whether two hits with equal title numbers are one text: a mirrored page, syndicated news, a preprint and its journal version. Pages of
 * one site share a template, so both titles and both bodies must be equal, or one a cut version of the other. On two sites, equal bodies
 * may have different headlines, and equal long titles may have an edited or missing body.
 */
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

/** A leader is the first hit of a cluster. A shingle that more leaders share comes from a template. */
const MAX_LEADERS_PER_SHINGLE = 50;
const MAX_CANDIDATES = 20;

/** Returns for each hit the index of its leader, the first near-duplicate, or its own index. The best must come first. Linear time. */
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
  readonly #leadersByFeature = new Map<string, number[]>();

  add(leader: number, terms: HitTerms): void {
    for (const feature of featuresOf(terms)) {
      const leaders = this.#leadersByFeature.get(feature) ?? [];
      if (leaders.length < MAX_LEADERS_PER_SHINGLE) leaders.push(leader);
      this.#leadersByFeature.set(feature, leaders);
    }
  }

  /** Returns at most 20 leaders, first those that share the most and rarest features; of equals the better one comes first. */
  candidates(terms: HitTerms): number[] {
    const shared = new Map<number, number>();
    for (const feature of featuresOf(terms)) {
      const leaders = this.#leadersByFeature.get(feature) ?? [];
      // The list of a frequent shingle is full and lacks later leaders, so the shingle weighs little.
      for (const leader of leaders) shared.set(leader, (shared.get(leader) ?? 0) + 1 / leaders.length);
    }
    return [...shared]
      .sort(([a, weightOfA], [b, weightOfB]) => weightOfB - weightOfA || a - b)
      .slice(0, MAX_CANDIDATES)
      .map(([leader]) => leader);
  }
}

function featuresOf({ bodyShingles, name }: HitTerms): string[] {
  return name.length > 0 ? [...bodyShingles, ` ${name.join(" ")}`] : [...bodyShingles];
}
