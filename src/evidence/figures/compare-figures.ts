import { type Amount, isMoneyAndMeasure, isShare } from "./amounts.ts";
import { type DateReading, MONTHS_OF } from "./dates.ts";

const ABOUT_DIVISOR = 20n;
const NEAR_DIVISOR = 33n;
const END =
  /\b(?:(?:from|between|and|to|or)\s?(?:[$€£¥]|US\$)?|(?:least|most|up to|low|high|\p{Ll}+est|minimum|maximum|starts?|starting|begins?|beginning)\b[^.;]{0,16})$|[从由最至到介起][^，。；]{0,6}$/iu;

export function amountAgrees(claim: Amount, quote: Amount): boolean {
  // A quote of "10 to 30" does not support the claim "30", only "up to 30".
  if (quote.joined === "end" && claim.joined === "alone" && claim.hedge === "none" && !END.test(claim.before)) return false;
  if (claim.currencies !== null && quote.currencies !== null && !claim.currencies.some((code) => quote.currencies?.includes(code)))
    return false;
  if (isMoneyAndMeasure(claim, quote) || isMoneyAndMeasure(quote, claim)) return false;
  if (differsInPerUnit(claim, quote)) return false;
  const factorOf = ({ unit }: Amount): bigint => unit?.factor ?? 1n;
  // If only one amount is a rate such as "per year", the rate is ignored.
  const [perClaim, perQuote] = claim.rate === null || quote.rate === null ? [1n, 1n] : [claim.rate, quote.rate];
  if (claim.unit?.kind === quote.unit?.kind || isOneTemperature(claim, quote))
    return valueAgrees(claim, quote, factorOf(claim) * perClaim, factorOf(quote) * perQuote);
  if (isShare(claim) === isShare(quote))
    return (claim.unit === null || quote.unit === null) && valueAgrees(claim, quote, perClaim, perQuote);
  // 0.25 agrees with 25%.
  const percentOf = (amount: Amount): bigint => (isShare(amount) ? factorOf(amount) : 10_000n);
  return isFractionOfOne(claim, quote) && valueAgrees(claim, quote, percentOf(claim), percentOf(quote));
}

/** Whether two amounts are equal and have the same kind of unit, maybe in another spelling. */
export function isSameAmount(one: Amount, two: Amount): boolean {
  if ((one.unit === null) !== (two.unit === null) || (one.currencies === null) !== (two.currencies === null)) return false;
  const [plain, other] = [one, two].map((amount): Amount => ({ ...amount, hedge: "none", joined: "alone" }));
  return plain !== undefined && other !== undefined && amountAgrees(plain, other) && amountAgrees(other, plain);
}

export type Contradiction =
  | "amount_contradicted"
  | "unit_contradicted"
  | "currency_contradicted"
  | "date_contradicted"
  | "end_of_range"
  | "percent_for_points";

const DIMENSIONS: Readonly<Record<string, string>> = {
  ...{ months: "time", days: "time", seconds: "time", celsius: "heat", fahrenheit: "heat", percent: "share", points: "share" },
};
const dimensionOf = ({ unit }: Amount): string => DIMENSIONS[unit?.kind ?? ""] ?? unit?.kind ?? "";

/** Why an amount of a quote shows that an amount of a sentence is false: they are the same but for unit, currency, scale or range. */
export function contradiction(claim: Amount, quote: Amount): Contradiction | null {
  if (isOppositeBound(claim, quote) && amountAgrees({ ...claim, hedge: quote.hedge }, quote)) return "amount_contradicted";
  if (quote.unit === null && quote.currencies === null && quote.scale === 0) return null;
  if (quote.joined === "end" && amountAgrees(claim, { ...quote, joined: "alone" })) return "end_of_range";
  const isSameNumeral = claim.numeral === quote.numeral;
  const isSameValue = isSameNumeral && claim.exponent === quote.exponent;
  if (claim.currencies !== null && quote.currencies !== null && !claim.currencies.some((code) => quote.currencies?.includes(code)))
    return isSameValue ? "currency_contradicted" : null;
  if (dimensionOf(claim) !== dimensionOf(quote) || (claim.currencies === null) !== (quote.currencies === null)) return null;
  if (claim.unit?.kind === "percent" && quote.unit?.kind === "points")
    return valueAgrees(claim, quote, claim.unit.factor, quote.unit.factor) ? "percent_for_points" : null;
  if (isSameValue && (claim.unit?.kind !== quote.unit?.kind || claim.unit?.factor !== quote.unit?.factor || claim.rate !== quote.rate))
    return "unit_contradicted";
  return isSameNumeral && claim.exponent !== quote.exponent ? "amount_contradicted" : null;
}

function isOppositeBound(claim: Amount, quote: Amount): boolean {
  return (claim.hedge === "above" && quote.hedge === "below") || (claim.hedge === "below" && quote.hedge === "above");
}

function differsInPerUnit(claim: Amount, quote: Amount): boolean {
  if (claim.perUnit !== null && quote.perUnit !== null) return claim.perUnit !== quote.perUnit;
  return (
    (claim.perUnit !== null && quote.rate !== null && claim.rate === null) ||
    (quote.perUnit !== null && claim.rate !== null && quote.rate === null)
  );
}

