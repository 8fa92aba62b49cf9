import { type Amount, isMoneyAndMeasure, isShare } from "./amounts.ts";
import { MONTHS_OF, type When } from "./dates.ts";

/** How far "about" may lie from what it speaks of: one part in so many. */
const ABOUT = 20n;
/** Said before one end of a range. */
const END =
  /\b(?:from|least|most|up to|low|high|\p{Ll}+est|minimum|maximum|starts?|starting|begins?|beginning|between|and|to|or)\b[^.;]{0,16}$|[从由最至到介起][^，。；]{0,6}$/iu;

/** Whether a claim's number is the quote's number, or that number rounded to the digits that the claim states. */
export function amountAgrees(claim: Amount, quote: Amount): boolean {
  if (isEndAlone(claim, quote)) return false;
  if (claim.currencies !== null && quote.currencies !== null && !claim.currencies.some((code) => quote.currencies?.includes(code)))
    return false;
  if (isMoneyAndMeasure(claim, quote) || isMoneyAndMeasure(quote, claim)) return false;
  // A rate may be left unsaid.
  const [perClaim, perQuote] = claim.rate === null || quote.rate === null ? [1n, 1n] : [claim.rate, quote.rate];
  if (isOtherwiseShared(claim, quote)) return false;
  if (claim.unit?.kind === quote.unit?.kind || isOneTemperature(claim, quote))
    return valueAgrees(claim, quote, (claim.unit?.factor ?? 1n) * perClaim, (quote.unit?.factor ?? 1n) * perQuote);
  const share = isShare(claim) !== isShare(quote);
  // A share may be told as a number below one.
  if (share)
    return (
      isFractionOfOne(claim, quote) &&
      valueAgrees(
        claim,
        quote,
        isShare(claim) ? (claim.unit?.factor ?? 1n) : 10_000n,
        isShare(quote) ? (quote.unit?.factor ?? 1n) : 10_000n,
      )
    );
  return (claim.unit === null || quote.unit === null) && valueAgrees(claim, quote, perClaim, perQuote);
}

/** What is told per day is not told per kilogram, and what is told per person is not told per household. */
function isOtherwiseShared(claim: Amount, quote: Amount): boolean {
  if (claim.sharer !== null && quote.sharer !== null) return claim.sharer !== quote.sharer;
  return (
    (claim.sharer !== null && quote.rate !== null && claim.rate === null) ||
    (quote.sharer !== null && claim.rate !== null && quote.rate === null)
  );
}

/** Degrees without a scale are of any. */
function isOneTemperature({ unit: one }: Amount, { unit: other }: Amount): boolean {
  return isTemperature(one) && isTemperature(other) && (one?.kind === "degrees" || other?.kind === "degrees");
}

function isTemperature(unit: Amount["unit"]): boolean {
  return unit !== null && ["degrees", "celsius", "fahrenheit"].includes(unit.kind);
}

/** An end of a range is not the number, unless it is told as an end. */
function isEndAlone(claim: Amount, quote: Amount): boolean {
  return quote.joined === "end" && claim.joined === "alone" && claim.hedge === "none" && !END.test(claim.before);
}

function isFractionOfOne(claim: Amount, quote: Amount): boolean {
  const plain = isShare(claim) ? quote : claim;
  const one = 10n ** BigInt(Math.max(0, -plain.exponent));
  return plain.unit === null && plain.currencies === null && plain.exponent < 0 && plain.digits <= one;
}

function valueAgrees(claim: Amount, quote: Amount, claimFactor: bigint, quoteFactor: bigint): boolean {
  // Both as fractions over the same power of ten, in base units.
  const least = Math.min(claim.exponent, quote.exponent);
  const power = (exponent: number): bigint => 10n ** BigInt(exponent - least);
  const said = claim.digits * power(claim.exponent) * claimFactor;
  const stands = quote.digits * power(quote.exponent) * quoteFactor;
  if (said === stands) return true;
  // Nothing is no rounding of something.
  if (said === 0n) return false;
  const step = power(claim.exponent) * claimFactor;
  // A claim may drop digits and never add any.
  if (quote.exponent >= claim.exponent && claimFactor === quoteFactor && claim.hedge === "none") return false;
  if (isRounded(said, stands, step)) return true;
  return hedged(claim, said, stands, step);
}

function isRounded(said: bigint, stands: bigint, step: bigint): boolean {
  return 2n * distance(said, stands) <= step;
}

/** With "about", "more than" or "nearly" the zeros at the end of a number state nothing. */
function hedged({ hedge, digits }: Amount, said: bigint, stands: bigint, step: bigint): boolean {
  if (hedge === "none" || distance(said, stands) * ABOUT > stands) return false;
  let wide = step;
  for (let rest = digits; rest > 0n && rest % 10n === 0n; rest /= 10n) wide *= 10n;
  if (hedge === "above") return stands > said && stands - said < wide;
  if (hedge === "below") return stands < said && said - stands < wide;
  return isRounded(said, stands, wide);
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}

/** Whether a claim's date stands among those of the quotes: it may be coarser, never finer. `years` are all that quotes name. */
export function dateAgrees(claim: When, dates: readonly When[], years: ReadonlySet<number>): boolean {
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

function weekdayOf({ weekday, year, month, day }: When): number | undefined {
  if (weekday !== undefined || year === undefined || month === undefined || day === undefined) return weekday;
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function partAgrees(claim: When, date: When): boolean {
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
