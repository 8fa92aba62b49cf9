import type { Span } from "../../ranking/sentences.ts";
import { powerOf } from "./numerals.ts";
import { isShare, rateAround, scaleAt, type Unit, unitsAround } from "./units.ts";

export type Side = "low" | "high";
/** "At least" is low, "more than" above. */
type Hedge = "none" | "about" | "above" | "below" | Side;

/** A number in a text, without sign: `digits` times ten to the `exponent`, the power of ten of the last digit. */
export interface Amount extends Span {
  /** The numeral with scale and unit. The offsets also cover a currency before it, and `reach` the other end of a range. */
  readonly text: string;
  readonly reach: Span;
  /** The numeral as it is written, without grouping: `27.2` in "$27.2 billion". */
  readonly numeral: string;
  /** The power of ten of a scale behind the numeral: 9 for "billion". */
  readonly scale: number;
  readonly digits: bigint;
  readonly exponent: number;
  /** What the words around the number may mean, and none for a plain number. */
  readonly units: readonly Unit[];
  /** The rate of the amount, as `rateAround` returns it: the unit of the hour in "5 km per hour". */
  readonly per: string | null;
  readonly hedge: Hedge;
  /** `joined` numbers share a unit. `low` and `high` are the ends of a range. */
  readonly joined: "alone" | "joined" | Side;
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
low; \b(?:at least|not? (?:less|fewer) than)|不[少低]于|至少|最少; \+|.{0,6}以上|[^,.;]{0,10}\b(?:or more|(?:and|or) (?:older|over|above))\b
high; \b(?:not? more than|up to|at most)|不超过|不[高多]于|[至最]多
above; \b(?:more than|over|above|exceed(?:s|ed|ing)?|upwards of|topp(?:ed|ing)|surpass(?:ed|ing)?)|超过?|多于|高于|逾|突破; .{0,2}[多余](?!于)
below; \b(?:under|(?:less|fewer) than|below)|不到|不足|低于|少于
about; \b(?:nearly|almost|about|around|approx(?:imately|\.)?|roughly|some|circa|ca\.?|close to|an estimated)|[约近]|大约|大概; .{0,4}(?:左右|上下)`
  .split(/\n(?=.)/)
  .slice(1)
  .map((row) => {
    const [hedge = "", words = "", behind = "(?!)"] = row.split("; ");
    return { hedge: hedge as Hedge, before: before(words), behind: new RegExp(`^(?:${behind})`) };
  });
const JOINED = before(String.raw`^\s?(?:-|~|to|and|or|bis|至|到|和|或|、)`);
const RANGE = /^\s?(?:-|~|to|bis|至|到)/;
const FROM = before(String.raw`\bfrom|[从由自]`);
const BETWEEN = before(String.raw`\bbetween|\brang\w+ from|介于`);
const YEAR = /^(?:19|20)\d\d$/;
const LONGEST_NUMBER = 40;
const NEAR = 32;

/** Returns the numbers of a text. `lenient`, which is for quotes, adds doubtful readings: 3 million for the 3 of "3 and 10 million". */
export function readAmounts(text: string, lenient: boolean): Amount[] {
  const amounts: Amount[] = [];
  let last: Amount | undefined;
  for (const { 0: number, index } of text.matchAll(NUMBER)) {
    if (number.length > LONGEST_NUMBER) continue;
    let one = readOne(text, number, index);
    const [noun, between] = last === undefined || index - last.end > NEAR ? [] : betweenAmounts(text, last.end, one);
    if (last !== undefined && between !== undefined && JOINED.test(between) && mayBeOneMeasure(last, one)) {
      const isPair = isRange(last, between, one, text.slice(one.end, one.end + 2));
      const word = BETWEEN.exec(last.before)?.[0] ?? "";
      const reach = { start: last.start - word.length, end: one.end };
      one = { ...one, ...(isPair ? { joined: "high", reach } : { joined: "joined" }) };
      last = { ...last, ...(isPair ? { joined: "low", reach } : { joined: "joined" }) };
      amounts[amounts.length - 1] = last;
      if (noun === "" && last.exponent <= 0 && (last.units.length === 0 || last.units.some(({ kind }) => kind === "money"))) {
        // In "5 to 10 million", 5 means 5 million.
        if (!lenient && RANGE.test(between)) amounts.pop();
        const exponent = last.exponent + (one.scale || Math.max(0, one.exponent));
        amounts.push({ ...last, exponent, units: last.units.length > 0 ? last.units : one.units });
      }
    }
    amounts.push(one);
    last = one;
  }
  return amounts;
}

/** Two numbers may have the same noun behind them: " schools" in "300 schools to 400 schools". Returns it and what else is between them. */
function betweenAmounts(text: string, from: number, { start, end }: Amount): readonly [noun: string, between: string] {
  const between = text.slice(from, start);
  const noun =
    /^([\p{L} ]*)(?!\p{sc=Latin}).*\0\1(?!\p{sc=Latin})/u.exec(`${between}\0${text.slice(end, end + NEAR)}`)?.[1]?.trimEnd() ?? "";
  return [noun, between.slice(noun.length)];
}

/** In "the forecast for 2025 to 30,000 tons", 2025 is a year. "Rose 50 points to 3,000" is no range. */
function mayBeOneMeasure(first: Amount, second: Amount): boolean {
  const [[one], [two]] = [first.units, second.units];
  if (one === undefined) return !YEAR.test(first.text) || YEAR.test(second.text);
  const isMoney = one.kind === "money";
  return two === undefined ? isMoney : isShare(one) === isShare(two) && isMoney === (two.kind === "money");
}

/** In "rose from 10 to 30" both numbers are facts and not the limits of a range. */
function isRange(first: Amount, between: string, second: Amount, behind: string): boolean {
  if (BETWEEN.test(first.before) || behind === "之间") return true;
  return RANGE.test(between) && !FROM.test(first.before) && first.exponent <= second.exponent && first.digits < second.digits;
}

/** Which end of a range an amount is; null if it is none. */
export function sideOf({ joined }: Amount): Side | null {
  return joined === "low" || joined === "high" ? joined : null;
}

/** Which limit an amount is by the words around it: low for "more than". */
export function boundOf({ hedge }: Pick<Amount, "hedge">): Side | null {
  if (hedge === "above" || hedge === "low") return "low";
  return hedge === "below" || hedge === "high" ? "high" : null;
}

function readOne(text: string, number: string, index: number): Amount {
  const before = text.slice(Math.max(0, index - NEAR), index);
  const tail = text.slice(index + number.length, index + number.length + 48);
  const scale = scaleBehind(tail, /[$€£¥]\s?$/.test(before));
  const behind = tail.slice(scale.length);
  const { units, ahead, length } = unitsAround(before, behind);
  const [start, end] = [index - ahead, index + number.length + scale.length + length];
  const bare = before.replace(/[-([]?\s?(?:[$€£¥]|US\$|USD)?\s?[-(]?$/, (mark) => (/[-(]/.test(mark) ? "" : mark));
  const { digits, exponent } = digitsOf(number);
  return {
    ...{ text: text.slice(index, end).trim(), start, end, reach: { start, end }, before, joined: "alone", digits, units },
    numeral: number.replaceAll(/(?<=\d)[ '’,](?=\d{3})/g, ""),
    scale: scale.exponent,
    exponent: exponent + scale.exponent,
    per: rateAround(before, behind.slice(length)),
    hedge: hedgeOf(bare, tail.slice(0, scale.length).replace(/[^多余]/g, "") + behind.slice(length), units),
  };
}

function hedgeOf(before: string, behind: string, units: readonly Unit[]): Hedge {
  // "Over 5 years" may be "during 5 years".
  if (/\bover\s?$/i.test(before) && units.some(({ kind }) => /months|days|seconds/.test(kind))) return "none";
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

const CHINESE = /^\s?[多余几]?\s?((?:[百千]?[万亿兆]+|[十百千]))(?!米|克|瓦|赫|字节|比特|焦|帕|伏|升|卡|分点)(?:[多余])?/;

/** A small m behind a number is mostly a unit. */
function scaleBehind(text: string, isMoney: boolean): ReturnType<typeof scaleAt> {
  const chinese = CHINESE.exec(text);
  if (chinese !== null) return { length: chinese[0].length, exponent: powerOf(chinese[1] ?? "") };
  return (isMoney ? /^m(?![\p{sc=Latin}\d])/iu : /^M(?![\p{sc=Latin}\d])/u).test(text) ? { length: 1, exponent: 6 } : scaleAt(text);
}
