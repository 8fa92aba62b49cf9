import { readAmounts } from "../../evidence/figures/amounts.ts";

interface Part {
  readonly text: string;
  readonly isAmount: boolean;
}

/** In UTF-16 code units. A longer amount may break, so that it fits a narrow line. */
const LONGEST = 24;
/** Inside an amount a line may break at a space, and before and behind a Chinese character. */
const BREAKABLE = /[ \p{sc=Han}]/u;
const WORD_JOINER = "\u2060";

/** Splits a text where its amounts begin and end, so that a renderer can keep each on one line. */
export function amountParts(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { start, end } of readAmounts(text, false)) {
    const amount = text.slice(start, end);
    if (start < from || amount.length > LONGEST || !BREAKABLE.test(amount.trim())) continue;
    parts.push({ text: text.slice(from, start), isAmount: false }, { text: amount, isAmount: true });
    from = end;
  }
  return [...parts, { text: text.slice(from), isAmount: false }].filter((part) => part.text !== "");
}

/**
 * Joins the parts of each amount by characters at which no line breaks: "$27.2 billion", 24.2亿元. Only for DOCX, which cannot keep text on a
 * line otherwise.
 */
export function unbroken(text: string): string {
  return amountParts(text)
    .map((part) => (part.isAmount ? joined(part.text) : part.text))
    .join("");
}

function joined(amount: string): string {
  return amount.replaceAll(" ", "\u00a0").replaceAll(/(?<=[\p{L}\d])(?=\p{sc=Han})/gu, WORD_JOINER);
}
