import { jsonrepair } from "jsonrepair";
import { z } from "zod";

/** What was found in a model's answer, or what is wrong with it in words that the model can use. */
export type JsonReading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string };

const MAX_FAULT = 800;

/**
 * The JSON in a text that a model wrote, checked. Fences and prose around it are left out; quotes, commas and brackets that are
 * missing are put in where `repair` allows it (not for a text that was cut off: its end would be invented).
 */
export function readJson<T>(text: string, schema: z.ZodType<T>, { repair = true }: { readonly repair?: boolean } = {}): JsonReading<T> {
  let fault = "It is not JSON.";
  for (const value of valuesIn(text, repair)) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { ok: true, value: parsed.data };
    fault = z.prettifyError(parsed.error).slice(0, MAX_FAULT);
  }
  return { ok: false, fault };
}

/** What the text may mean, most likely first. */
function* valuesIn(text: string, repair: boolean): Generator<unknown> {
  const fenced = /```[a-z]*\s*([{[][\s\S]*?)(?:```|$)/i.exec(text)?.[1] ?? text;
  const from = fenced.search(/[{[]/);
  if (from < 0) return;
  const rest = fenced.slice(from);
  const closed = rest.slice(0, Math.max(rest.lastIndexOf("}"), rest.lastIndexOf("]")) + 1);
  yield* read(closed, JSON.parse);
  if (!repair) return;
  // A bracket that closes may stand in a string, or be missing.
  yield* read(closed, (part) => JSON.parse(jsonrepair(part)));
  yield* read(rest, (part) => JSON.parse(jsonrepair(part)));
}

/** The value, where it is an object or a list. */
function* read(text: string, parse: (text: string) => unknown): Generator<unknown> {
  try {
    const value = parse(text);
    if (typeof value === "object") yield value;
  } catch {
    // It means nothing in this reading.
  }
}
