import type { Span } from "../../ranking/sentences.ts";
import { finish, type LongWork } from "../../util/turns.ts";
import { powerOf } from "./numerals.ts";
import { currenciesAround, isPlain, isShare, type Measure, mixesMoney, type Per, perAround, unitAt } from "./units.ts";

export type Side = "low" | "high";
/** "More than" is above, "at least" is least. */
type Hedge = "none" | "about" | "above" | "least" | "below" | "nearly" | "most";

/** A number in a text, without sign: `digits` times ten to the `exponent`. */
export interface Amount extends Span, Measure {
  /** The numeral with scale and unit. The offsets also cover a currency before it. */
  readonly text: string;
  /** Also covers the other end of a range. */
  readonly reach: Span;
  /** The numeral as it is written, without grouping: `27.2` in "$27.2 billion". */
  readonly numeral: string;
  /** The power of ten of a scale behind the numeral: 9 for "billion". */
  readonly scale: number;
  readonly digits: bigint;
  /** The power of ten of the last digit: 3 for 25 thousand, -1 for 2.5. */
  readonly exponent: number;
  readonly per: Per | null;
  readonly hedge: Hedge;
  /**
   * `joined` numbers share a unit ("10 and 30 meters"). `low` and `high` are the ends of a range ("between 10 and 30 meters"); with `maybe-`, of
   * a range or a change ("10 to 30 meters").
   */
  readonly joined: "alone" | "joined" | `${"" | "maybe-"}${Side}`;
  readonly before: string;
}

const GROUPED = String.raw`\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?:,\d{3})+|\d{1,3}(?:[ '’]\d{3})+(?![\d,.])|\d{1,3}(?:\.\d{3}){2,}`;
const PLAIN = String.raw`\d+(?:\.\d{3})*,\d{1,2}(?!\d)|\d+`;
const POWER = String.raw`e(?=\d)\d{1,2}|\^-?\d{1,2}(?!\d)|,\d{1,2}(?!\d)`;
const NUMBER = new RegExp(String.raw`(?<![\p{sc=Latin}\d]|\d[.,])(?:${GROUPED}|${PLAIN})(?:\.\d+)?(?:${POWER})?`, "gu");
const SYMBOL = String.raw`\s?(?:[$€£¥]|US\$)?$`;
const before = (words: string): RegExp => new RegExp(`(?:${words})${SYMBOL}`, "i");
/** Each row has a hedge, its words before a number and those behind it. The first that matches holds. */
const HEDGES = String.raw`
least; \b(?:at least|not? (?:less|fewer) than)|不[少低]于|至少|最少; \+|.{0,6}以上|[^,.;]{0,10}\b(?:or more|(?:and|or) (?:older|over|above))\b
most; \b(?:not? more than|up to|at most)|不超过|不[高多]于|[至最]多
nearly; \b(?:nearly|almost|just under)|将近|接近
above; \b(?:more than|over|above|exceed(?:s|ed|ing)?|upwards of|topp(?:ed|ing)|surpass(?:ed|ing)?)|超过?|多于|高于|逾|突破; .{0,2}[多余](?!于)
below; \b(?:under|(?:less|fewer) than|below)|不到|不足|低于|少于
about; \b(?:about|around|approximately|approx\.?|roughly|some|circa|ca\.?|close to|an estimated)|[约近]|大约|大概|左右; .{0,4}(?:左右|上下)`
  .split(/\n(?=.)/)
  .slice(1)
  .map((row) => {
    const [hedge = "", words = "", behind = "(?!)"] = row.split("; ");
    return { hedge: hedge as Hedge, before: before(words), behind: new RegExp(`^(?:${behind})`) };
  });
const JOINED = before(String.raw`^\s?(?:-|~|to|and|or|bis|至|到|和|或|、)`);
const RANGE = /^\s?(?:-|~|to|bis|至|到)/;
const DASH = /^\s?[-~]/;
/** "Rose to 10 to 30": what changed has become a range. */
const CHANGED = before(String.raw`\bto|[至到]`);
const FROM = before(String.raw`\bfrom|[从由自]`);
const BETWEEN = before(String.raw`\bbetween|\brang\w+ from|介于`);
const LONGEST_NUMBER = 40;
const NEAR = 32;
/** How many amounts are read without a pause. */
const AT_ONCE = 64;

