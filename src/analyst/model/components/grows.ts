import type { JsonValue } from "../../../domain/json.ts";

/** Whether `next` says what `before` says and perhaps more: longer texts, further items and keys, and no other value. */
export function grows(before: JsonValue, next: JsonValue): boolean {
  if (typeof before === "string") return typeof next === "string" && next.startsWith(before);
  if (typeof before !== "object" || before === null) return before === next;
  if (typeof next !== "object" || next === null || Array.isArray(before) !== Array.isArray(next)) return false;
  return Object.entries(before).every(([key, one]) => {
    const grown = Object.hasOwn(next, key) ? (next as Readonly<Record<string, JsonValue>>)[key] : undefined;
    return grown !== undefined && grows(one, grown);
  });
}
