import { type Amount, boundOf, type Side, sideOf } from "./amounts.ts";
import { fractionOf, quantityOf, statesQuantity } from "./quantities.ts";
import { isPlain, isShare, mixesMoney, OTHER } from "./units.ts";

export type Contradiction =
  | "amount_contradicted"
  | "unit_contradicted"
  | "currency_contradicted"
  | "date_contradicted"
  | "end_of_range"
  | "percent_for_points";

/** Words before one end of a range. "To 30" states the figure and not an end. */
const LOW =
  /(?:\b(?:low(?:er|est)?|(?:small|short|young|cheap)est|floor|bottom|minimum|starts?|starting|begin(?:s|ning)?)\b|下限|最[低少])[^.;\d]{0,24}$|起 ?$/iu;
const HIGH =
  /(?:\b(?:high(?:er|est)?|(?:larg|long|old|tall)est|upper|top|ceiling|maximum|cap|limit|as (?:much|many) as)\b|上限|最[高多]|[高多]达)[^.;\d]{0,24}$/iu;
const ANY_END = /\b(?:from|between|and|or|one to)\s?(?:[$€£¥]|US\$)?$|[从由介][^，。；]{0,6}$/iu;
const TO = /\bto\s?(?:[$€£¥]|US\$)?$|[至到] ?$/i;
const UP_TO = /\bup to\s?(?:[$€£¥]|US\$)?$|[至最]多$/i;

/** Whether a quote has the amount of a sentence. The sentence may round it, convert its unit, or leave out the unit. */
export function amountAgrees(claim: Amount, quote: Amount): boolean {
  const [limit, told] = [sideOf(quote) ?? boundOf(quote), boundOf(claim)];
  if (limit !== null && quote.hedge !== "nearly" && claim.joined === "alone" && !isEndNamed(claim, limit)) return false;
  const rate = rateBetween(claim, quote);
  if (rate === null || mixesMoney(claim, quote)) return false;
  if (isShare(claim) !== isShare(quote)) return isFractionOfOne(claim, quote) && statesQuantity(claim, fractionOf(quote), true);
  const value = quantityOf(quote);
  const rated = { ...value, num: value.num * rate.num, den: value.den * rate.den };
  // "More than 5" agrees with "over 5", but not with 5.
  const isSameBound = told !== null && told === boundOf(quote);
  return statesQuantity(claim, rated, true) || (isSameBound && statesQuantity({ ...claim, hedge: "none" }, rated, true));
}

function isEndNamed(claim: Amount, side: Side): boolean {
  const told = boundOf(claim) ?? (LOW.test(claim.before) ? "low" : HIGH.test(claim.before) ? "high" : null);
  return told === side || (told === null && ANY_END.test(claim.before));
}

const SAME_RATE = { num: 1n, den: 1n };
/** Returns what turns a rate of a quote into that of a sentence, such as 12 for "per month" and "per year"; null if nothing does. */
function rateBetween({ per: one }: Amount, { per: two }: Amount): { readonly num: bigint; readonly den: bigint } | null {
  if (one === null) return two?.isBeside ? null : SAME_RATE;
  if (two === null || one.name === two.name) return SAME_RATE;
  if (one.perYear !== null && two.perYear !== null) return { num: two.perYear, den: one.perYear };
  // One may be the translation of the other.
  return one.perYear === two.perYear && one.name.startsWith(OTHER) !== two.name.startsWith(OTHER) ? SAME_RATE : null;
}

function isFractionOfOne(claim: Amount, quote: Amount): boolean {
  const plain = isShare(claim) ? quote : claim;
  return isPlain(plain) && plain.exponent < 0 && plain.digits <= 10n ** BigInt(-plain.exponent);
}

function isOppositeBound(claim: Amount, quote: Amount): boolean {
  return [boundOf(claim), boundOf(quote)].sort().join(" ") === "high low";
}

/** Whether two amounts are equal and have the same kind of unit, maybe in another spelling. */
export function isSameAmount(one: Amount, two: Amount): boolean {
  if ((one.unit === null) !== (two.unit === null) || (one.currencies === null) !== (two.currencies === null)) return false;
  const isRated = one.per !== null && two.per !== null;
  const [first, second] = [one, two].map(
    (amount): Amount => ({ ...amount, hedge: "none", joined: "alone", per: isRated ? amount.per : null }),
  );
  return first !== undefined && second !== undefined && amountAgrees(first, second) && amountAgrees(second, first);
}

/** Whether two amounts are the same, and one is no bound, no end of a range and no rate of another kind than the other. */
export function isEqualAmount(one: Amount, two: Amount): boolean {
  if (one.hedge !== two.hedge || sideOf(one) !== sideOf(two) || one.per?.name !== two.per?.name) return false;
  return isSameAmount(one, two);
}

const DIMENSIONS = ["months days seconds", "celsius fahrenheit", "percent points"];
const dimensionOf = ({ unit }: Amount): string =>
  DIMENSIONS.find((kinds) => kinds.split(" ").includes(unit?.kind ?? "")) ?? unit?.kind ?? "";

/** Why an amount of a quote shows that an amount of a sentence is false: they are the same but for unit, currency, scale or range. */
export function contradiction(claim: Amount, quote: Amount): Contradiction | null {
  if (isOppositeBound(claim, quote) && amountAgrees({ ...claim, hedge: quote.hedge }, quote)) return "amount_contradicted";
  const isUpTo = UP_TO.test(quote.before) && boundOf(claim) === null;
  if (isPlain(quote) && quote.scale === 0 && !isUpTo) return null;
  if ((isUpTo || sideOf(quote) !== null) && amountAgrees(claim, { ...quote, joined: "alone", hedge: "none" }))
    return quote.joined.startsWith("maybe") && TO.test(claim.before) ? null : "end_of_range";
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
  const [one, two] = [claim.per?.name ?? OTHER, quote.per?.name ?? OTHER];
  const isOtherRate = one !== two && !one.startsWith(OTHER) && !two.startsWith(OTHER);
  if (isSameValue && (!isSameUnit || isOtherRate)) return "unit_contradicted";
  return isSameNumeral && claim.exponent !== quote.exponent ? "amount_contradicted" : null;
}
