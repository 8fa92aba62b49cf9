import type { JsonValue } from "../../domain/json.ts";
import { fieldsOf, isFields } from "../../util/json-fields.ts";
import type { JsonSchema } from "./component-format.ts";
import { filterJson, type PropFilter, readString } from "./prop-text.ts";

/** A JSON value whose text may break off. `open` contains the string that breaks off, `closed` does not. */
export interface PartialValue {
  readonly open: unknown;
  readonly closed: unknown;
}

/** Returns what of a value fits a schema and can only grow as more of its text arrives. */
export function fitPartial(schema: JsonSchema, value: PartialValue, readText: PropFilter, key = ""): JsonValue | undefined {
  const { const: only, enum: names = only === undefined ? null : [only], anyOf, items = {}, properties } = schema;
  const { open, closed } = value;
  const types = [schema["type"]].flat();
  if (anyOf !== undefined) return anyOf.map((one) => fitPartial(one, value, readText, key)).find((one) => one !== undefined);
  if (Array.isArray(names)) return names.find((name) => name === closed);
  if (typeof open === "string") return types.includes("string") ? fitString(open, closed !== undefined, key, readText) : undefined;
  if (Array.isArray(open)) {
    const ended = [closed].flat();
    const fitted = open.map((one, at) => fitPartial(items, { open: one, closed: ended[at] }, readText, key));
    return types.includes("array") ? fitted.filter((one) => one !== undefined) : undefined;
  }
  if (isFields(open)) return properties && fitFields(properties, { open, closed }, readText, key);
  const isKnown = types.some((type) => type === typeof closed || (type === "integer" && Number.isInteger(closed)));
  return isKnown ? filterJson(closed, readText) : undefined;
}

function fitString(open: string, ended: boolean, key: string, readText: PropFilter): string | undefined {
  const text = readString(open, ended, key, readText);
  return text === "" && !ended ? undefined : text;
}

function fitFields(properties: Readonly<Record<string, JsonSchema>>, { open, closed }: PartialValue, readText: PropFilter, key: string) {
  const [written, ended] = [fieldsOf(open), fieldsOf(closed)];
  const fitted = Object.entries(properties).map(([name, property]) => {
    return [name, fitPartial(property, { open: written[name], closed: ended[name] }, readText, key || name)] as const;
  });
  return Object.fromEntries(fitted.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}
