import { isStopWord } from "../../ranking/query-terms.ts";
import type { Amount } from "../figures/amounts.ts";
import { hasFigures, missingFigures } from "../figures/check-figures.ts";
import { amountAgrees, isSameAmount, measureSame } from "../figures/compare-amounts.ts";
import { singularOf } from "./ordinary-words.ts";
import { amountsInClaim, amountsInQuote, type PlacedAmount, yearsIn } from "./placed-amounts.ts";
import { type QuotedPlace, readPlace } from "./quote-texts.ts";

/** An amount that the quotes have only of another column, row, part of a change or year than the sentence. */
export interface Misplaced {
  readonly words: string;
  readonly reason: "amount_not_in_quote" | "date_contradicted";
  /** Whether the sentence is false, and not only another statement than the quotes. */
  readonly isFalse: boolean;
}

/** Nothing is known of more rows. Further amounts of a sentence are not compared. */
const [MAX_ROWS, MAX_AMOUNTS] = [200, 20];

/** @param stated the sentence, with the units of its columns if it is a row of a table with this `head` */
export function findMisplaced(stated: string, head: readonly string[] | undefined, places: readonly QuotedPlace[]): Misplaced | null {
  const claimed = amountsInClaim(stated, head).slice(0, MAX_AMOUNTS);
  if (claimed.length === 0 || places.some((place) => readPlace(place).rows.length > MAX_ROWS)) return null;
  const quoted = places.flatMap(amountsInQuote);
  const isOther = readLabels(stated, places);
  const years = head === undefined ? yearsIn(stated) : [];
  for (const one of claimed) {
    const agreeing = quoted.filter(({ amount }) => states(one.amount, amount));
    if (agreeing.length === 0) continue;
    const isElsewhere = agreeing.some(({ cell }) => cell === undefined);
    if ((!isElsewhere && (isOfOtherColumn(one, agreeing, quoted) || agreeing.every(isOther))) || hasOtherRole(one, agreeing))
      return { words: one.amount.text, reason: "amount_not_in_quote", isFalse: false };
    const misdated = findMisdated(one, { agreeing, quoted, years: isElsewhere ? [] : years });
    if (misdated !== null) return misdated;
  }
  return null;
}

function states(claim: Amount, quote: Amount): boolean {
  const isBare = claim.units.length === 0 && claim.scale === 0;
  return amountAgrees(claim, quote) || (isBare && claim.numeral === quote.numeral);
}

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

/** "Rose by $5 billion" of "rose to $5 billion". */
function hasOtherRole({ amount }: PlacedAmount, agreeing: readonly PlacedAmount[]): boolean {
  const own = roleOf(amount);
  return own !== undefined && !agreeing.map((one) => roleOf(one.amount)).some((role) => role === undefined || role === own);
}

function roleOf({ before }: Amount): string | undefined {
  return ROLES.find(([, words]) => words.test(before))?.[0];
}

interface Compared {
  readonly agreeing: readonly PlacedAmount[];
  readonly quoted: readonly PlacedAmount[];
  /** The years of the sentence, if it may be about a table. */
  readonly years: readonly string[];
}

function findMisdated({ amount, years: own, isDirect }: PlacedAmount, { agreeing, quoted, years: all }: Compared): Misplaced | null {
  const years = own ?? all;
  if (years.length === 0 || agreeing.some((one) => mayBeOf(one, years))) return null;
  const ofYears = quoted.filter((one) => one.years?.some((year) => years.includes(year)));
  if (all.length > 0 && ofYears.length === 0) return null;
  // A year that only stands in the clause may be when something was said or planned.
  const isFalse = isDirect && agreeing.every((one) => one.isDirect) && ofYears.some((one) => measureSame(one.amount, amount));
  return { words: `${amount.text} (${years.join(", ")})`, reason: "date_contradicted", isFalse };
}

/** Nothing is known of an amount without a sure year. */
function mayBeOf({ years: own }: PlacedAmount, years: readonly string[]): boolean {
  const isOwn = (year: string): boolean => own?.some((one) => one === year || (one.startsWith("not ") && one !== `not ${year}`)) ?? true;
  return years.some(isOwn);
}

