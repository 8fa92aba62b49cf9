import { type Amount, readAmounts } from "../figures/amounts.ts";

/** What a number of a table gets around it: `$` and ` billion`. */
interface UnitWords {
  readonly before: string;
  readonly behind: string;
}

/** In UTF-16 code units. */
const MAX_LABEL = 200;
const MAX_UNIT = 40;
/** A unit at the end of a label stands behind one of these. A sign or a currency needs only a space. */
const INTRODUCTION = /[([（【［,:;，：；、–—]|\s-\s|\/(?!\p{sc=Latin})|\bin\b|(?:^|\s)(?=\P{L}|\p{Lu}{1,3}(?:\p{Sc}|\s)|\p{sc=Han})/gu;
/** A currency that stands before its number. */
const CURRENCY = /^(?:\p{Lu}{0,3}\p{Sc}|\p{Lu}{3} )\s?/u;
const BARE_NUMBER = /^[+−–-]?\d[\d.,\s]{0,20}$/;
const YEAR = /^(?:19|20)\d\d$/;

/** The label of a row, and the head above it. `note` is what is said of all numbers of a table. `at` is the index of the label, maybe negative. */
interface RowLabel {
  readonly label: string;
  readonly at: number;
  readonly labelHead: string;
  readonly note?: UnitWords | null;
}

/**
 * Writes the numbers without unit of a row with their unit: that in the head of their column, such as "Revenue ($ billion)", otherwise that
 * in the label of the row or in the head of the labels, otherwise that of a note such as "in millions". Years get none of a row or note.
 */
export function withUnits(cells: readonly string[], head: readonly string[], row: RowLabel): string[] {
  let ofRow: UnitWords | null | undefined;
  return cells.map((cell, column) => {
    const number = cell.trim();
    if (!BARE_NUMBER.test(number)) return cell;
    let unit = unitOf(head[column] ?? "");
    if (unit === null && column !== row.at && !YEAR.test(number)) {
      ofRow ??= BARE_NUMBER.test(row.label.trim()) ? null : (unitOf(row.label) ?? unitOf(row.labelHead) ?? row.note ?? null);
      unit = ofRow;
    }
    return unit === null ? cell : ` ${unit.before}${number}${unit.behind} `;
  });
}

const SCALE = "(?:thousand|million|billion|[千万亿])";
/** What may be a note: "in millions of dollars", "(millions)", 单位：万元. */
const NOTES = new RegExp(
  String.raw`\bin ((?:US)?[$€£¥]? ?${SCALE}s?(?: \p{L}+){0,3})|[(（](?:in )?([^()（），,\d]{0,12}${SCALE}[^()（），,\d]{0,15})|单位[：:]\s?([^\s，,()（）]{1,10})`,
  "giu",
);

/** Reads a note that scales the numbers of a table. */
export function findNote(text: string): UnitWords | null {
  for (const [, ...written] of text.matchAll(NOTES)) {
    const words = written.join("").split(" ");
    for (let count = words.length; count > 0; count--) {
      const unit = readUnit(words.slice(0, count).join(" "));
      if (unit?.isScaled) return unit;
    }
  }
  return null;
}

/** The rows of a table have the same head, so the units of the last labels are kept. */
const MAX_KEPT = 500;
const kept = new Map<string, UnitWords | null>();

function unitOf(label: string): UnitWords | null {
  if (label.length > MAX_LABEL) return null;
  if (kept.size >= MAX_KEPT) kept.clear();
  if (!kept.has(label)) kept.set(label, findUnit(label.trim()));
  return kept.get(label) ?? null;
}

/** Reads the unit that a label names: "Revenue (USD million)", "Revenue in $ million", "数额（亿元）", "Margin, %". */
function findUnit(text: string): UnitWords | null {
  for (const { 0: mark, index } of text.matchAll(INTRODUCTION)) {
    const words = text.slice(index + mark.length).split(/[)\]）】］]/, 1)[0] ?? "";
    const unit = readUnit(words);
    if (unit !== null && (mark.trim() !== "" || unit.isMoney || /^\P{L}/u.test(words))) return unit;
  }
  return null;
}

function readUnit(written: string): (UnitWords & { readonly isMoney: boolean; readonly isScaled: boolean }) | null {
  const words = written.trim().replace(/^in /i, "").replaceAll(" of ", " ");
  if (words === "" || words.length > MAX_UNIT || /\d/.test(words)) return null;
  for (const spelling of new Set([words, words.replaceAll(/(?<=\p{L}{4})s\b/gu, "")]))
    for (const at of new Set([0, CURRENCY.exec(spelling)?.[0].length ?? 0]))
      for (const space of spelling.length - at > 2 ? [" ", ""] : ["", " "]) {
        const [before, behind] = [spelling.slice(0, at), `${space}${spelling.slice(at).trim()}`.trimEnd()];
        const sample = `${before}1${behind}`;
        const [amount] = readAmounts(sample, true);
        if (amount?.start === 0 && isUnit(amount, sample.slice(amount.end)))
          return { before, behind, isMoney: amount.units[0]?.kind === "money", isScaled: amount.scale > 0 };
      }
  return null;
}

/** Whether a number has a scale or a unit, and `rest` is only what it is for or of: "per ton", "million jobs", "% of GDP". */
function isUnit({ scale, units: [unit], per }: Amount, rest: string): boolean {
  if (scale === 0 && unit === undefined) return false;
  const mayCount = unit === undefined || unit.kind === "percent";
  return rest === "" || per !== null || (mayCount && /^(?:\s|\p{sc=Han})[\p{L}\s]*$/u.test(rest));
}
