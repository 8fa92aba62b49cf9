import { type Amount, isEnd } from "./amounts.ts";
import { fractionOf, quantityOf, statesQuantity } from "./quantities.ts";
import { isPlain, isShare, mixesMoney } from "./units.ts";

export type Contradiction =
  | "amount_contradicted"
  | "unit_contradicted"
  | "currency_contradicted"
  | "date_contradicted"
  | "end_of_range"
  | "percent_for_points";

/** Words before one end of a range. "To 30" states the figure and not an end. */
const END =
  /\b(?:(?:from|between|and|or|one to)\s?(?:[$€£¥]|US\$)?|(?:least|most|up to|low|high|\p{Ll}+est|minimum|maximum|starts?|starting|begins?|beginning)\b[^.;]{0,16})$|[从由最介起][^，。；]{0,6}$|[高多长]达 ?$|至[多少] ?$/iu;
const TO = /\bto\s?(?:[$€£¥]|US\$)?$|[至到] ?$/i;

/** Whether a quote has the amount of a sentence. The sentence may round it, convert its unit, or leave out the unit. */
export function amountAgrees(claim: Amount, quote: Amount): boolean {
  // A quote of "10 to 30" does not support the claim "30", only "up to 30".
  if (isEnd(quote.joined) && claim.joined === "alone" && claim.hedge === "none" && !END.test(claim.before)) return false;
  if (isOppositeBound(claim, quote) && claim.digits === quote.digits && claim.exponent === quote.exponent) return false;
  const rate = rateBetween(claim, quote);
  if (rate === null || mixesMoney(claim, quote)) return false;
  if (isShare(claim) !== isShare(quote)) return isFractionOfOne(claim, quote) && statesQuantity(claim, fractionOf(quote), true);
  const value = quantityOf(quote);
  return statesQuantity(claim, { ...value, num: value.num * rate.num, den: value.den * rate.den }, true);
}

/** Returns what turns a rate of a quote into that of a sentence, such as 12 for "per month" and "per year"; null if nothing does. */
function rateBetween({ per: one }: Amount, { per: two }: Amount): { readonly num: bigint; readonly den: bigint } | null {
  // If only one amount is a rate such as "per year", the rate is ignored.
  if (one === null || two === null || one.name === two.name) return { num: 1n, den: 1n };
  return one.perYear === null || two.perYear === null ? null : { num: two.perYear, den: one.perYear };
}

function isFractionOfOne(claim: Amount, quote: Amount): boolean {
  const plain = isShare(claim) ? quote : claim;
  return isPlain(plain) && plain.exponent < 0 && plain.digits <= 10n ** BigInt(-plain.exponent);
}

function isOppositeBound(claim: Amount, quote: Amount): boolean {
  return [claim.hedge, quote.hedge].sort().join(" ") === "above below";
}

/** Whether two amounts are equal and have the same kind of unit, maybe in another spelling. */
export function isSameAmount(one: Amount, two: Amount): boolean {
  if ((one.unit === null) !== (two.unit === null) || (one.currencies === null) !== (two.currencies === null)) return false;
  const plain = { hedge: "none", joined: "alone" } as const;
  return amountAgrees({ ...one, ...plain }, { ...two, ...plain }) && amountAgrees({ ...two, ...plain }, { ...one, ...plain });
}

const DIMENSIONS = ["months days seconds", "celsius fahrenheit", "percent points"];
const dimensionOf = ({ unit }: Amount): string =>
  DIMENSIONS.find((kinds) => kinds.split(" ").includes(unit?.kind ?? "")) ?? unit?.kind ?? "";

/** Why an amount of a quote shows that an amount of a sentence is false: they are the same but for unit, currency, scale or range. */
export function contradiction(claim: Amount, quote: Amount): Contradiction | null {
  if (isOppositeBound(claim, quote) && amountAgrees({ ...claim, hedge: quote.hedge }, quote)) return "amount_contradicted";
  if (isPlain(quote) && quote.scale === 0) return null;
  if (isEnd(quote.joined) && amountAgrees(claim, { ...quote, joined: "alone" }))
    return quote.joined === "maybe-end" && TO.test(claim.before) ? null : "end_of_range";
  const isSameNumeral = claim.numeral === quote.numeral;
  const isSameValue = isSameNumeral && claim.exponent === quote.exponent;
  if (claim.currencies !== null && quote.currencies !== null && !claim.currencies.some((code) => quote.currencies?.includes(code)))
    return isSameValue ? "currency_contradicted" : null;
  if (dimensionOf(claim) !== dimensionOf(quote) || (claim.currencies === null) !== (quote.currencies === null)) return null;
  if (claim.unit?.kind === "percent" && quote.unit?.kind === "points") {
    const inPoints = { ...claim, unit: { ...claim.unit, kind: "points" } };
    return amountAgrees(inPoints, quote) ? "percent_for_points" : null;
  }
  const isSameUnit = claim.unit?.kind === quote.unit?.kind && claim.unit?.factor === quote.unit?.factor;
  if (isSameValue && (!isSameUnit || claim.per?.name !== quote.per?.name)) return "unit_contradicted";
  return isSameNumeral && claim.exponent !== quote.exponent ? "amount_contradicted" : null;
}
