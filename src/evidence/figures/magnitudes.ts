import type { Amount } from "./amounts.ts";

const POWERS: Readonly<Record<string, number>> = {
  ten: 1,
  dozen: 1,
  score: 1,
  hundred: 2,
  thousand: 3,
  million: 6,
  billion: 9,
  trillion: 12,
};
const WORDS =
  /(?<!\d[\d.,]* ?)\b(?:(ten|hundred|thousand)s of (?=\w+s\b))?(dozen|score|hundred|thousand|million|billion|trillion)s(?: of\b|(?<=s of \w+))/gi;
const CHINESE = /[数几上]([十百千]?[百千万亿]+)(?!分|\d)/g;
const SCALES: Readonly<Record<string, number>> = { 十: 1, 百: 2, 千: 3, 万: 4, 亿: 8 };

interface Magnitude {
  readonly text: string;
  readonly power: number;
}

/** The sizes that `claim` tells without a number, such as "millions of", and that `quoted` neither tells so nor by a number of that size. */
export function missingMagnitudes(claim: string, quoted: string, amounts: readonly Amount[]): string[] {
  const told = new Set(magnitudesIn(quoted).map(({ power }) => power));
  return magnitudesIn(claim)
    .filter(({ power }) => !told.has(power) && !amounts.some((amount) => isOfSize(amount, power) && !isYear(amount)))
    .map(({ text }) => text);
}

function magnitudesIn(text: string): Magnitude[] {
  const english = [...text.matchAll(WORDS)].map(({ 0: whole, 1: tens, 2: scale = "" }) => ({
    text: whole.replace(/ of$/i, ""),
    power: (tens === undefined ? 0 : (POWERS[tens.toLowerCase()] ?? 0)) + (POWERS[scale.toLowerCase()] ?? 0),
  }));
  const chinese = [...text.matchAll(CHINESE)].map(({ 0: whole, 1: scale = "" }) => ({
    text: whole,
    power: [...scale].reduce((sum, character) => sum + (SCALES[character] ?? 0), 0),
  }));
  return [...english, ...chinese];
}

function isYear({ text, unit, currencies }: Amount): boolean {
  return unit === null && currencies === null && /^(?:1[5-9]|20)\d\d$/.test(text);
}

function isOfSize({ digits, exponent }: Amount, power: number): boolean {
  const size = digits.toString().length - 1 + exponent;
  return digits > 0n && size >= power && size < power + (power === 1 ? 2 : 3);
}