/** Returns the numbers of a text. `lenient`, which is for quotes, adds doubtful readings: 3 million for the 3 of "3 and 10 million". */
export function readAmounts(text: string, lenient: boolean): Amount[] {
  return finish(readingAmounts(text, lenient));
}

export function* readingAmounts(text: string, lenient: boolean): LongWork<Amount[]> {
  const amounts: Amount[] = [];
  let last: Amount | undefined;
  for (const { 0: number, index } of text.matchAll(NUMBER)) {
    if (amounts.length % AT_ONCE === AT_ONCE - 1) yield;
    if (number.length > LONGEST_NUMBER) continue;
    let one = readOne(text, number, index);
    const behind = text.slice(one.end, one.end + NEAR);
    const noun = sharedStart(text.slice(last?.end, index), behind);
    const between = text.slice((last?.end ?? 0) + noun.length, index);
    if (last !== undefined && JOINED.test(between) && mayBeOneMeasure(last, one)) {
      const range = rangeOf(last, between, one, behind);
      const word = BETWEEN.exec(text.slice(Math.max(0, last.start - NEAR), last.start))?.[0] ?? "";
      const reach = { start: last.start - word.length, end: one.end };
      one = { ...one, ...(range === null ? { joined: "joined" } : { joined: `${range}high`, reach }) };
      last = { ...last, ...(range === null ? { joined: "joined" } : { joined: `${range}low`, reach }) };
      amounts[amounts.length - 1] = last;
      if (noun === "" && last.unit === null && last.exponent <= 0) {
        // In "5 to 10 million", 5 means 5 million.
        if (!lenient && RANGE.test(between)) amounts.pop();
        const exponent = last.exponent + (one.scale || Math.max(0, one.exponent));
        amounts.push({ ...last, exponent, unit: one.unit, currencies: last.currencies ?? one.currencies });
      }
    }
    // Points may be those of an index or a game.
    if (lenient && /(?<!percentage |basis )points?$/.test(one.text)) amounts.push({ ...one, unit: null });
    amounts.push(one);
    last = one;
  }
  return amounts;
}

/** In "the forecast for 2025 to 30,000 tons", 2025 is a year. */
const YEAR = /^(?:19|20)\d\d$/;

function mayBeOneMeasure(first: Amount, second: Amount): boolean {
  if (first.unit === null && YEAR.test(first.text) && !YEAR.test(second.text)) return false;
  // "Rose 50 points to 3,000" is no range.
  if (mixesMoney(first, second) || (first.unit !== null && isPlain(second))) return false;
  return first.unit === null || second.unit === null || isShare(first) === isShare(second);
}

/** Returns the noun that two numbers have behind them: " schools" for "300 schools to 400 schools". */
function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length] && /[\p{L} ]/u.test(one.charAt(length))) length++;
  const shared = one.slice(0, length).trimEnd();
  return /\p{sc=Latin}$/u.test(shared) && /^\p{sc=Latin}/u.test(one.slice(shared.length)) ? "" : shared;
}

/** In "rose from 10 to 30" both numbers are facts and not the limits of a range. */
function rangeOf(first: Amount, between: string, second: Amount, behind: string): "" | "maybe-" | null {
  if (BETWEEN.test(first.before) || behind.startsWith("之间")) return "";
  if (!RANGE.test(between) || FROM.test(first.before)) return null;
  if (first.exponent > second.exponent || first.digits >= second.digits) return null;
  return DASH.test(between) || CHANGED.test(first.before) ? "" : "maybe-";
}

/** Which end of a range an amount is; null if it is none. */
export function sideOf({ joined }: Amount): Side | null {
  return joined.endsWith("low") ? "low" : joined.endsWith("high") ? "high" : null;
}

/** Which limit an amount is by the words around it: low for "more than". */
export function boundOf({ hedge }: Pick<Amount, "hedge">): Side | null {
  if (hedge === "above" || hedge === "least") return "low";
  return hedge === "none" || hedge === "about" ? null : "high";
}

