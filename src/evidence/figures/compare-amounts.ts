import { type Amount, boundOf, type Side, sideOf } from "./amounts.ts";
import { quantityOf, statesQuantity } from "./quantities.ts";
import { isComparable, OTHER, type Unit } from "./units.ts";

export type Contradiction = `${"amount" | "unit" | "currency" | "date"}_contradicted` | "end_of_range" | "percent_for_points";

const CURRENCY = String.raw`\s?(?:[$€£¥]|US\$)?$`;
/** Words before one end of a range. "To 30" states the figure and not an end. */
const ENDS: Readonly<Record<Side, RegExp>> = {
  low: /(?:\b(?:low(?:er|est)?|(?:small|short|young|cheap)est|floor|bottom|minimum|starts?|starting|begin(?:s|ning)?)\b|下限|最[低少])[^.;\d]{0,24}$|起 ?$/iu,
  high: /(?:\b(?:high(?:er|est)?|(?:larg|long|old|tall)est|upper|top|ceiling|maximum|cap|limit|as (?:much|many) as)\b|上限|最[高多]|[高多]达)[^.;\d]{0,24}$/iu,
};
const ANY_END = new RegExp(String.raw`\b(?:from|between|and|or|one to)${CURRENCY}|[从由介][^，。；]{0,6}$`, "iu");
const TO = new RegExp(String.raw`\bto${CURRENCY}|[至到] ?$`, "i");
const UP_TO = new RegExp(String.raw`\bup to${CURRENCY}|[至最]多$`, "i");

/** Whether a quote has the amount of a sentence. The sentence may round it, convert its unit, or leave out the unit. */
export function amountAgrees(claim: Amount, quote: Amount): boolean {
  const [limit, told] = [sideOf(quote) ?? boundOf(quote), boundOf(claim)];
  if (limit !== null && claim.joined === "alone" && !isEndNamed(claim, limit)) return false;
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

function isEndNamed(claim: Amount, side: Side): boolean {
  const named = (["low", "high"] as const).find((end) => ENDS[end].test(claim.before));
  return (boundOf(claim) ?? named ?? (ANY_END.test(claim.before) ? side : null)) === side;
}

/** A sentence may add a rate, but not leave it out. A rate that is in no table may be the translation of one that is. */
function isSameRate(one: string | null, two: string | null): boolean {
  if (one === null || two === null) return two === null;
  return one === two || one.startsWith(OTHER) !== two.startsWith(OTHER);
}

/** Whether two amounts are equal and both have a unit or none, maybe in another spelling. */
export function isSameAmount(one: Amount, two: Amount): boolean {
  if ((one.units.length === 0) !== (two.units.length === 0)) return false;
  if (one.per !== null && two.per !== null && !isSameRate(one.per, two.per)) return false;
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
  const isUpTo = UP_TO.test(quote.before) && boundOf(claim) === null;
  const [own] = claim.units;
  const unit = quote.units.find((one) => own !== undefined && isAlike(one, own)) ?? quote.units[0];
  if (unit === undefined && quote.scale === 0 && !isUpTo) return null;
  if ((isUpTo || sideOf(quote) !== null) && amountAgrees(claim, { ...quote, joined: "alone", hedge: "none" }))
    return quote.joined.startsWith("maybe") && TO.test(claim.before) ? null : "end_of_range";
  const isSameNumeral = claim.numeral === quote.numeral;
  const isSameValue = isSameNumeral && claim.exponent === quote.exponent;
  if (own?.kind === "percent" && unit?.kind === "points")
    return amountAgrees({ ...claim, units: [{ ...own, kind: "points" }] }, quote) || isSameValue ? "percent_for_points" : null;
  if ((own === undefined) !== (unit === undefined)) return null;
  if (own !== undefined && unit !== undefined && !isComparable(own, unit)) {
    if (own.kind !== unit.kind) return isSameValue && isAlike(own, unit) ? "unit_contradicted" : null;
    return isSameValue ? "currency_contradicted" : null;
  }
  const isOtherRate = claim.per !== quote.per && [claim.per, quote.per].every((per) => per?.startsWith(OTHER) === false);
  if (isSameValue && (own?.kind !== unit?.kind || own?.factor !== unit?.factor || isOtherRate)) return "unit_contradicted";
  return isSameNumeral && claim.exponent !== quote.exponent ? "amount_contradicted" : null;
}
