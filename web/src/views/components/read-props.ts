import type { JsonValue } from "../../../../src/domain/json.ts";
import { fieldsOf } from "../../../../src/util/json-fields.ts";

// Props come from models and tools, possibly incomplete, so every field is read on its own and a wrong one counts as missing.

export type Props = Readonly<Record<string, JsonValue>>;

export function propsOf(value: unknown): Props {
  return fieldsOf(value) as Props;
}

/** The value of the first of these fields that is there. */
export function firstOf(props: Props, ...names: readonly string[]): JsonValue | undefined {
  const name = names.find((one) => Object.hasOwn(props, one) && props[one] !== null);
  return name === undefined ? undefined : props[name];
}

/** A text; a number or a boolean as it is written; otherwise an empty text. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

export function numberOf(value: JsonValue | undefined): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string" || value.trim() === "") return null;
  const read = Number(value);
  return Number.isFinite(read) ? read : null;
}

export function flagOf(value: JsonValue | undefined): boolean | null {
  return typeof value === "boolean" ? value : null;
}

const MAX_LIST = 1_000;

/** At most the first 1,000 entries. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value.slice(0, MAX_LIST) : [];
}

export function textsOf(value: JsonValue | undefined): string[] {
  return listOf(value)
    .map(textOf)
    .filter((text) => text !== "");
}