function readOne(text: string, number: string, index: number): Amount {
  const before = text.slice(Math.max(0, index - NEAR), index);
  const tail = text.slice(index + number.length, index + number.length + 48);
  const scale = scaleAt(tail, /[$€£¥]\s?$/.test(before));
  const behind = tail.slice(scale.length);
  const found = unitAt(behind);
  const money = currenciesAround(before, behind);
  const length = found?.length ?? money.length;
  const [start, end] = [index - money.ahead, index + number.length + scale.length + length];
  const { digits, exponent } = digitsOf(number);
  const bare = before.replace(/[-([]?\s?(?:[$€£¥]|US\$|USD)?\s?[-(]?$/, (mark) => (/[-(]/.test(mark) ? "" : mark));
  return {
    ...{ text: text.slice(index, end).trim(), start, end, reach: { start, end }, before, joined: "alone", digits },
    numeral: number.replaceAll(/(?<=\d)[ '’,](?=\d{3})/g, ""),
    scale: scale.exponent,
    exponent: exponent + scale.exponent - (money.isMinor ? 2 : 0),
    unit: found?.unit ?? null,
    currencies: money.currencies,
    per: perAround(before, behind.slice(length)),
    hedge: hedgeOf(bare, tail.slice(0, scale.length).replace(/[^多余]/g, "") + behind.slice(length), found?.unit ?? null),
  };
}

function hedgeOf(before: string, behind: string, unit: Measure["unit"]): Hedge {
  // "Over 5 years" may be "during 5 years".
  if (/\bover\s?$/i.test(before) && /months|days|seconds/.test(unit?.kind ?? "")) return "none";
  return (HEDGES.find((one) => one.before.test(before)) ?? HEDGES.find((one) => one.behind.test(behind)))?.hedge ?? "none";
}

/** Reads 10^6, 3.2e4, 1.234.567,8 and 1,234.5. Powers of other numbers are numbers of footnotes. */
function digitsOf(number: string): { readonly digits: bigint; readonly exponent: number } {
  const [, mantissa = "", ten = "0"] = /^(.*?)(?:e(-?\d+)|\^.*)?$/.exec(number.replace(/^10\^/, "1e")) ?? [];
  const hasDecimalComma = /\.\d{3}\.|^[^,]*,\d{1,2}$/.test(mantissa);
  const plain = hasDecimalComma ? mantissa.replaceAll(".", "").replace(",", ".") : mantissa.replaceAll(/[, '’]/g, "");
  const [whole = "0", decimals = ""] = plain.split(".");
  return { digits: BigInt(whole + decimals), exponent: Number(ten) - decimals.length };
}

const SCALES =
  "2 hundred; 3 thousand|Tausend; 5 lakhs?; 6 millions?|mln|mn|Mio\\.?|Millionen; 7 crores?; 9 billions?|bln|bn|Mrd\\.?|Milliarden?; 12 trillions?|tn|trn"
    .split("; ")
    .map((row) => row.split(" "))
    .map(([power, words]) => ({ exponent: Number(power), pattern: new RegExp(String.raw`^[\s-]?(?:${words})(?!\p{sc=Latin})`, "iu") }));
const CHINESE = /^\s?[多余几]?\s?((?:[百千]?[万亿兆]+|[十百千]))(?!米|克|瓦|赫|字节|比特|焦|帕|伏|升|卡|分点)(?:[多余])?/;
const LETTERS: Readonly<Record<string, number>> = { k: 3, K: 3, M: 6, m: 6, B: 9, b: 9, T: 12 };

function scaleAt(text: string, isMoney: boolean): { readonly length: number; readonly exponent: number } {
  for (const { exponent, pattern } of SCALES) {
    const match = pattern.exec(text);
    if (match !== null) return { length: match[0].length, exponent };
  }
  const chinese = CHINESE.exec(text);
  if (chinese !== null) return { length: chinese[0].length, exponent: powerOf(chinese[1] ?? "") };
  const letter = /^([kKMmBbT])(?![\p{sc=Latin}\d])/u.exec(text)?.[1] ?? "";
  const exponent = letter === "m" && !isMoney ? undefined : LETTERS[letter];
  return exponent === undefined ? { length: 0, exponent: 0 } : { length: 1, exponent };
}
