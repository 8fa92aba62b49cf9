import { type Amount, isMoneyAndMeasure, isShare } from "./amounts.ts";
import { type DateReading, MONTHS_OF } from "./dates.ts";

const ABOUT_DIVISOR = 20n;
const END =
  /\b(?:from|least|most|up to|low|high|\p{Ll}+est|minimum|maximum|starts?|starting|begins?|beginning|between|and|to|or)\b[^.;]{0,16}$|[从由最至到介起][^，。；]{0,6}$/iu;

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
  if (claimed === quoted) return true;
  if (claimed === 0n) return false;
  const step = power(claim.exponent) * claimFactor;
  if (quote.exponent >= claim.exponent && claimFactor === quoteFactor && claim.hedge === "none") return false;
  if (isRounded(claimed, quoted, step)) return true;
  return hedgedValueAgrees(claim, claimed, quoted, step);
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

function weekdayOf({ weekday, year, month, day }: DateReading): number | undefined {
  if (weekday !== undefined || year === undefined || month === undefined || day === undefined) return weekday;
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function partAgrees(claim: DateReading, date: DateReading): boolean {
  const { month } = date;
  const quarter = date.quarter ?? (month === undefined ? undefined : Math.ceil(month / 3));
  const half = date.half ?? (quarter === undefined ? undefined : Math.ceil(quarter / 2));
  if (claim.part !== undefined) return date.part === claim.part || (month !== undefined && (MONTHS_OF[claim.part] ?? []).includes(month));
  if (claim.quarter !== undefined) return quarter === claim.quarter;
  if (claim.half !== undefined) return half === claim.half;
  return month === claim.month && (claim.day === undefined || date.day === claim.day);
}

function hasYear(years: ReadonlySet<number>, from: number, length: number): boolean {
  return [...years].some((year) => year >= from && year < from + length);
}
