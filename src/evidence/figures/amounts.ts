import { currenciesAround, type Unit, unitAt } from "./units.ts";

const RATED = "(?:fee|price|rent|cost|output|production|wage|salary|income|dose)s?";
/** Each row has the number of units in a year, a pattern for "per month" and a pattern for "monthly". `$^` matches nothing. */
const RATES = (
  [
    [31_536_000n, "s|secs?|seconds?|秒钟?", "$^"],
    [525_600n, "min|minutes?|分钟", "$^"],
    [8_760n, "h|hrs?|hours?|小时", "hourly"],
    [365n, "days?|天|日", "daily"],
    [52n, "weeks?|周", "weekly"],
    [12n, "months?|月", "monthly"],
    [1n, "yr|years?|annum|年", "yearly|annually|annual"],
  ] as const
).map(([perYear, span, adverb]) => ({
  perYear,
  behind: new RegExp(
    String.raw`^(?:\s\p{Ll}{2,20}){0,2}?(?:\s?/\s?|\s(?:per|an?|each|every)\s|\s?[/每])(?:${span})(?![\p{sc=Latin}]| ago| later| earlier| after| before)`,
    "u",
  ),
  before: new RegExp(String.raw`(?:每|\b(?:per|each|every) )(?:${span})[^\d，。,.;；]{0,8}$`, "u"),
  adverbBehind: new RegExp(String.raw`^\s?(?:${adverb})\b`),
  adverbBefore: new RegExp(String.raw`\b(?:${adverb}) ${RATED}(?: (?:of|is|was|at))? ?[$€£¥]?$`),
}));
const PER_UNITS: readonly (readonly [kind: string, words: string])[] = [
  ["person", "capita|person|head|inhabitant|resident|人(?!次)|名居民"],
  ["household", "household|family|户"],
  ["night", "night|晚|夜"],
  ["vehicle", "vehicle|car|辆车?"],
  ["share", "share|股"],
  ["unit", "unit|item|piece|件|个(?!月|星期|小时)"],
];
const PER = /^(?:\s\p{Ll}{2,20})??(?:\s?\/\s?|\s(?:per|every)\s|\s?每)/u;
const PER_BEFORE = /(?:每|\bper )([^\d，。,.;；]{1,16}?)(?:为|约|售价|价格|成本|高达|达|重|需|要|收|[:：])?\s?[$€£¥]?$/u;

function perUnitAround(before: string, behind: string): string | null {
  const per = PER.exec(behind);
  if (per !== null) return perUnitAt(behind.slice(per[0].length));
  const ahead = PER_BEFORE.exec(before)?.[1];
  return ahead === undefined ? (/人均\D{0,6}$/.test(before) ? "person" : null) : perUnitAt(ahead);
}

function perUnitAt(text: string): string | null {
  const named = PER_UNITS.find(([, words]) => new RegExp(String.raw`^(?:${words})(?!\p{sc=Latin})`, "u").test(text));
  if (named !== undefined) return named[0];
  const found = unitAt(text);
  if (found === null || TIMES.has(found.unit.kind)) return null;
  return `${found.unit.kind} ${found.unit.factor}`;
}

const TIMES = new Set(["months", "days", "seconds", "percent", "points"]);
function rateAround(before: string, behind: string): bigint | null {
  const rate =
    RATES.find((one) => one.behind.test(behind)) ??
    RATES.find((one) => one.before.test(before)) ??
    RATES.find((one) => one.adverbBehind.test(behind) || one.adverbBefore.test(before));
  return rate?.perYear ?? (/时速[^\d，。]{0,6}$/.test(before) ? 8_760n : null);
}

/** A number in a text, without sign: `digits` times ten to the `exponent`. */
export interface Amount {
  readonly text: string;
  /** Offsets with currency, scale and unit. `reach` also covers the other end of a range. */
  readonly start: number;
  readonly end: number;
  readonly reach: { readonly start: number; readonly end: number };
  /** The numeral as it is written, without grouping: `27.2` in "$27.2 billion". */
  readonly numeral: string;
  /** The power of ten of a scale behind the numeral: 9 for "billion". */
  readonly scale: number;
  readonly digits: bigint;
  /** The power of ten of the last digit: 3 for 25 thousand, -1 for 2.5. */
  readonly exponent: number;
  readonly unit: Unit | null;
  /** All currencies that a symbol such as `$` may mean. */
  readonly currencies: readonly string[] | null;
  /** How often per year the amount applies: 12 for "$5 per month". */
  readonly rate: bigint | null;
  /** The denominator if it is not a unit of time: `person` for "$5 per person". */
  readonly perUnit: string | null;
  readonly hedge: "none" | "about" | "above" | "below";
  /** `joined` numbers share a unit ("10 and 30 meters"). `end` is one end of a range ("10 to 30 meters"). */
  readonly joined: "alone" | "joined" | "end";
  readonly before: string;
}

