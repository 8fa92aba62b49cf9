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
const BEFORE = SPANS.map(([perYear, words]) => ({
  perYear,
  pattern: new RegExp(String.raw`(?:每|\b(?:per|each|every) )(?:${words})[^\d，。,.;；]{0,8}$`, "u"),
}));

/** How often in a year it comes, of a number with `before` and, behind its unit, `behind` around it; null where it is no rate. */
export function ratesAround(before: string, behind: string): bigint | null {
  return BEHIND.find(({ pattern }) => pattern.test(behind))?.perYear ?? BEFORE.find(({ pattern }) => pattern.test(before))?.perYear ?? null;
}
