import type { Figure } from "./market-data.ts";

/** A field of an answer: its key there, the Chinese name of the column, its unit. */
export interface Column {
  readonly key: string;
  readonly name: string;
  readonly unit: string;
}

export const column = (key: string, name: string, unit = ""): Column => ({ key, name, unit });

/** What a row says in a column; null where it says nothing: null, an empty text, a dash. */
export function figureOf(row: Readonly<Record<string, unknown>>, { key, name, unit }: Column): Figure | null {
  const value = spellValue(row[key], unit);
  return value === null ? null : { column: name, value, unit };
}

/** A number with its digits in groups of three and nothing rounded, a text without line breaks. */
export function spellValue(value: unknown, unit = ""): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? spellNumber(String(value)) : null;
  if (typeof value !== "string") return null;
  const text = value.replaceAll(/\s+/g, " ").trim();
  if (text === "" || /^[-–—]+$/.test(text)) return null;
  return unit !== "" && /^-?\d+(?:\.\d+)?$/.test(text) ? spellNumber(text) : text;
}

function spellNumber(digits: string): string {
  if (!/^-?\d+(?:\.\d+)?$/.test(digits)) return digits;
  const [whole = "", fraction] = digits.split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `2023-12-31` out of `2023-12-31 00:00:00`, `2023-12-31T00:00:00.000` and `20231231`; null otherwise. */
export function dayOf(value: unknown): string | null {
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  const [, year, month, day] = /^(\d{4})-?([01]\d)-?([0-3]\d)(?!\d)/.exec(text) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}

/** Whether a day lies in a range, both ends included. */
export function isWithin(day: string, { start, end }: { readonly start: string | null; readonly end: string | null }): boolean {
  return (start === null || day >= start) && (end === null || day <= end);
}
