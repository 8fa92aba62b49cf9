/** How a text ranks something: `2` of "second largest", with the adjective in a form that both languages share. */
interface Rank {
  readonly text: string;
  readonly place: number;
  readonly by: string;
}

const PLACES = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth".split("|");
const CHINESE = "一二三四五六七八九十";
const PLACE = String.raw`(?:(${PLACES.join("|")})|(\d{1,3})(?:st|nd|rd|th))`;
/** What looks like a superlative and is none. */
const NO_RANK = /^(?:inter|for|har|man|mod|hon|t|gu|r|w|b|n|v|p|ch|qu|conqu|requ|prot|cont|inv|sugg|dig|cr|arr|beq|l|f|temp|for)est$/;
const ENGLISH = new RegExp(String.raw`\b(?:${PLACE}[- ])?(most \p{Ll}{3,20}|\p{Ll}{2,16}est)\b`, "giu");
const HAN = /(?:第\s?([一二三四五六七八九十]|\d{1,3})|(最))(大|高|长|多|小|富|快|重|古老|年轻|强|远|深|低|短)(?!多数|限|学)/g;
const SAME: Readonly<Record<string, string>> = {
  largest: "大",
  biggest: "大",
  highest: "高",
  tallest: "高",
  longest: "长",
  smallest: "小",
  richest: "富",
  wealthiest: "富",
  fastest: "快",
  heaviest: "重",
  oldest: "古老",
  youngest: "年轻",
  strongest: "强",
  farthest: "远",
  deepest: "深",
  lowest: "低",
  shortest: "短",
};
const OPPOSITES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "大 小",
    "高 低",
    "长 短",
    "富 poorest",
    "快 slowest",
    "重 lightest",
    "古老 年轻",
    "古老 newest",
    "强 weakest",
    "远 nearest",
    "best worst",
  ].flatMap((pair) => {
    const [one = "", other = ""] = pair.split(" ");
    return [
      [one, other],
      [other, one],
    ];
  }),
);
/** An ordinal and what it counts: the third president, 第三次. */
const COUNTED = new RegExp(String.raw`(?<!\d |\b(?:a|per|one|every) )\b${PLACE}[- ](?!half|quarter|century|fiscal)(\p{Ll}{3,20})`, "giu");
const HAN_COUNTED = /第\s?([一二三四五六七八九十]|\d{1,3})(?!季|[大高长多])(\p{sc=Han}{2,3})/gu;
const RANKED = new RegExp(String.raw`\b(?:rank(?:s|ed|ing)?|came|finish(?:es|ed)|plac(?:es|ed)) (?:in )?${PLACE}\b(?! by| from)`, "gi");
const HAN_RANKED = /(?:排名?|位列|位居|名列|居)(?:全[国球]|世界)?第\s?([一二三四五六七八九十]|\d{1,3})/g;
const ANY = new RegExp(String.raw`\b${PLACE}\b|第\s?([一二三四五六七八九十]|\d{1,3})|\b(?:No\.?|number|#) ?(\d{1,3})\b`, "gi");

/**
 * The ranks and ordinals of `claim` that `quoted` tells otherwise: another place by the same measure ("third largest" for "second
 * largest", "the largest"), or another place of the same things. What quotes do not rank is not judged.
 */
export function turnedRanks(claim: string, quoted: string): string[] {
  const superlatives = ranksIn(quoted);
  const counted = countedIn(quoted);
  const places = placesIn(quoted);
  const differs = (own: Rank, told: readonly Rank[]): boolean => {
    const same = told.filter(({ by }) => by === own.by);
    if (same.length === 0) return told.some(({ by }) => by === OPPOSITES[own.by]);
    return !same.some(({ place }) => place === own.place);
  };
  return [
    ...ranksIn(claim).filter((own) => differs(own, superlatives) || (own.place > 1 && places.size > 0 && !places.has(own.place))),
    ...countedIn(claim).filter((own) => differs(own, counted) && !places.has(own.place)),
    ...rankedIn(claim).filter(({ place }) => places.size > 0 && !places.has(place)),
  ].map(({ text }) => text);
}

function ranksIn(text: string): Rank[] {
  const english = [...text.matchAll(ENGLISH)]
    .filter(({ 3: by = "", index }) => !NO_RANK.test(by) && !(/^most /.test(by) && !/\bthe (?:\w+[- ])?$/i.test(text.slice(0, index))))
    .map(
      ({ 0: whole, 1: word, 2: digits, 3: by = "" }): Rank => ({
        text: whole,
        place: placeOf(word, digits) ?? 1,
        by: SAME[by.toLowerCase()] ?? by.toLowerCase(),
      }),
    );
  const chinese = [...text.matchAll(HAN)].map(
    ({ 0: whole, 1: place, 3: by = "" }): Rank => ({ text: whole, place: place === undefined ? 1 : chinesePlace(place), by }),
  );
  return [...english, ...chinese];
}

function countedIn(text: string): Rank[] {
  const english = [...text.matchAll(COUNTED)].map(
    ({ 0: whole, 1: word, 2: digits, 3: by = "" }): Rank => ({ text: whole, place: placeOf(word, digits) ?? 1, by: by.toLowerCase() }),
  );
  const chinese = [...text.matchAll(HAN_COUNTED)].map(
    ({ 0: whole, 1: place = "", 2: by = "" }): Rank => ({ text: whole, place: chinesePlace(place), by }),
  );
  return [...english, ...chinese];
}

function rankedIn(text: string): Rank[] {
  const english = [...text.matchAll(RANKED)].map(
    ({ 0: whole, 1: word, 2: digits }): Rank => ({ text: whole, place: placeOf(word, digits) ?? 1, by: "" }),
  );
  const chinese = [...text.matchAll(HAN_RANKED)].map(
    ({ 0: whole, 1: place = "" }): Rank => ({ text: whole, place: chinesePlace(place), by: "" }),
  );
  return [...english, ...chinese];
}

/** Every place that a text names in any way; "the largest" is the first one. */
function placesIn(text: string): Set<number> {
  const named = Array.from(text.matchAll(ANY), ({ 1: word, 2: digits, 3: han, 4: number }) =>
    han === undefined ? (placeOf(word, digits ?? number) ?? 0) : chinesePlace(han),
  );
  return new Set([...named, ...ranksIn(text).map(({ place }) => place)]);
}

function placeOf(word: string | undefined, digits: string | undefined): number | null {
  if (word !== undefined) return PLACES.indexOf(word.toLowerCase()) + 1;
  return digits === undefined ? null : Number(digits);
}

function chinesePlace(numeral: string): number {
  return /^\d/.test(numeral) ? Number(numeral) : CHINESE.indexOf(numeral) + 1;
}
