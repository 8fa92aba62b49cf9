import type { ModelToolCall } from "../domain/chat.ts";
import type { JsonValue } from "../domain/json.ts";
import type { ToolCall } from "../domain/tool.ts";
import { stripUnknownAddresses } from "./address-filter.ts";

/** What is nested more deeply is not shown. */
const MAX_DEPTH = 32;
const LEFT_OUT = "[…]";
/** Text in which no address can hide. */
const PLAIN = /^[\p{L}\p{N}\s_-]*$/u;

/** A call as readers see it: a model may write into one whatever a page told it to, and not only where an address belongs. */
export function shownCall({ id, name, arguments: args }: ToolCall, known: readonly string[]): ToolCall {
  return { id: clean(id, known), name: clean(name, known), arguments: shownJson(args, known) };
}

/** The same of a call whose arguments are text; what is JSON stays JSON. */
export function shownModelCall({ id, name, arguments: text }: ModelToolCall, known: readonly string[]): ModelToolCall {
  return { id: clean(id, known), name: clean(name, known), arguments: shownArguments(text, known) };
}

/** Without addresses that are not known, in all of its texts and names. */
export function shownJson(value: JsonValue, known: readonly string[], depth = 0): JsonValue {
  if (typeof value === "string") return clean(value, known);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return LEFT_OUT;
  if (Array.isArray(value)) return value.map((one) => shownJson(one, known, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [clean(key, known), shownJson(one, known, depth + 1)]));
}

function shownArguments(text: string, known: readonly string[]): string {
  if (PLAIN.test(text)) return text;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return clean(text, known);
  }
  const shown = shownJson(value, known);
  // As the model wrote it, where nothing had to go.
  return JSON.stringify(shown) === JSON.stringify(value) ? text : JSON.stringify(shown);
}

function clean(text: string, known: readonly string[]): string {
  return PLAIN.test(text) ? text : stripUnknownAddresses(text, known);
}
