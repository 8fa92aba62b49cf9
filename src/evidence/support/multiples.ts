import { quotient } from "../calculation/arithmetic.ts";
import type { Amount } from "../figures/amounts.ts";
import { amountsOf } from "../figures/check-figures.ts";
import { type Quantity, quantityOf, statesQuantity } from "../figures/quantities.ts";

/** The ratios of further amounts of a sentence are not calculated. */
const MAX_COMPARED = 10;
const HALVED = /\bhal(?:ved|ves|ving|f as)\b/i;

/** Returns whether an amount stands for a word such as "doubled" or "halved", and two amounts of the sentence, which are compared for themselves, have this ratio. */
export function readMultiples(text: string, stated: string): (amount: Amount) => boolean {
  const isWord = (amount: Amount): boolean =>
    !text.includes(amount.text) && (amount.units.some(({ kind }) => kind === "times") || (amount.text === "50%" && HALVED.test(text)));
  let ratios: readonly Quantity[] | undefined;
  return (amount) => {
    if (!isWord(amount)) return false;
    ratios ??= ratiosOf(amountsOf(stated).filter((one) => !isWord(one)));
    return ratios.some((ratio) => statesQuantity({ ...amount, hedge: "about" }, ratio));
  };
}

function ratiosOf(amounts: readonly Amount[]): Quantity[] {
  const all = amounts.slice(0, MAX_COMPARED).map(quantityOf);
  const ratios = all.flatMap((one) => all.flatMap((two) => (one === two ? [] : (quotient(one, two) ?? []))));
  return ratios.filter(({ isRatio }) => isRatio);
}
