import type { ModelToolCall } from "../domain/chat.ts";
import { computation } from "../domain/computation.ts";
import type { JsonValue } from "../domain/json.ts";
import type { TextFilter } from "../domain/ports/models.ts";
import type { ToolCall } from "../domain/tool.ts";
import { parseJson } from "../util/json-fields.ts";
import { stripUnknownAddresses } from "./address-filter.ts";
import { OutputFilter } from "./output-filter.ts";

/** Removes all citations, and marks addresses that are not in `known`. `[X3]` is a citation if `X` is in `prefixes`. */
export function createOutputFilter(known: readonly string[], prefixes: readonly string[] = []): TextFilter {
  return new OutputFilter(known, new Set(["P", ...prefixes]));
}

/** Marks the unknown addresses of a whole Markdown text, which keeps its citations. */
export function markMarkdown(text: string, known: Iterable<string>): string {
  return filtered(new OutputFilter(known, null), text);
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
export function sanitizeToolCall({ id, name, arguments: args }: ToolCall, known: readonly string[]): ToolCall {
  return { id: cleaned(id, known), name: cleaned(name, known), arguments: sanitizeJson(args, known) };
}

export function sanitizeModelCall({ id, name, arguments: text }: ModelToolCall, known: readonly string[]): ModelToolCall {
  return { id: cleaned(id, known), name: cleaned(name, known), arguments: sanitizeArguments(text, known) };
}

export function sanitizeJson(value: JsonValue, known: readonly string[], depth = 0): JsonValue {
  if (typeof value === "string") return cleaned(value, known);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return LEFT_OUT;
  if (Array.isArray(value)) return value.map((one) => sanitizeJson(one, known, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [cleaned(key, known), sanitizeJson(one, known, depth + 1)]));
}

/** `sanitizeToolCall` for several calls. */
export function sanitizeToolCalls(calls: readonly ToolCall[], known: readonly string[]): ToolCall[] {
  return calls.map((call) => sanitizeToolCall(call, known));
}

/** In UTF-16 code units. Most arguments of this length take 10 ms. */
const INLINE_SIZE = 20_000;

export const CLEAN_TOOL_CALLS = computation(import.meta.url, sanitizeToolCalls, (calls) => JSON.stringify(calls).length, INLINE_SIZE);
export const CLEAN_MODEL_CALL = computation(import.meta.url, sanitizeModelCall, (call) => call.arguments.length, INLINE_SIZE);

function sanitizeArguments(text: string, known: readonly string[]): string {
  if (PLAIN.test(text)) return text;
  const value = parseJson(text);
  if (value === undefined) return cleaned(text, known);
  const shown = JSON.stringify(sanitizeJson(value as JsonValue, known));
  return shown === JSON.stringify(value) ? text : shown;
}

function cleaned(text: string, known: readonly string[]): string {
  return PLAIN.test(text) ? text : stripUnknownAddresses(text, known);
}
