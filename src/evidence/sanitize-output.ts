import type { ModelToolCall } from "../domain/chat.ts";
import type { JsonValue } from "../domain/json.ts";
import type { TextFilter } from "../domain/ports/models.ts";
import type { ToolCall } from "../domain/tool.ts";
import { parseJson } from "../util/json-fields.ts";
import { finish, type LongWork } from "../util/turns.ts";
import { strippedAddresses } from "./address-filter.ts";
import { isCitation } from "./citation-markers.ts";
import { MarkdownFilter } from "./markdown-filter.ts";
import { MarkerFilter } from "./marker-filter.ts";

/** Removes all citations, and marks addresses that are not in `known`. `[X3]` is a citation if `X` is in `prefixes`. */
export function createOutputFilter(known: readonly string[], prefixes: readonly string[] = []): TextFilter {
  const cited = new Set(["P", ...prefixes]);
  const markers = new MarkerFilter((id, isSquare) => isCitation(id, isSquare, cited));
  // The address filter comes last, because removing a citation may join two halves of an address.
  const addresses = new MarkdownFilter(known);
  return inSequence(markers, addresses);
}

/** Returns a filter for what the first one lets through to the second. */
export function inSequence(first: TextFilter, second: TextFilter): TextFilter {
  return { push: (piece) => second.push(first.push(piece)), end: () => second.push(first.end()) + second.end() };
}

export function sanitizeText(text: string, known: readonly string[]): string {
  return filtered(createOutputFilter(known), text);
}

function filtered(filter: TextFilter, text: string): string {
  return filter.push(text) + filter.end();
}

const MAX_DEPTH = 32;
const LEFT_OUT = "[…]";
const PLAIN = /^[\p{L}\p{N}\s_-]*$/u;

/** A hostile page may make a model write the page's address into any field of a tool call. */
export function* sanitizedToolCall({ id, name, arguments: args }: ToolCall, known: readonly string[]): LongWork<ToolCall> {
  return { id: yield* cleaned(id, known), name: yield* cleaned(name, known), arguments: yield* sanitizedJson(args, known) };
}

export function sanitizeToolCall(call: ToolCall, known: readonly string[]): ToolCall {
  return finish(sanitizedToolCall(call, known));
}

export function* sanitizedModelCall({ id, name, arguments: text }: ModelToolCall, known: readonly string[]): LongWork<ModelToolCall> {
  return { id: yield* cleaned(id, known), name: yield* cleaned(name, known), arguments: yield* sanitizedArguments(text, known) };
}

export function sanitizeJson(value: JsonValue, known: readonly string[]): JsonValue {
  return finish(sanitizedJson(value, known));
}

function* sanitizedJson(value: JsonValue, known: readonly string[], depth = 0): LongWork<JsonValue> {
  if (typeof value === "string") return yield* cleaned(value, known);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return LEFT_OUT;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const one of value) items.push(yield* sanitizedJson(one, known, depth + 1));
    return items;
  }
  const fields: [string, JsonValue][] = [];
  for (const [key, one] of Object.entries(value)) fields.push([yield* cleaned(key, known), yield* sanitizedJson(one, known, depth + 1)]);
  return Object.fromEntries(fields);
}

function* sanitizedArguments(text: string, known: readonly string[]): LongWork<string> {
  if (PLAIN.test(text)) return text;
  const value = parseJson(text);
  if (value === undefined) return yield* cleaned(text, known);
  const shown = JSON.stringify(yield* sanitizedJson(value as JsonValue, known));
  return shown === JSON.stringify(value) ? text : shown;
}

function* cleaned(text: string, known: readonly string[]): LongWork<string> {
  return PLAIN.test(text) ? text : yield* strippedAddresses(text, known);
}