/** Whether the quotes give all operands of a calculation only other years than those of the sentence. */
export function isOfOtherYear(text: string, operands: readonly Amount[], places: readonly QuotedPlace[]): boolean {
  const years = yearsIn(text);
  if (years.length === 0) return false;
  const quoted = places.flatMap(amountsInQuote).filter((one) => one.years !== null);
  return operands.every((operand) => {
    const own = quoted.filter(({ amount }) => isSameAmount(operand, amount));
    return own.length > 0 && !own.some((one) => mayBeOf(one, years));
  });
}

/**
 * Whether a cell of a row stands in the quoted rows only under other heads than its own, as when two columns are swapped. Nothing is known of a
 * cell whose head the quoted rows do not have as the head of a column or the label of a row, maybe with other units.
 */
function isOfOtherColumn({ cell }: PlacedAmount, agreeing: readonly PlacedAmount[], quoted: readonly PlacedAmount[]): boolean {
  if (cell === undefined || cell.head.trim() === "") return false;
  const isOwn = (one: PlacedAmount): boolean =>
    one.cell !== undefined && [one.cell.head, one.cell.label].some((label) => isSameLabel(label, cell.head));
  return !agreeing.some(isOwn) && quoted.some(isOwn);
}

const BRACKETS = /[([（【［][^()[\]（）【】［］]{0,60}[)\]）】］]/g;

/** Whether two labels have the same figures, such as 2024 and FY2024, or without any, the same words. */
function isSameLabel(one: string, other: string): boolean {
  const [first = "", second = ""] = [one, other].map((label) =>
    label.replaceAll(BRACKETS, " ").replaceAll(/\s+/g, " ").trim().toLowerCase(),
  );
  if (first === second) return first !== "";
  if (!hasFigures(one) || !hasFigures(other)) return false;
  return missingFigures(one, [other], []).length === 0 && missingFigures(other, [one], []).length === 0;
}

/**
 * Returns whether an amount stands in a row whose label the sentence does not have, although it has the label of another row of the table: a figure
 * of "Turbines" told of "Cables".
 */
function readLabels(sentence: string, places: readonly QuotedPlace[]): (one: PlacedAmount) => boolean {
  const labels = [...new Set(places.flatMap((place) => readPlace(place).labels))];
  const words = wordsOf(sentence);
  const isWhole = (label: string): boolean => isName(label) && words.includes(wordsOf(label));
  if (!labels.some(isWhole)) return () => false;
  const isPartly = readOwnWords(labels, words);
  return ({ cell }) => cell !== undefined && isName(cell.label) && !isWhole(cell.label) && !isPartly(cell.label);
}

/** Labels with figures, such as years, and sums of other rows are no names of what a row is about. */
function isName(label: string): boolean {
  return /\p{L}{2}/u.test(label) && !/\d/.test(label) && !/^\W*(?:total|sum|all|合计|总计|小计|共计)/i.test(label.trim());
}

const WORD = /\p{sc=Han}|(?:(?!\p{sc=Han})[\p{L}\p{M}\p{N}])+/gu;

/** Returns the words in the singular, and Chinese characters, between spaces. "IT" is not "it". */
function wordsOf(text: string): string {
  const words = text.match(WORD) ?? [];
  return ` ${words.map((word) => (/^\p{Lu}{2,3}$/u.test(word) ? word : singularOf(word.toLowerCase()))).join(" ")} `;
}

/** Returns whether a text has a word of a label that no other label has, or the beginning of one: "turbines" of "Wind turbines". */
function readOwnWords(labels: readonly string[], words: string): (label: string) => boolean {
  const counts = new Map<string, number>();
  for (const word of labels.flatMap(distinctWords)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isIn = (word: string): boolean => words.includes(word.length > 3 ? ` ${word}` : ` ${word} `);
  return (label) => distinctWords(label).some((word) => (counts.get(word) ?? 0) <= 1 && isIn(word));
}

/** Function words apart. Two characters are the shortest words of Chinese that say something. */
function distinctWords(label: string): string[] {
  const words = wordsOf(label).trim().split(" ");
  const isHan = (word: string | undefined): boolean => /^\p{sc=Han}$/u.test(word ?? "");
  const pairs = words.flatMap((word, i) => (isHan(word) && isHan(words[i + 1]) ? [`${word} ${words[i + 1]}`] : []));
  return [...new Set([...words.filter((word) => word !== "" && !isHan(word) && !isStopWord(word)), ...pairs])];
}
