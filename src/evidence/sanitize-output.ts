import type { ModelToolCall } from "../domain/chat.ts";
import type { JsonValue } from "../domain/json.ts";
import type { TextFilter } from "../domain/ports/models.ts";
import type { ToolCall } from "../domain/tool.ts";
import { createAddressFilter, stripUnknownAddresses } from "./address-filter.ts";
import { isCitation } from "./citation-markers.ts";
import { createMarkerFilter } from "./marker-filter.ts";

/**
 * What readers are shown of a model's words while nobody has verified them: without citations, and without the addresses that are not
 * `known`. `prefixes` begin ids that mean a citation in any bracket.
 */
export function createOutputFilter(known: readonly string[], prefixes: readonly string[] = []): TextFilter {
  const meant = new Set(["P", ...prefixes]);
  const markers = createMarkerFilter((id, square) => isCitation(id, square, meant));
  // Addresses come last: what a citation parted may come together as one.
  const addresses = createAddressFilter(known);
  return { push: (piece) => addresses.push(markers.push(piece)), end: () => addresses.push(markers.end()) + addresses.end() };
}

/** A whole text of a model as readers see it; see `createOutputFilter`. */
export function sanitizeText(text: string, known: readonly string[]): string {
  const filter = createOutputFilter(known);
  return filter.push(text) + filter.end();
}

/** What is nested more deeply is not shown. */
const MAX_DEPTH = 32;
const LEFT_OUT = "[…]";
/** Text in which no address can hide. */
const PLAIN = /^[\p{L}\p{N}\s_-]*$/u;

/** A call as readers see it: a model may write into one whatever a page told it to, and not only where an address belongs. */
export function sanitizeToolCall({ id, name, arguments: args }: ToolCall, known: readonly string[]): ToolCall {
  return { id: clean(id, known), name: clean(name, known), arguments: sanitizeJson(args, known) };
}

/** The same of a call whose arguments are text; what is JSON stays JSON. */
export function sanitizeModelCall({ id, name, arguments: text }: ModelToolCall, known: readonly string[]): ModelToolCall {
  return { id: clean(id, known), name: clean(name, known), arguments: shownArguments(text, known) };
}

/** Without addresses that are not known, in all of its texts and names. */
export function sanitizeJson(value: JsonValue, known: readonly string[], depth = 0): JsonValue {
  if (typeof value === "string") return clean(value, known);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return LEFT_OUT;
  if (Array.isArray(value)) return value.map((one) => sanitizeJson(one, known, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [clean(key, known), sanitizeJson(one, known, depth + 1)]));
}

function shownArguments(text: string, known: readonly string[]): string {
  if (PLAIN.test(text)) return text;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return clean(text, known);
  }
  const shown = sanitizeJson(value, known);
  // As the model wrote it, where nothing had to go.
  return JSON.stringify(shown) === JSON.stringify(value) ? text : JSON.stringify(shown);
}

function clean(text: string, known: readonly string[]): string {
  return PLAIN.test(text) ? text : stripUnknownAddresses(text, known);
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\S\n]*([^`\n]*?)[^\S\n]*$/;
/** How a line begins that may still come to be a fence. */
const MAY_BE_FENCE = /^ {0,3}(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[^\n]*)$/;
const MARKDOWN = /^(?:markdown|md)$/i;
/** A longer line is no fence. */
const MAX_LINE = 80;

/**
 * Takes away the fences that some models put around a whole report: one that says it holds Markdown, or one without a word at the very
 * beginning. What stands in them is read on as text; fences of code within and behind them stay. The result does not depend on how
 * the text is cut into pieces, and nothing is held back but the beginning of a line that may be a fence.
 */
export function createFenceRemover(): TextFilter {
  return new Unfenced();
}

/** `text` without the fences around a report; see `createUnfenced`. */
export function unwrapFences(text: string): string {
  const filter = createFenceRemover();
  return filter.push(text) + filter.end();
}

class Unfenced implements TextFilter {
  #held = "";
  /** In a line that is no fence. */
  #inLine = false;
  #said = false;
  #outer: string | null = null;
  #inner: string | null = null;

  push(piece: string): string {
    const lines = (this.#held + piece).split("\n");
    this.#held = lines.pop() ?? "";
    const out = lines.map((line) => this.#line(`${line}\n`)).join("");
    return out + this.#begun();
  }

  end(): string {
    const last = this.#held;
    this.#held = "";
    return this.#line(last);
  }

  /** Of a line that has not ended, what can be no fence any more. */
  #begun(): string {
    if (this.#held === "" || (!this.#inLine && this.#held.length <= MAX_LINE && MAY_BE_FENCE.test(this.#held))) return "";
    const out = this.#held;
    this.#held = "";
    this.#inLine = true;
    this.#said = true;
    return out;
  }

  #line(line: string): string {
    const fence = this.#inLine || line.length > MAX_LINE ? null : FENCE.exec(line.replace(/\r?\n$/, ""));
    const kept = fence === null || this.#isKept(fence[1] ?? "", fence[2] ?? "") ? line : "";
    this.#said ||= line.trim() !== "";
    this.#inLine = false;
    return kept;
  }

  #isKept(mark: string, word: string): boolean {
    if (this.#inner !== null) {
      if (word === "" && mark.startsWith(this.#inner)) this.#inner = null;
      return true;
    }
    if (this.#outer !== null && word === "" && mark.startsWith(this.#outer)) {
      this.#outer = null;
      return false;
    }
    if (this.#outer === null && (MARKDOWN.test(word) || (word === "" && !this.#said))) {
      this.#outer = mark;
      return false;
    }
    this.#inner = mark;
    return true;
  }
}
