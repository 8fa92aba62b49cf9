import { jsonrepair } from "jsonrepair";
import { objectStarts } from "./read-partial.ts";

/** The repair of a longer text may take seconds. */
const MAX_REPAIRED = 60_000;

/**
 * The objects that a text which a model wrote may mean, most likely first. Fences and prose around them are left out; quotes, commas and
 * brackets that are missing are put in where `repair` allows it (not for a text that was cut off: its end would be invented).
 */
export function* objectsIn(text: string, repair: boolean): Generator<unknown> {
  const starts = objectStarts(text);
  const anywhere = text.indexOf("{");
  for (const start of starts.length > 0 || anywhere < 0 ? starts : [anywhere]) {
    const rest = text.slice(start);
    const closed = rest.slice(0, closingBrace(rest) ?? rest.lastIndexOf("}") + 1);
    yield* read(closed, JSON.parse);
    if (!repair || rest.length > MAX_REPAIRED) continue;
    yield* read(closed, (part) => JSON.parse(jsonrepair(part)));
    // A brace that closes may stand in a string, or be missing.
    yield* read(rest.slice(0, rest.lastIndexOf("}") + 1), (part) => JSON.parse(jsonrepair(part)));
    yield* read(rest.replace(/\s*```\s*$/, ""), (part) => JSON.parse(jsonrepair(part)));
  }
}

/** Where the object ends that `text` begins with; null where it does not. */
function closingBrace(text: string): number | null {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|[{}]/g)) {
    if (mark === "{") depth += 1;
    else if (mark === "}") depth -= 1;
    if (depth === 0) return index + 1;
  }
  return null;
}

function* read(text: string, parse: (text: string) => unknown): Generator<unknown> {
  try {
    const value = parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) yield value;
  } catch {
    // It means nothing in this reading.
  }
}