const GROUPED = String.raw`\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?:,\d{3})+|\d{1,3}(?:[ '’]\d{3})+(?![\d,.])|\d{1,3}(?:\.\d{3}){2,}`;
const PLAIN = String.raw`\d+(?:\.\d{3})*,\d{1,2}(?!\d)|\d+`;
const POWER = String.raw`e(?=\d)\d{1,2}|\^-?\d{1,2}(?!\d)|,\d{1,2}(?!\d)`;
const NUMBER = new RegExp(String.raw`(?<![\p{sc=Latin}\d]|\d[.,])(?:${GROUPED}|${PLAIN})(?:\.\d+)?(?:${POWER})?`, "gu");
const ABOUT =
  /(?:\b(?:about|around|approximately|approx\.?|roughly|some|circa|ca\.?|close to|an estimated)|[约近]|大约|大概|左右)\s?(?:[$€£¥]|US\$)?$/i;
const ABOVE =
  /(?:\b(?:(?<!\bno |\bnot )more than|over|above|at least|no (?:less|fewer) than|exceed(?:s|ed|ing)?|upwards of|topp(?:ed|ing)|surpass(?:ed|ing)?)|不[少低]于|(?<!不)(?:超过?|多于|高于)|逾|至少|突破)\s?(?:[$€£¥]|US\$)?$/i;
const BELOW =
  /(?:\b(?:nearly|almost|just under|under|(?<!\bno |\bnot )(?:less|fewer) than|below|no more than|up to|at most)|近|将近|接近|不到|不足|(?<!不)(?:低于|少于)|不超过|不[高多]于|至多)\s?(?:[$€£¥]|US\$)?$/i;
const GERMAN = /\d,\d{1,2}(?!\d)|\d\.\d{3}\.\d{3}|\b(?:der|die|das|und|von|im Jahr|Mio|Mrd|Millionen|Milliarden)\b/;
const JOINED = /^\s?(?:-|~|to|and|or|bis|至|到|和|或|、)\s?(?:[$€£¥]|US\$)?$/;
const RANGE = /^\s?(?:-|~|to|bis|至|到)/;
const LONGEST_NUMBER = 40;
const LARGEST_POWER = 64;
const NEAR = 24;

/** Returns each number of a text with all possible readings. `lenient`, which is for quotes, adds doubtful readings. */
export function readAmounts(text: string, lenient: boolean): Amount[] {
  const groups: { readonly end: number; amounts: Amount[] }[] = [];
  for (const { 0: number, index } of text.matchAll(NUMBER)) {
    if (number.length > LONGEST_NUMBER) continue;
    const read = readOne(text, number, index);
    const last = groups.at(-1);
    const between = text.slice(last?.end, index);
    if (last !== undefined && JOINED.test(between) && mayBeOneMeasure(last.amounts[0], read.amounts[0])) {
      const joined = isRange(last.amounts[0], between, read.amounts[0]) ? "end" : "joined";
      const start = last.amounts[0]?.start ?? index;
      const word = /(?:\bbetween|\brang\w+ from|介于)\s?$/i.exec(text.slice(Math.max(0, start - NEAR), start))?.[0] ?? "";
      const whole = { start: start - word.length, end: read.end };
      for (const group of [last, read])
        group.amounts = group.amounts.map((amount) => ({ ...amount, joined, reach: joined === "end" ? whole : amount.reach }));
      const lent = withSharedUnit(last.amounts, read.amounts);
      // In "5 to 10 million", 5 means 5 million. In "3 and 10 million", 3 may mean 3 or 3 million.
      const isReplaced = !lenient && lent.length > 0 && RANGE.test(between);
      last.amounts = isReplaced ? lent : [...last.amounts, ...lent];
    }
    groups.push(read);
  }
  return groups.flatMap(({ amounts }) => amounts);
}

