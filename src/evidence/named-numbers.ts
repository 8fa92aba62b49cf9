import { readAmounts } from "./figures/amounts.ts";

/** A word with letters and digits, such as GPT-4 or 5km. */
const WORD =
  /(?<![\p{L}\p{N}]|\d[.,])(?:\p{sc=Latin}+-?\d[\p{sc=Latin}\d]*(?:[.-]\d+)*|\d+(?:\.\d+)?\p{sc=Latin}[\p{sc=Latin}\d]*(?:[.-]\d+)*|\d+(?:\.\d+){2,})(?![\p{sc=Latin}\d])/gu;

/** Returns the names with digits of a text. `rest` is the text with spaces in their places. */
export function readNamedNumbers(text: string): { readonly names: readonly string[]; readonly rest: string } {
  const names: string[] = [];
  const rest = text.replaceAll(WORD, (word) => {
    if (isAmount(word)) return word;
    names.push(word);
    return " ".repeat(word.length);
  });
  return { names, rest };
}

/** 5km and 20bn are amounts, 5G and 3D are names. */
function isAmount(word: string): boolean {
  if (/^[kcm]?m[23]$|^\d+(?:st|nd|rd|th)$|^\d+(?:\.\d+)?e\d+$/.test(word)) return true;
  if (/^\d+(?:\.\d+){2,}$/.test(word)) return /^\d{1,3}(?:\.\d{3})+$/.test(word);
  const [amount] = readAmounts(word, true);
  return amount?.start === 0 && amount.end === word.length && !/^\d+G$/.test(word);
}

/** Matches all spellings of a name: GPT-4, GPT4 and GPT 4. */
export function spellingsOf(name: string): RegExp {
  const runs = name.match(/\p{sc=Latin}+|\d+|[.]/gu) ?? [];
  return new RegExp(String.raw`(?<![\p{sc=Latin}\d])${runs.map(RegExp.escape).join(String.raw`[\s-]?`)}(?!\d|[.]\d)`, "iu");
}
