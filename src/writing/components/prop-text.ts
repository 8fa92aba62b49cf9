import type { JsonValue } from "../../domain/json.ts";
import { createOutputFilter } from "../../evidence/sanitize-output.ts";
import { isFields } from "../../util/json-fields.ts";

/** Filters a string of the props before use or display. `ended`: it is complete. `key`: the field of the props in which it stands. */
export type PropFilter = (text: string, ended: boolean, key: string) => string;

/** In UTF-16 code units. The rest of a longer text is dropped. */
const MAX_PROP_LENGTH = 10_000;

export function createPropFilter(known: readonly string[]): PropFilter {
  return (whole, ended) => {
    const text = whole.slice(0, MAX_PROP_LENGTH).replace(/[\ud800-\udbff]$/, "");
    const filter = createOutputFilter(known);
    return filter.push(text) + (ended ? filter.end() : "");
  };
}

/** Trims, filters and makes well-formed. Of a longer beginning of the same text, it returns an extension. */
export function readString(text: string, ended: boolean, key: string, readText: PropFilter): string {
  return wellFormed(readText(wellFormed(text).trim(), ended, key)).trim();
}

/** Drops the half of a surrogate pair at the end; replaces others. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "").toWellFormed();
}

/** Returns a complete value with its strings filtered. */
export function filterJson(value: unknown, readText: PropFilter, key = ""): JsonValue {
  if (typeof value === "string") return readString(value, true, key, readText);
  if (Array.isArray(value)) return value.map((one) => filterJson(one, readText, key));
  if (!isFields(value)) return (value ?? null) as JsonValue;
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(fields.map(([name, one]) => [readString(name, true, key, readText), filterJson(one, readText, key || name)]));
}
