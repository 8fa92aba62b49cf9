import { type Amount, boundOf, sideOf } from "./amounts.ts";
import { quantityOf, statesQuantity } from "./quantities.ts";
import { isComparable, type Unit } from "./units.ts";

export type Contradiction = `${"amount" | "unit" | "currency" | "date"}_contradicted` | "end_of_range" | "percent_for_points";

/** Words before either end of a range. */
const ANY_END = /(?:\b(?:from|between|and|or|one to)\s?(?:[$€£¥]|US\$)?|[从由介][^，。；]{0,6})$/iu;

/** Whether a quote has the amount of a sentence. The sentence may round it, convert its unit, leave out the unit or add a rate. */
export function amountAgrees(claim: Amount, quote: Amount): boolean {
  const [limit, told] = [sideOf(quote) ?? boundOf(quote), boundOf(claim)];
  if (limit !== null && claim.joined === "alone" && (told ?? (ANY_END.test(claim.before) ? limit : null)) !== limit) return false;
  if (!isSameRate(claim.per, quote.per)) return false;
  // A quote that has only "$" says nothing of Australian or Canadian dollars.
  if (/^(?:AUD|CAD)$/.test(claim.units[0]?.codes.join() ?? "") && (quote.units[0]?.codes.length ?? 0) > 1) return false;
  const value = quantityOf(quote);
  // "More than 5" agrees with "over 5", but not with 5.
  const isSameBound = told !== null && told === boundOf(quote);
  const isSame = (isSameBound || quote.hedge === "about") && statesQuantity({ ...claim, hedge: "none" }, value, true);
  // "Some 5" may be less than 5.
  return isSame ? isSameBound || told === null : statesQuantity(claim, value, true);
}

/** A sentence may add a rate, but not leave it out. */
function isSameRate(claim: string | null, quote: string | null): boolean {
  return quote === null || claim === quote || (claim !== null && (claim === "" || quote === ""));
}

/** Whether two amounts are equal and both have a unit or none, maybe in another spelling. */
export function isSameAmount(one: Amount, two: Amount): boolean {
  if ((one.units.length === 0) !== (two.units.length === 0)) return false;
  const states = (amount: Amount, other: Amount): boolean => statesQuantity({ ...amount, hedge: "none" }, quantityOf(other));
  return states(one, two) && states(two, one);
}

/** Whether two amounts are the same, and one is no bound, no end of a range and no rate of another kind than the other. */
export function isEqualAmount(one: Amount, two: Amount): boolean {
  return one.hedge === two.hedge && sideOf(one) === sideOf(two) && one.per === two.per && isSameAmount(one, two);
}

/** Kinds that are so alike that an amount of one contradicts the same number of another. */
const ALIKE = ["months days seconds", "celsius fahrenheit"];
const isAlike = (one: Unit, two: Unit): boolean =>
  one.kind === two.kind || ALIKE.some((kinds) => kinds.includes(one.kind) && kinds.includes(two.kind));

/** Why an amount of a quote shows that an amount of a sentence is false: they are the same but for unit, currency, scale or range. */
export function contradiction(claim: Amount, quote: Amount): Contradiction | null {
  const [own] = claim.units;
  const unit = quote.units.find((one) => own !== undefined && isAlike(one, own)) ?? quote.units[0];
  if (unit === undefined && quote.scale === 0) return null;
  if (sideOf(quote) !== null && amountAgrees(claim, { ...quote, joined: "alone", hedge: "none" })) return "end_of_range";
  const isSameNumeral = claim.numeral === quote.numeral;
  const isSameValue = isSameNumeral && claim.exponent === quote.exponent;
  if (own?.kind === "percent" && unit?.kind === "points")
    return amountAgrees({ ...claim, units: [{ ...own, kind: "points" }] }, quote) || isSameValue ? "percent_for_points" : null;
  if ((own === undefined) !== (unit === undefined)) return null;
  if (own !== undefined && unit !== undefined && !isComparable(own, unit)) {
    if (own.kind !== unit.kind) return isSameValue && isAlike(own, unit) ? "unit_contradicted" : null;
    return isSameValue ? "currency_contradicted" : null;
  }
  if (isSameValue && (own?.kind !== unit?.kind || own?.factor !== unit?.factor)) return "unit_contradicted";
  return isSameNumeral && claim.exponent !== quote.exponent ? "amount_contradicted" : null;
}
