import type { JsonValue } from "../../src/domain/json.ts";

/** Whether `next` only extends `before`: longer strings, more items, more keys. */
export function isExtension(before: JsonValue, next: JsonValue): boolean {
  if (typeof before === "string") return typeof next === "string" && next.startsWith(before);
  if (typeof before !== "object" || before === null) return before === next;
  if (typeof next !== "object" || next === null || Array.isArray(before) !== Array.isArray(next)) return false;
  return Object.entries(before).every(([key, one]) => {
    const grown = Object.hasOwn(next, key) ? (next as Readonly<Record<string, JsonValue>>)[key] : undefined;
    return grown !== undefined && isExtension(one, grown);
  });
}
