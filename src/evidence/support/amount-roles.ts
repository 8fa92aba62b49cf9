import type { Amount } from "../figures/amounts.ts";
import { amountsOf, possibleAmounts } from "../figures/check-figures.ts";
import { amountAgrees } from "../figures/compare-amounts.ts";

/** What is directly before an amount, by what it makes of the amount in a change: "from 6.1% to 4.8%", "by 25 basis points". */
const SIGN = String.raw`\s?(?:[$€£¥]|US\$)?$`;
const ROLES = [
  ["from", String.raw`\bfrom|[由从自]`],
  [
    "to",
    String.raw`(?<!\b(?:up|compared|relative|equal|according|close|due|next|prior|amount|amounts|amounted|amounting|came|comes) )\bto|(?<!达)[至到]`,
  ],
  ["by", String.raw`\bby|(?:[涨跌升降减增]|增[长加]|减少|上[升涨调]|下[降跌调]|提高|降低)了?`],
].map(([role, words]) => [role, new RegExp(`(?:${words})${SIGN}`, "iu")] as const);

/** Returns an amount of a sentence that its quotes have only in another role: "rose by $5 billion" of "rose to $5 billion"; null if there is none. */
export function amountInOtherRole(sentence: string, quotes: readonly string[]): string | null {
  const stated = amountsOf(sentence).filter((amount) => roleOf(amount) !== undefined);
  if (stated.length === 0) return null;
  const quoted = possibleAmounts(quotes.join("\n"));
  const found = stated.find((amount) => {
    const roles = quoted.filter((one) => amountAgrees(amount, one)).map(roleOf);
    return roles.length > 0 && !roles.some((role) => role === undefined || role === roleOf(amount));
  });
  return found === undefined ? null : (wordsOf(found) ?? found.text);
}

function roleOf({ before }: Amount): string | undefined {
  return ROLES.find(([, words]) => words.test(before))?.[0];
}

function wordsOf({ before, text }: Amount): string | undefined {
  const words = ROLES.flatMap(([, one]) => one.exec(before)?.[0] ?? [])[0];
  return words === undefined ? undefined : `${words}${text}`.trim();
}