function mayBeOneMeasure(first: Amount | undefined, second: Amount | undefined): boolean {
  if (first === undefined || second === undefined) return false;
  if (isMoneyAndMeasure(first, second) || isMoneyAndMeasure(second, first)) return false;
  return first.unit === null || second.unit === null || isShare(first) === isShare(second);
}

export function isMoneyAndMeasure(money: Amount, measure: Amount): boolean {
  return money.currencies !== null && money.unit === null && measure.unit !== null && measure.currencies === null;
}

export function isShare({ unit }: Amount): boolean {
  return unit?.kind === "percent" || unit?.kind === "points";
}

/** Returns false for "rose from 10 to 30", where both numbers are facts and not the limits of a range. */
function isRange(first: Amount | undefined, between: string, second: Amount | undefined): boolean {
  if (first === undefined || second === undefined) return false;
  if (/\bbetween\s?(?:[$€£¥]|US\$)?$|介于\s?$|\brang\w+ from\s?(?:[$€£¥]|US\$)?$/i.test(first.before)) return true;
  if (!RANGE.test(between) || /(?:\bfrom|[从由自])\s?(?:[$€£¥]|US\$)?$/i.test(first.before)) return false;
  const rises = first.exponent <= second.exponent && first.digits < second.digits;
  return rises;
}

