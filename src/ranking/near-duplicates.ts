import { siteOf } from "./canonical-url.ts";
import { STOP_TERMS } from "./query-terms.ts";
import { containment, intersectionSize, shingles } from "./scoring.ts";
import { numbersIn, tokenize } from "./tokenize.ts";

/** A hit taken apart: its terms as they were shown, and what of them is compared. */
export interface Wording {
  readonly titleTerms: readonly string[];
  readonly bodyTerms: readonly string[];
  readonly site: string;
  /** The title without labels, and without the last word where it was cut. */
  readonly name: readonly string[];
  /** The numbers of the title, as one key: texts with other keys are never compared. */
  readonly nameNumbers: string;
  /** Of the body without its dateline, the first 150 terms. */
  readonly body: ReadonlySet<string>;
  readonly bodyNumbers: ReadonlySet<string>;
  readonly bodyShingles: ReadonlySet<string>;
  readonly bodySize: number;
}

/** `contained`: one is empty or holds the other, so that nothing is replaced; `related`: other words for one thing. */
type TitleLikeness = "equal" | "contained" | "related" | "different";
type BodyLikeness = "equal" | "alike" | "different" | "missing";

/** Sizes in words, where a pair of Chinese characters is half a word. Shorter wordings are alike by chance. */
const MIN_BODY = 8;
/** A title with so many words of content is the name of one text, … */
const SPECIFIC_TITLE = 4;
/** … and one with so many says it alone, where there is no wording to compare. */
const TELLING_TITLE = 7;
/** Of a long abstract the beginning is enough; the second is in UTF-16 code units. */
const MAX_COMPARED_TERMS = 150;
const MAX_COUNTED_LENGTH = 1_000;
const EQUAL_AT = 0.9;
const ALIKE_AT = 0.7;
/** The share of the shorter headline that a rewritten one has in common with it. */
const RELATED_AT = 1 / 3;
/** Where fewer words were replaced, nobody wrote a new headline: two of a series, told apart in whatever language. */
const MIN_REWRITTEN = 2;
/** What search engines and agencies put before the first words: a day, an age, a place with the agency's name. */
const DATELINE = new RegExp(
  `^\\s*(?:${[
    String.raw`[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]{2,8}\.? \d{4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}年\d{1,2}月\d{1,2}日`,
    String.raw`\d+ (?:minute|hour|day|week|month|year)s? ago|\d+\s?(?:分钟|小时|天|周|个月|年)前`,
    String.raw`[A-Z][A-Z .,]{1,30}(?:[A-Z][a-z]{2,8}\.? \d{1,2} )?\([A-Z]\w+\)`,
  ].join("|")})\\s*[—·–-]+\\s*`,
);
/** `[2101.00001]`, `[PDF]` and the like before a title. */
const LABEL = /^\s*[[(](?:\d{4}\.\d{4,5}(?:v\d+)?|pdf|html|doc|book|b|c)[\])]\s*/i;
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

export function wordingOf({ url, title, snippet }: { url: string; title: string; snippet: string }): Wording {
  const name = title.replace(LABEL, "");
  const body = snippet.replace(DATELINE, "");
  const titleTerms = tokenize(title);
  const bodyTerms = tokenize(snippet);
  const compared = (body === snippet ? bodyTerms : tokenize(body)).slice(0, MAX_COMPARED_TERMS);
  return {
    titleTerms,
    bodyTerms,
    site: siteOf(url),
    name: withoutCutWord(name, name === title ? titleTerms : tokenize(name)),
    nameNumbers: numbersIn(name).join(" "),
    body: new Set(compared),
    bodyNumbers: new Set(numbersIn(body.slice(0, MAX_COUNTED_LENGTH))),
    bodyShingles: shingles(compared),
    bodySize: sizeOf(compared),
  };
}

/** The last word of a title that was cut may be a piece of one. */
function withoutCutWord(name: string, terms: readonly string[]): readonly string[] {
  return /(?:…|\.\.\.)\s*$/.test(name) ? terms.slice(0, -1) : terms;
}

/**
 * Whether two titles with what was shown of their texts are of one text: a mirrored page, syndicated news, a preprint
 * and its journal version. Titles with other numbers never are. Doubt counts as no:
 * - on one site pages share a template and its sentences, so title and wording have to be the same but for a cut;
 * - on two sites the same wording may stand under a headline of its own, and under the same long title the wording may
 *   have been edited, or be missing on one side.
 */
