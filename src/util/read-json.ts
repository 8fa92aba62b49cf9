import { jsonrepair } from "jsonrepair";
import { parseJson } from "./json-fields.ts";

/** In UTF-16 code units. A longer text takes seconds to repair. */
const MAX_REPAIRED = 60_000;

/**
 * Parses JSON, or what a library makes of it, which repairs line ends in strings, trailing commas, quotation marks and the like. It invents
 * the end of a text that breaks off. Undefined if it can make nothing of it.
 */
export function readJson(text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined || text.length > MAX_REPAIRED) return value;
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}