function readOne(text: string, number: string, index: number): { amounts: Amount[]; end: number } {
  const before = text.slice(Math.max(0, index - NEAR), index);
  const tail = text.slice(index + number.length, index + number.length + 48);
  const hasSymbol = /[$€£¥]\s?$/.test(before);
  const scale = scaleAt(tail, hasSymbol);
  const behind = tail.slice(scale.length);
  const found = unitAt(behind);
  const money = currenciesAround(before, behind);
  const rest = behind.slice(found?.length ?? money.length);
  const start = index - money.ahead;
  const end = index + number.length + scale.length + (found?.length ?? money.length);
  const bare = before.replace(/[-([]?\s?(?:[$€£¥]|US\$|USD)?\s?[-(]?$/, (mark) => (/[-(]/.test(mark) ? "" : mark));
  const common = {
    text: text.slice(index, end).trim(),
    ...{ start, end, reach: { start, end } },
    numeral: number.replaceAll(/(?<=\d)[ '’,](?=\d{3})/g, ""),
    scale: scale.exponent,
    unit: found?.unit ?? null,
    currencies: money.currencies,
    rate: rateAround(before, rest),
    perUnit: perUnitAround(before, rest),
    joined: "alone" as const,
    hedge: hedgeOf(bare, tail.slice(0, scale.length + (found?.length ?? 0) + 6)),
    before,
  };
  const values = [...valuesOf(number, text), ...(money.currencies === null ? [] : raisedCents(number))];
  const amounts = values.map(({ digits, exponent }): Amount => {
    return { ...common, digits, exponent: exponent + scale.exponent - (money.isMinor ? 2 : 0) };
  });
  // 15亿3000万 is one number.
  const more = /^[亿万千]$/.test(scale.word) ? /^(\d+)\s?([万千百])?/.exec(behind) : null;
  const [value] = values;
  if (more !== null && value?.exponent === 0) {
    const rest = BigInt(more[1] ?? 0) * 10n ** BigInt(CHINESE_SCALES[more[2] ?? ""] ?? 0);
    amounts.push({ ...common, digits: value.digits * 10n ** BigInt(scale.exponent) + rest, exponent: 0 });
  }
  return { amounts, end };
}

function hedgeOf(before: string, behind: string): Amount["hedge"] {
  if (ABOVE.test(before) || /[多余]|\+|以上|\b(?:or more|(?:and|or) (?:older|over|above))/.test(behind)) return "above";
  if (BELOW.test(before) && !/近$/.test(before)) return "below";
  if (ABOUT.test(before) || /左右|上下/.test(behind)) return "about";
  return "none";
}

/** In a German text, 1.234 has two readings, because a point may separate thousands. */
function valuesOf(number: string, text: string): { digits: bigint; exponent: number }[] {
  const raised = /^(\d{1,9})\^(-?\d+)$/.exec(number);
  if (raised !== null) return powersOf(raised[1] ?? "", Number(raised[2]));
  // The exponent of a decimal number (3.5²) is ignored.
  const [, mantissa = "", power = "0"] = /^(.*?)(?:e(\d+)|\^.*)?$/.exec(number) ?? [];
  const hasDecimalComma = /\.\d{3}\.|^[^,]*,\d{1,2}$/.test(mantissa);
  const plain = hasDecimalComma ? mantissa.replaceAll(".", "").replace(",", ".") : mantissa.replaceAll(/[, '’]/g, "");
  const values = [readDigits(plain, Number(power))];
  if (/^\d{1,3}\.\d{3}$/.test(mantissa) && GERMAN.test(text.replaceAll(mantissa, "")))
    values.push(readDigits(mantissa.replace(".", ""), Number(power)));
  return values;
}

/** A superscript after 10 is an exponent. After other numbers it may also be the number of a footnote. */
function powersOf(base: string, power: number): { digits: bigint; exponent: number }[] {
  if (base === "10") return [{ digits: 1n, exponent: power }];
  const alone = { digits: BigInt(base), exponent: 0 };
  return power > 1 && power <= LARGEST_POWER ? [{ digits: BigInt(base) ** BigInt(power), exponent: 0 }, alone] : [alone];
}

function raisedCents(number: string): { digits: bigint; exponent: number }[] {
  return /^\d{1,9}\^\d\d$/.test(number) ? [readDigits(number.replace("^", "."), 0)] : [];
}

function readDigits(plain: string, power: number): { digits: bigint; exponent: number } {
  const [whole = "0", decimals = ""] = plain.split(".");
  return { digits: BigInt(whole + decimals), exponent: power - decimals.length };
}

function withSharedUnit(first: readonly Amount[], second: readonly Amount[]): Amount[] {
  const [one] = second;
  if (one === undefined) return [];
  // "Billion" may also be written in digits.
  const scaled = one.scale || Math.max(0, one.exponent);
  return first
    .filter(({ unit, currencies, exponent }) => unit === null && currencies?.length !== 0 && exponent <= 0)
    .map((amount) => ({ ...amount, exponent: amount.exponent + scaled, unit: one.unit, currencies: amount.currencies ?? one.currencies }));
}

const SCALES = (
  [
    [2, "hundred"],
    [3, "thousand|Tausend"],
    [5, "lakhs?"],
    [6, "millions?|mln|mn|Mio\\.?|Millionen"],
    [7, "crores?"],
    [9, "billions?|bln|bn|Mrd\\.?|Milliarden?"],
    [12, "trillions?|tn|trn"],
  ] as const
).map(([exponent, words]) => ({ exponent, pattern: new RegExp(String.raw`^[\s-]?(?:${words})(?!\p{sc=Latin})`, "iu") }));
const CHINESE_SCALES: Readonly<Record<string, number>> = { 十: 1, 百: 2, 千: 3, 万: 4, 亿: 8, 兆: 12 };
const SCALE_LETTERS: Readonly<Record<string, number>> = { k: 3, K: 3, M: 6, m: 6, B: 9, b: 9, T: 12 };

function scaleAt(text: string, isMoney: boolean): { readonly word: string; readonly length: number; readonly exponent: number } {
  for (const { exponent, pattern } of SCALES) {
    const match = pattern.exec(text);
    if (match !== null) return { word: match[0].trim(), length: match[0].length, exponent };
  }
  const chinese = /^\s?[多余几]?\s?((?:[百千]?[万亿兆]+|[十百千]))(?!米|克|瓦|赫|字节|比特|焦|帕|伏|升|卡)(?:[多余])?/.exec(text);
  if (chinese !== null) {
    const word = chinese[1] ?? "";
    const exponent = [...word].reduce((sum, character) => sum + (CHINESE_SCALES[character] ?? 0), 0);
    return { word, length: chinese[0].length, exponent };
  }
  const letter = /^([kKMmBbT])(?![\p{sc=Latin}\d])/u.exec(text)?.[1] ?? "";
  const exponent = letter === "m" && !isMoney ? undefined : SCALE_LETTERS[letter];
  return exponent === undefined ? { word: "", length: 0, exponent: 0 } : { word: letter, length: 1, exponent };
}