export function isNearDuplicate(a: Wording, b: Wording): boolean {
  if (a.nameNumbers !== b.nameNumbers) return false;
  const bodies = compareBodies(a, b);
  const titles = compareTitles(a.name, b.name);
  if (bodies === "different" || titles === "different") return false;
  const apart = a.site !== b.site;
  if (bodies === "equal") return titles !== "related" || apart;
  if (titles !== "equal" || !apart) return false;
  return contentSize(a.name) >= (bodies === "alike" ? SPECIFIC_TITLE : TELLING_TITLE);
}

function compareTitles(a: readonly string[], b: readonly string[]): TitleLikeness {
  if (a.join(" ") === b.join(" ") && a.length > 0) return "equal";
  const [left, right] = [new Set(a), new Set(b)];
  const shared = intersectionSize(left, right);
  const smaller = Math.min(left.size, right.size);
  if (shared === smaller) return "contained";
  const rewritten = Math.min(sizeOf(a.filter((term) => !right.has(term))), sizeOf(b.filter((term) => !left.has(term))));
  return rewritten >= MIN_REWRITTEN && shared / smaller >= RELATED_AT ? "related" : "different";
}

function compareBodies(a: Wording, b: Wording): BodyLikeness {
  if (Math.min(a.bodySize, b.bodySize) < MIN_BODY) return "missing";
  const shared = containment(a.bodyShingles, b.bodyShingles);
  if (shared < ALIKE_AT || eachHasItsOwn(a.bodyNumbers, b.bodyNumbers)) return "different";
  // One replaced word (the name of a city) makes two pages of one template.
  return shared >= EQUAL_AT && !eachHasItsOwn(a.body, b.body) ? "equal" : "alike";
}

/** Whether something was replaced, not only left out. */
function eachHasItsOwn(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return intersectionSize(a, b) < Math.min(a.size, b.size);
}

function contentSize(terms: readonly string[]): number {
  return sizeOf(terms.filter((term) => !STOP_TERMS.has(term)));
}

function sizeOf(terms: readonly string[]): number {
  return terms.reduce((size, term) => size + (UNSPACED.test(term) ? 0.5 : 1), 0);
}

/** A wording that more leaders than this share is that of a template, and finds no further ones. */
const MAX_LEADERS_PER_SHINGLE = 50;
/** Of the leaders that share wordings, those that share most are looked at closely. */
const MAX_CANDIDATES = 20;

/**
 * For each wording the index of the one it is a near-duplicate of, its own where there is none. Leaders are found in
 * the order of the list, so the best has to come first; every member is like its leader itself, not through others.
 * Time grows with the number of wordings, not its square, also where all share most of theirs.
 */
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

/** Finds the leaders that share shingles or a title with a wording. */
class LeaderIndex {
  readonly #leadersByFeature = new Map<string, number[]>();

  add(leader: number, wording: Wording): void {
    for (const feature of featuresOf(wording)) {
      const leaders = this.#leadersByFeature.get(feature) ?? [];
      if (leaders.length < MAX_LEADERS_PER_SHINGLE) leaders.push(leader);
      this.#leadersByFeature.set(feature, leaders);
    }
  }

  /** At most 20, those that share most and rarest first, of equals the better one. */
  candidates(wording: Wording): number[] {
    const shared = new Map<number, number>();
    for (const feature of featuresOf(wording)) {
      const leaders = this.#leadersByFeature.get(feature) ?? [];
      // Late leaders are missing under the shingles of a template, so these must weigh little.
      for (const leader of leaders) shared.set(leader, (shared.get(leader) ?? 0) + 1 / leaders.length);
    }
    return [...shared]
      .sort(([a, weightOfA], [b, weightOfB]) => weightOfB - weightOfA || a - b)
      .slice(0, MAX_CANDIDATES)
      .map(([leader]) => leader);
  }
}

/** A space begins no shingle, so that a title is told from one. */
function featuresOf({ bodyShingles, name }: Wording): string[] {
  return name.length > 0 ? [...bodyShingles, ` ${name.join(" ")}`] : [...bodyShingles];
}
