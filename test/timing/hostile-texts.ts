import { expect } from "vitest";
import { cpuMs } from "../helpers/expect-linear.ts";

/** Prefixes of what the patterns match, each of which makes a pattern look for its end. */
const BEGINNINGS = [
  "",
  '"isAccessibleForFree"',
  'isAccessibleForFree" content',
  "isAccessibleForFree:",
  "<input type",
  "<input type=",
  '<a b="',
  "<a b=",
  "<a",
  "<sub",
  "window._cf_chl_opt",
  "/cdn-cgi/challenge-platform/",
  "/_Incapsula_Resource?",
  ".awswaf.com/",
  'id="nocaptcha"',
  "10.1234/",
  "10.48550/arXiv.",
  "https://arxiv.org/abs/",
  "arxiv:",
  "cc",
  "2021-03",
  "2021 年",
  "Mon,",
  "March",
  "5",
  "retracted",
  "(retracted",
  "[Retracted]",
  "&#",
  "&#x",
  "&a",
];
const FILLINGS = [
  " ",
  "\n",
  '"',
  "'",
  "<",
  ">",
  "=",
  ".",
  ";",
  "!",
  "a",
  "1",
  "v1",
  "a=b ",
  "(",
  "[",
  ")",
  "/",
  "登录",
  "　",
  "&",
  "%2F",
  "\0",
];

const GROWTH = 8;
/** For eight times the text, linear work takes about eight times as long, quadratic work 64 times. */
const MAX_RATIO = 3 * GROWTH;
/** Milliseconds of this thread's CPU time. Linear work takes less for all texts; quadratic work takes more for one of them. */
const MIN_MS = 400;

/** Returns texts of about `length` characters, each built to make a pattern look far ahead from many places. */
function hostileTexts(length: number, fillings: readonly string[]): string[] {
  return BEGINNINGS.flatMap((start) => [
    ...fillings.map((filling) => `${start}${filling.repeat(length / filling.length)}x`),
    `${start} `.repeat(length / (start.length + 1)),
  ]);
}

/** @throws AssertionError if `look` takes more than linear time for a hostile text */
export function expectLinearOnHostileTexts(look: (text: string) => unknown, length: number, fillings: readonly string[] = FILLINGS): void {
  const small = hostileTexts(length / GROWTH, fillings);
  for (const [i, large] of hostileTexts(length, fillings).entries()) expectProportional(look, small[i] ?? "", large);
}

/** @throws AssertionError if `look` takes longer for `large` than for `small` by more than three times the growth of the length */
export function expectProportional(look: (text: string) => unknown, small: string, large: string): void {
  const ms = cpuMs(() => look(large));
  if (ms < MIN_MS) return;
  // Only a slow case needs a second measurement.
  const ratio =
    ms /
    Math.max(
      1,
      cpuMs(() => look(small)),
    );
  expect(ratio, `${large.slice(0, 60)}: ${Math.round(ms)} ms`).toBeLessThan((MAX_RATIO * large.length) / small.length / GROWTH);
}
