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
  const value = parse(jsonPart(text), repair);
  if (value === undefined) return { ok: false, fault: "It is not JSON." };
  const parsed = schema.safeParse(value);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, fault: z.prettifyError(parsed.error).slice(0, MAX_FAULT) };
}

/** What stands in the first fence, or else from the first bracket to the last one. */
function jsonPart(text: string): string {
  const fenced = /```[a-z]*\s*([{[][\s\S]*?)(?:```|$)/i.exec(text)?.[1] ?? text;
  const from = fenced.search(/[{[]/);
  if (from < 0) return "";
  const to = Math.max(fenced.lastIndexOf("}"), fenced.lastIndexOf("]"));
  return to > from ? fenced.slice(from, to + 1) : fenced.slice(from);
}

function parse(text: string, repair: boolean): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return repair ? parseRepaired(text) : undefined;
  }
}

function parseRepaired(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}
