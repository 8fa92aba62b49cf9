import { siteOf } from "./canonical-url.ts";
import { STOP_TERMS } from "./query-terms.ts";
import { containment, intersectionSize, neitherContains, shingles } from "./scoring.ts";
import { numbersIn, tokenize, wordCountOf } from "./tokenize.ts";

export type Wording = Readonly<ReturnType<typeof wordingOf>>;

/** `contained`: one title is empty or a part of the other. `related`: one may be a rewritten headline of the other. */
type TitleLikeness = "equal" | "contained" | "related" | "different";
type BodyLikeness = "equal" | "alike" | "different" | "missing";

/** In words (see `wordCountOf`). Shorter bodies may be alike by chance. */
const MIN_BODY = 8;
/** Equal titles with this many content words identify one text: with similar bodies, or without a body. */
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

/** Returns the terms of a hit. `name` is the title without labels and cut words, `body` the start of the snippet without dateline. */
export function wordingOf({ url, title, snippet }: { url: string; title: string; snippet: string }) {
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
    // Only wordings with the same numbers are compared.
    nameNumbers: numbersIn(name).join(" "),
    body: new Set(compared),
    bodyNumbers: new Set(numbersIn(body.slice(0, MAX_COUNTED_LENGTH))),
    bodyShingles: shingles(compared),
    bodySize: wordCountOf(compared),
  };
}

/**
 * Whether two hits with equal title numbers are one text: a mirrored page, syndicated news, a preprint and its journal version. On one
 * site, where pages share a template, title and body must be equal, or one cut. On two sites equal bodies may have different headlines,
 * and equal long titles may have an edited or missing body.
 */
function isNearDuplicate(a: Wording, b: Wording): boolean {
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

function compareBodies(a: Wording, b: Wording): BodyLikeness {
  if (Math.min(a.bodySize, b.bodySize) < MIN_BODY) return "missing";
  const shared = containment(a.bodyShingles, b.bodyShingles);
  if (shared < ALIKE_AT || neitherContains(a.bodyNumbers, b.bodyNumbers)) return "different";
  // Pages of one template may differ in one word, such as the name of a city.
  return shared >= EQUAL_AT && !neitherContains(a.body, b.body) ? "equal" : "alike";
}

/** A leader is the first text of a cluster. A shingle with more leaders belongs to a template. */
const MAX_LEADERS_PER_SHINGLE = 50;
const MAX_CANDIDATES = 20;

/** Returns for each wording the index of the first near-duplicate (its leader), or its own. The best must come first. Takes linear time. */
export function clusterWordings(wordings: readonly Wording[]): number[] {
  const indexes = new Map<string, LeaderIndex>();
  return wordings.map((wording, i) => {
    const index = indexes.get(wording.nameNumbers) ?? new LeaderIndex();
    indexes.set(wording.nameNumbers, index);
    const leader = index.candidates(wording).find((candidate) => isNearDuplicate(wordings[candidate] ?? wording, wording));
    if (leader === undefined) index.add(i, wording);
    return leader ?? i;
  });
}

class LeaderIndex {
  readonly #leadersByFeature = new Map<string, number[]>();

  add(leader: number, wording: Wording): void {
    for (const feature of featuresOf(wording)) {
      const leaders = this.#leadersByFeature.get(feature) ?? [];
      if (leaders.length < MAX_LEADERS_PER_SHINGLE) leaders.push(leader);
      this.#leadersByFeature.set(feature, leaders);
    }
  }

  /** Returns at most 20 leaders: first those that share the most and rarest features, then the better ones. */
  candidates(wording: Wording): number[] {
    const shared = new Map<number, number>();
    for (const feature of featuresOf(wording)) {
      const leaders = this.#leadersByFeature.get(feature) ?? [];
      // A frequent shingle has no later leaders, so it must weigh little.
      for (const leader of leaders) shared.set(leader, (shared.get(leader) ?? 0) + 1 / leaders.length);
    }
    return [...shared]
      .sort(([a, weightOfA], [b, weightOfB]) => weightOfB - weightOfA || a - b)
      .slice(0, MAX_CANDIDATES)
      .map(([leader]) => leader);
  }
}

function featuresOf({ bodyShingles, name }: Wording): string[] {
  return name.length > 0 ? [...bodyShingles, ` ${name.join(" ")}`] : [...bodyShingles];
}
