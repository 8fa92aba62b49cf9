import type { Amount } from "./figures/amounts.ts";
import { amountsOf, possibleAmounts } from "./figures/check-figures.ts";
import { amountAgrees } from "./figures/compare-amounts.ts";

// In UTF-16 code units: what is read before and behind a number for its unit.
const [BEFORE, BEHIND] = [48, 96];
/** Short numbers stand everywhere. If the first of them do not agree, nothing is known of the others. */
const MAX_PLACES = 100;

/** An amount of a sentence, with the forms in which its quotes have it. */
export type Figure = readonly [Amount, ...Amount[]];

/** Returns the amounts of a sentence without its dates. */
export function figuresOf(sentence: string, quotes: readonly string[]): Figure[] {
  const quoted = possibleAmounts(quotes.join("\n"));
  return amountsOf(sentence).map((amount): Figure => [amount, ...quoted.filter((quote) => amountAgrees(amount, quote))]);
}

/** Whether a text states a figure, maybe in another form: 27.2 billion or 27,200 million. Also true if the text has too many such numbers. */
export function statesFigure(text: string, figure: Figure): boolean {
  // 272 stands for 27.2, 2,720 and 27,200.
  for (const digits of new Set(figure.map((form) => String(form.digits).replace(/(?<=\d)0+$/, "")))) {
    let places = 0;
    for (const { index } of text.matchAll(new RegExp(String.raw`(?<!\d)${[...digits].join("[., ’']?")}`, "g"))) {
      if (++places > MAX_PLACES) return true;
      const near = possibleAmounts(text.slice(Math.max(0, index - BEFORE), index + BEHIND));
      if (figure.some((form) => near.some((amount) => amountAgrees(form, amount)))) return true;
    }
  }
  return false;
}
