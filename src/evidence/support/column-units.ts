import { type Amount, readAmounts } from "../figures/amounts.ts";
import { currenciesAround } from "../figures/units.ts";

/** What a number of a table gets around it: `$` and ` billion`. */
interface UnitWords {
  readonly before: string;
  readonly behind: string;
}

/** In UTF-16 code units. */
const MAX_LABEL = 200;
const MAX_UNIT = 40;
const MAX_CURRENCY = 12;
const IN_BRACKETS = /[([（【［]([^()[\]（）【】［］]{1,40})[)\]）】］]/g;
/** A unit at the end of a label stands behind one of these. A sign or a currency needs only a space. */
const INTRODUCTION = /[,:;，：；、–—]|\s-\s|\/(?!\p{sc=Latin})|\bin\b|(?:^|\s)(?=\P{L}|\p{Lu}{1,3}(?:\p{Sc}|\s)|\p{sc=Han})/gu;
const BARE_NUMBER = /^[+−–-]?\d[\d.,\s]{0,20}$/;
const YEAR = /^(?:19|20)\d\d$/;
const PER = /^\s?(?:[/每]|per\b|an?\b|each\b)/;

/** The cell with the label of a row, and the head above it. `at` is its index in the row, negative if it stands before the cells. */
interface RowLabel {
  readonly label: string;
  readonly at: number;
  readonly head: string;
}

/**
 * Writes the numbers without unit of a row with their unit: that in the head of their column, such as "Revenue ($ billion)", otherwise that
 * in the label of the row or in the head of the labels.
 */
export function withUnits(cells: readonly string[], head: readonly string[], row: RowLabel): string[] {
  let ofRow: UnitWords | null | undefined;
  return cells.map((cell, column) => {
    const number = cell.trim();
    if (!BARE_NUMBER.test(number)) return cell;
    let unit = unitOf(head[column] ?? "");
    if (unit === null && column !== row.at && !YEAR.test(number)) {
      ofRow ??= BARE_NUMBER.test(row.label.trim()) ? null : (unitOf(row.label) ?? unitOf(row.head));
      unit = ofRow;
    }
    return unit === null ? cell : ` ${unit.before}${number}${unit.behind} `;
  });
}

/** The rows of a table have the same head, so the units of the last labels are kept. */
const MAX_KEPT = 500;
const kept = new Map<string, UnitWords | null>();

function unitOf(label: string): UnitWords | null {
  const known = kept.get(label);
  if (known !== undefined) return known;
  const unit = findUnit(label);
  if (kept.size >= MAX_KEPT) kept.clear();
  if (label.length <= MAX_LABEL) kept.set(label, unit);
  return unit;
}

/** Reads the unit that a label names: "Revenue (USD million)", "Revenue in $ million", "数额（亿元）", "Margin, %". */
function findUnit(label: string): UnitWords | null {
  const text = label.trim();
  if (text === "" || text.length > MAX_LABEL) return null;
  for (const [, words = ""] of text.matchAll(IN_BRACKETS)) {
    const unit = readUnit(words);
    if (unit !== null) return unit;
  }
  for (const { 0: mark, index } of text.matchAll(INTRODUCTION)) {
    const words = text.slice(index + mark.length);
    const unit = readUnit(words);
    if (unit !== null && (mark.trim() !== "" || unit.isMoney || /^\P{L}/u.test(words))) return unit;
  }
  return null;
}

function readUnit(written: string): (UnitWords & { readonly isMoney: boolean }) | null {
  const words = written.trim().replace(/^in /i, "").replaceAll(" of ", " ");
  if (words === "" || words.length > MAX_UNIT || /\d/.test(words)) return null;
  const singular = words.replaceAll(/(?<=\p{L}{4})s\b/gu, "");
  for (const spelling of new Set([words, singular])) {
    for (const at of splitsOf(spelling)) {
      const [before, behind] = [spelling.slice(0, at).trim(), spelling.slice(at).trim()];
      for (const space of behind.length > 2 ? [" ", ""] : ["", " "]) {
        const ahead = /\p{sc=Latin}$/u.test(before) ? `${before} ` : before;
        const sample = `${ahead}1${space}${behind}`.trimEnd();
        const [amount] = readAmounts(sample, true);
        if (amount !== undefined && isUnit(amount, sample, ahead))
          return { before: ahead, behind: `${space}${behind}`.trimEnd(), isMoney: amount.currencies !== null };
      }
    }
  }
  return null;
}

/** Returns where the number may stand: before the words, or behind a currency at their beginning. */
function splitsOf(words: string): number[] {
  const ends = Array.from({ length: Math.min(words.length, MAX_CURRENCY) }, (_, i) => i + 1);
  return [0, ...ends.filter((end) => currenciesAround(words.slice(0, end), "").ahead === end)];
}

/** Whether the words around the number are its scale, unit and currency, maybe with what it is for or of: "per ton", "million jobs", "% of GDP". */
function isUnit({ start, end, scale, unit, currencies, per }: Amount, sample: string, ahead: string): boolean {
  if ((scale === 0 && unit === null && currencies === null) || (unit !== null && currencies !== null)) return false;
  if (start !== 0 && (currencies === null || start !== ahead.length)) return false;
  const rest = sample.slice(end);
  const mayCount = (scale > 0 && currencies === null && unit === null) || unit?.kind === "percent";
  return rest === "" || (per !== null && PER.test(rest)) || (mayCount && /^(?:\s|\p{sc=Han})[\p{L}\s]*$/u.test(rest));
}
