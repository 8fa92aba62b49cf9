import type { Attached } from "../../domain/chat.ts";
import { type Fields, isFields } from "../../util/json-fields.ts";
import type { OpenAiChunk } from "./read-chunk.ts";

/** What the pieces of one answer carried beside its words. */
export class AttachedFields {
  #message: Fields = {};
  readonly #calls = new Map<string, Fields>();
  /** The id of the call at each index, as only its first piece names it. */
  readonly #ids = new Map<number | null, string>();

  add({ attached, calls }: Pick<OpenAiChunk, "attached" | "calls">): void {
    this.#message = merge(this.#message, attached);
    for (const { index, id, attached: fields } of calls) {
      if (id !== "") this.#ids.set(index, id);
      const of = this.#ids.get(index);
      if (of !== undefined && Object.keys(fields).length > 0) this.#calls.set(of, merge(this.#calls.get(of) ?? {}, fields));
    }
  }

  get all(): Pick<Attached, "message" | "calls"> {
    return { message: this.#message as Attached["message"], calls: Object.fromEntries(this.#calls) as Attached["calls"] };
  }
}

/** Fields whose texts arrive in pieces wherever they stand; other equal texts are repeated, not continued. */
const GROWING = new Set(["reasoning_content", "reasoning", "text", "summary", "thinking", "data", "encrypted_content"]);

function merge(all: Fields, more: Fields): Fields {
  const merged: Record<string, unknown> = { ...all };
  for (const [key, value] of Object.entries(more)) merged[key] = Object.hasOwn(merged, key) ? mergeValues(key, merged[key], value) : value;
  return merged;
}

function mergeValues(key: string, one: unknown, other: unknown): unknown {
  if (typeof one === "string" && typeof other === "string") return GROWING.has(key) ? one + other : other || one;
  if (Array.isArray(one) && Array.isArray(other)) return mergeLists(one, other);
  return isFields(one) && isFields(other) ? merge(one, other) : (other ?? one);
}

/** A piece continues the last entry if it has the same index and type. */
function mergeLists(list: readonly unknown[], pieces: readonly unknown[]): unknown[] {
  const merged = [...list];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (isFields(last) && isFields(piece) && last["type"] === piece["type"] && last["index"] === piece["index"])
      merged[merged.length - 1] = merge(last, piece);
    else merged.push(piece);
  }
  return merged;
}
