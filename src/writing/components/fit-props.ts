import type { JsonValue } from "../../domain/json.ts";
import { fieldsOf, isFields } from "../../util/json-fields.ts";
import type { JsonSchema } from "./component-format.ts";

/** A JSON value whose text may break off. `open` contains the string that breaks off, `closed` does not. */
export interface PartialValue {
  readonly open: unknown;
  readonly closed: unknown;
}

/** Filters a string of the props before use or display. `ended`: it is complete. `path`: its key, such as `todos.0.description`. */
export type PropFilter = (text: string, ended: boolean, path: string) => string;

interface Place {
  readonly readText: PropFilter;
  readonly path: string;
  /** Whether a value that does not fit is kept, so that the schema reports it. Null never is: an optional field may be null. */
  readonly keepsMisfits: boolean;
}

/** Fits a value to a schema: filters and cuts its strings, and leaves out unknown keys. A single value counts as a list of one. */
export function fitProps(schema: JsonSchema, value: PartialValue, readText: PropFilter, keepsMisfits = false): JsonValue | undefined {
  return fitValue(schema, value, { readText, path: "", keepsMisfits });
}

/** Returns a complete value with its strings filtered. */
export function filterJson(value: unknown, readText: PropFilter, path = ""): JsonValue {
  if (typeof value === "string") return readText(wellFormed(value), true, path);
  if (Array.isArray(value)) return value.map((one) => filterJson(one, readText, path));
  if (!isFields(value)) return (value ?? null) as JsonValue;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [readText(wellFormed(key), true, path), filterJson(one, readText, path)]),
  );
}

function fitValue(schema: JsonSchema, value: PartialValue, place: Place): JsonValue | undefined {
  const { closed } = value;
  const fitted = fitExactly(schema, value, place);
  if (fitted !== undefined || !place.keepsMisfits || closed === undefined || closed === null) return fitted;
  return filterJson(closed, place.readText, place.path);
}

function fitExactly(schema: JsonSchema, value: PartialValue, place: Place): JsonValue | undefined {
  const { const: only, enum: names = only === undefined ? undefined : [only], anyOf, properties } = schema;
  const types = [schema["type"]].flat();
  const { closed } = value;
  if (anyOf !== undefined) return anyOf.map((one) => fitExactly(one, value, place)).find((one) => one !== undefined);
  if (Array.isArray(names)) return names.find((name) => name === closed);
  if (closed === null && types.includes("null")) return null;
  if (types.includes("string")) return fitText(schema, value, place);
  if (types.includes("array")) return fitList(schema, value, place);
  if (properties !== undefined) return fitFields(schema, properties, value, place);
  const kinds = Number.isInteger(closed) ? ["number", "integer"] : [typeof closed];
  const isKnown = schema["type"] === undefined || kinds.some((kind) => types.includes(kind));
  return isKnown && closed !== undefined ? filterJson(closed, place.readText, place.path) : undefined;
}

function fitText({ maxLength = Number.POSITIVE_INFINITY }: JsonSchema, { open, closed }: PartialValue, place: Place) {
  const text = typeof closed === "number" ? String(closed) : open;
  if (typeof text !== "string") return undefined;
  const ended = closed !== undefined;
  const cut = (long: string): string => wellFormed(long.trim().slice(0, Number(maxLength)));
  const read = cut(place.readText(cut(text), ended, place.path));
  return read === "" && !ended ? undefined : read;
}

function fitList({ items = {} }: JsonSchema, { open, closed }: PartialValue, place: Place): JsonValue[] | undefined {
  const list = [open].flat();
  const ended = [closed].flat();
  const fitted = list.map((one, i) => fitValue(items, { open: one, closed: ended[i] }, { ...place, path: `${place.path}.${i}` }));
  const found = fitted.filter((one) => one !== undefined);
  return Array.isArray(open) || (closed !== undefined && found.length > 0) ? found : undefined;
}

function fitFields(schema: JsonSchema, properties: Readonly<Record<string, JsonSchema>>, { open, closed }: PartialValue, place: Place) {
  if (!isFields(open)) return undefined;
  const ended = fieldsOf(closed);
  const isLoose = isFields(schema["additionalProperties"]);
  const others = Object.entries(ended).filter(([key]) => isLoose && !Object.hasOwn(properties, key));
  const known = Object.entries(properties).flatMap(([key, property]): [string, JsonValue][] => {
    if (!Object.hasOwn(open, key)) return [];
    const path = place.path === "" ? key : `${place.path}.${key}`;
    const one = fitValue(property, { open: open[key], closed: ended[key] }, { ...place, path });
    return one === undefined ? [] : [[key, one]];
  });
  return { ...fieldsOf(filterJson(Object.fromEntries(others), place.readText, place.path)), ...Object.fromEntries(known) } as JsonValue;
}

/** Drops the half of a surrogate pair at the end; replaces others. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "").toWellFormed();
}