function isOneTemperature(...amounts: readonly [Amount, Amount]): boolean {
  const kinds = amounts.map(({ unit }) => unit?.kind ?? "");
  return kinds.includes("degrees") && kinds.every((kind) => ["degrees", "celsius", "fahrenheit"].includes(kind));
}

function isFractionOfOne(claim: Amount, quote: Amount): boolean {
  const plain = isShare(claim) ? quote : claim;
  const one = 10n ** BigInt(Math.max(0, -plain.exponent));
  return plain.unit === null && plain.currencies === null && plain.exponent < 0 && plain.digits <= one;
}

function valueAgrees(claim: Amount, quote: Amount, claimFactor: bigint, quoteFactor: bigint): boolean {
  const least = Math.min(claim.exponent, quote.exponent);
  const power = (exponent: number): bigint => 10n ** BigInt(exponent - least);
  const claimed = claim.digits * power(claim.exponent) * claimFactor;
  const quoted = quote.digits * power(quote.exponent) * quoteFactor;
  if (claimed === quoted) return !isOppositeBound(claim, quote);
  if (quote.exponent >= claim.exponent && claimFactor === quoteFactor && claim.hedge === "none") return false;
  // Without "about", one digit stands only for a near amount: 5 billion for 4.9, not for 5.2 billion.
  if (claim.digits < 10n && claim.hedge === "none" && distance(claimed, quoted) * NEAR_DIVISOR > quoted) return false;
  return sizeAgrees(claim, claimed, quoted, power(claim.exponent) * claimFactor);
}

/** Whether a size is another one, rounded to multiples of `step`, or as a hedge such as "nearly" allows. */
export function sizeAgrees(claim: Amount, claimed: bigint, actual: bigint, step: bigint): boolean {
  if (claimed === 0n || actual === 0n) return claimed === actual;
  return isRounded(claimed, actual, step) || hedgedValueAgrees(claim, claimed, actual, step);
}

function isRounded(claimed: bigint, quoted: bigint, step: bigint): boolean {
  return 2n * distance(claimed, quoted) <= step;
}

function hedgedValueAgrees({ hedge, digits }: Amount, claimed: bigint, quoted: bigint, step: bigint): boolean {
  if (hedge === "none" || distance(claimed, quoted) * ABOUT_DIVISOR > quoted) return false;
  let wide = step;
  for (let rest = digits; rest > 0n && rest % 10n === 0n; rest /= 10n) wide *= 10n;
  if (hedge === "above") return quoted > claimed && quoted - claimed < wide;
  if (hedge === "below") return quoted < claimed && claimed - quoted < wide;
  return isRounded(claimed, quoted, wide);
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}

/** The claim may be less precise than the quotes, but not more. `years` has all years in the quotes. */
export function dateAgrees(claim: DateReading, dates: readonly DateReading[], years: ReadonlySet<number>): boolean {
  if (claim.time !== undefined) return dates.some(({ time }) => time === claim.time);
  if (claim.weekday !== undefined) return dates.some((date) => weekdayOf(date) === claim.weekday);
  if (claim.century !== undefined)
    return dates.some(({ century }) => century === claim.century) || hasYear(years, (claim.century - 1) * 100, 100);
  if (claim.decade !== undefined) return dates.some(({ decade }) => decade === claim.decade) || hasYear(years, claim.decade, 10);
  const { year } = claim;
  if (claim.part === undefined && claim.month === undefined && claim.quarter === undefined && claim.half === undefined)
    return year !== undefined && years.has(year);
  return dates.some((date) => {
    if (!partAgrees(claim, date)) return false;
    return year === undefined || date.year === year || (date.year === undefined && years.has(year));
  });
}

/** Whether the dates differ in the year and agree in what else they have, at least a month or quarter. */
export function differsInYear(claim: DateReading | undefined, { year, ...date }: DateReading): boolean {
  if (claim?.year === undefined || year === undefined || claim.year === year) return false;
  const { text: _, year: __, ...rest } = claim;
  return Object.keys(rest).length > 0 && dateAgrees({ text: "", ...rest }, [date], new Set());
}

function weekdayOf({ weekday, year, month, day }: DateReading): number | undefined {
  if (weekday !== undefined || year === undefined || month === undefined || day === undefined) return weekday;
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function partAgrees(claim: DateReading, date: DateReading): boolean {
  const { month } = date;
  const quarter = date.quarter ?? (month === undefined || claim.fiscal === true ? undefined : Math.ceil(month / 3));
  const half = date.half ?? (quarter === undefined ? undefined : Math.ceil(quarter / 2));
  if (claim.part !== undefined) return date.part === claim.part || (month !== undefined && (MONTHS_OF[claim.part] ?? []).includes(month));
  if (claim.quarter !== undefined) return quarter === claim.quarter;
  if (claim.half !== undefined) return half === claim.half;
  return month === claim.month && (claim.day === undefined || date.day === claim.day);
}

function hasYear(years: ReadonlySet<number>, from: number, length: number): boolean {
  return [...years].some((year) => year >= from && year < from + length);
}
