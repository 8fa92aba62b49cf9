import { unitAt } from "./units.ts";

const SPANS: readonly (readonly [perYear: bigint, words: string])[] = [
  [31_536_000n, "s|secs?|seconds?|秒钟?"],
  [525_600n, "min|minutes?|分钟"],
  [8_760n, "h|hrs?|hours?|小时"],
  [365n, "days?|天|日"],
  [52n, "weeks?|周"],
  [12n, "months?|月"],
  [1n, "yr|years?|annum|年"],
];
const BEHIND = SPANS.map(([perYear, words]) => ({
  perYear,
  pattern: new RegExp(
    String.raw`^(?:\s\p{Ll}{2,20}){0,2}?(?:\s?/\s?|\s(?:per|an?|each|every)\s|\s?[/每])(?:${words})(?![\p{sc=Latin}]| ago| later| earlier| after| before)`,
    "u",
  ),
}));
/** In one word: $5 monthly, an annual fee of $5. */
const ADVERBS: readonly (readonly [perYear: bigint, words: string])[] = [
  [8_760n, "hourly"],
  [365n, "daily"],
  [52n, "weekly"],
  [12n, "monthly"],
  [1n, "yearly|annually|annual"],
];
const SAID = ADVERBS.map(([perYear, words]) => ({
  perYear,
  behind: new RegExp(String.raw`^\s?(?:${words})\b`),
  before: new RegExp(
    String.raw`\b(?:${words}) (?:fee|price|rent|cost|output|production|wage|salary|income|dose)s?(?: (?:of|is|was|at))? ?[$€£¥]?$`,
  ),
}));
/** What else a number may be told of, one by one; units of measure are as their table has them. */
const SHARERS: readonly (readonly [kind: string, words: string])[] = [
  ["person", "capita|person|head|inhabitant|resident|人(?!次)|名居民"],
  ["household", "household|family|户"],
  ["night", "night|晚|夜"],
  ["vehicle", "vehicle|car|辆车?"],
  ["share", "share|股"],
  ["unit", "unit|item|piece|件|个(?!月|星期|小时)"],
];
const PER = /^(?:\s\p{Ll}{2,20})??(?:\s?\/\s?|\s(?:per|every)\s|\s?每)/u;
const PER_BEFORE = /(?:每|\bper )([^\d，。,.;；]{1,16}?)(?:为|约|售价|价格|成本|高达|达|重|需|要|收|[:：])?\s?[$€£¥]?$/u;

/** What a number that is no rate in time is told for each of (a kind and, of a measure, its size), with `before` and `behind` around it. */
export function sharerAround(before: string, behind: string): string | null {
  const per = PER.exec(behind);
  if (per !== null) return sharerAt(behind.slice(per[0].length));
  const ahead = PER_BEFORE.exec(before)?.[1];
  return ahead === undefined ? (/人均\D{0,6}$/.test(before) ? "person" : null) : sharerAt(ahead);
}

function sharerAt(text: string): string | null {
  const named = SHARERS.find(([, words]) => new RegExp(String.raw`^(?:${words})(?!\p{sc=Latin})`, "u").test(text));
  if (named !== undefined) return named[0];
  const found = unitAt(text);
  if (found === null || TIMES.has(found.unit.kind)) return null;
  return `${found.unit.kind} ${found.unit.factor}`;
}

const TIMES = new Set(["months", "days", "seconds", "percent", "points"]);
const BEFORE = SPANS.map(([perYear, words]) => ({
  perYear,
  pattern: new RegExp(String.raw`(?:每|\b(?:per|each|every) )(?:${words})[^\d，。,.;；]{0,8}$`, "u"),
}));

/** How often in a year it comes, of a number with `before` and, behind its unit, `behind` around it; null where it is no rate. */
export function ratesAround(before: string, behind: string): bigint | null {
  const found = BEHIND.find(({ pattern }) => pattern.test(behind)) ?? BEFORE.find(({ pattern }) => pattern.test(before));
  const said = found ?? SAID.find((word) => word.behind.test(behind) || word.before.test(before));
  return said?.perYear ?? (/时速[^\d，。]{0,6}$/.test(before) ? 8_760n : null);
}
