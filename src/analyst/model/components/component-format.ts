import { z } from "zod";
import type { JsonValue } from "../../../domain/json.ts";
import { isFields } from "../../../util/json-fields.ts";

export type ComponentSchema<Props> = z.ZodObject<{
  type: z.ZodLiteral<"component">;
  component: z.ZodLiteral<string>;
  props: z.ZodType<Props>;
}>;

export interface ComponentFormat<Props> {
  readonly name: string;
  /** The id of the todo about which an executor was asked. */
  readonly about?: string;
  readonly props: z.ZodType<Props>;
  readonly read: JsonSchema;
  /** The schema for servers. It requires all keys and has no bounds, because some servers do not support them. */
  readonly wire: JsonSchema;
  readonly sketch: string;
}

export function formatOf<Props>(schema: ComponentSchema<Props>): ComponentFormat<Props> {
  const name = schema.shape.component.value;
  const { props } = schema.shape;
  const read = jsonSchemaOf(props);
  const wire = { ...wireOf(jsonSchemaOf(schema)), title: name } as JsonSchema;
  const sketch = `{"type": "component", "component": ${JSON.stringify(name)}, "props": ${sketchOf(read)}}`;
  return { name, props, read, wire, sketch };
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))) as JsonSchema;
}

const KEPT = ["type", "const", "enum", "description"] as const;

function wireOf(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema; anyOf?: JsonSchema[] };
  const kept = KEPT.flatMap((key): [string, JsonValue][] => (schema[key] === undefined ? [] : [[key, schema[key]]]));
  return {
    ...Object.fromEntries(kept),
    ...(items !== undefined && { items: wireOf(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(wireOf) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, wireOf(one)])),
      required: Object.keys(properties),
      additionalProperties: false,
    }),
  };
}

function sketchOf(schema: JsonSchema): string {
  const { properties, items, anyOf } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema; anyOf?: JsonSchema[] };
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map((one) => JSON.stringify(one)).join(" | ");
  if (anyOf !== undefined) return anyOf.map(sketchOf).join(" | ");
  if (items !== undefined) return `[${sketchOf(items)}, ...]`;
  if (properties !== undefined)
    return `{${Object.entries(properties)
      .map(([key, one]) => `"${key}": ${sketchOf(one)}`)
      .join(", ")}}`;
  return typeof schema["type"] === "string" ? (WORDS[schema["type"]] ?? schema["type"]) : "any value";
}

const WORDS: Readonly<Record<string, string>> = { string: "text", integer: "number", boolean: "true | false" };

/** A JSON value whose text may break off. `open` contains the string that breaks off, `closed` does not. */
export interface PartialValue {
  readonly open: unknown;
  readonly closed: unknown;
}

type JsonSchema = Readonly<Record<string, JsonValue>>;

/** Filters a string of the props before use or display. `ended`: it is complete. `path`: its key, such as `todos.0.description`. */
export type PropFilter = (text: string, ended: boolean, path: string) => string;

const MAX_DEPTH = 32;
const MAX_ITEMS = 200;

/**
 * Fits a value to a schema: converts quoted numbers, single values and the case of enums, cuts long strings, drops all else, except unknown
 * keys of an object that may have others.
 */
export function fitProps(schema: JsonSchema, value: PartialValue, readText: PropFilter): JsonValue | undefined {
  return fitValue(schema, value, { readText, path: "", depth: 0 });
}

interface Place {
  readonly readText: PropFilter;
  readonly path: string;
  readonly depth: number;
}

type Fit = (schema: JsonSchema, value: PartialValue, place: Place) => JsonValue | undefined;

function fitValue(schema: JsonSchema, value: PartialValue, place: Place): JsonValue | undefined {
  if (place.depth > MAX_DEPTH) return undefined;
  const { type } = schema;
  if (schema["const"] !== undefined) return value.closed === schema["const"] ? schema["const"] : undefined;
  if (Array.isArray(schema["enum"])) return fitEnum(schema["enum"], value.closed);
  if (Array.isArray(schema["anyOf"])) return fitFirst(schema["anyOf"] as JsonSchema[], value, place);
  const known = typeof type === "string" ? FITTERS[type] : undefined;
  return (known ?? fitAnything)(schema, value, place);
}

const fitText: Fit = ({ maxLength }, { open, closed }, { readText, path }) => {
  const ended = closed !== undefined;
  const text = typeof closed === "number" || typeof closed === "boolean" ? String(closed) : open;
  if (typeof text !== "string") return undefined;
  const longest = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
  const read = truncate(readText(truncate(text.trim(), longest), ended, path).trim(), longest);
  return read === "" && !ended ? undefined : read;
};

const fitNumber: Fit = ({ type, minimum, maximum }, { closed }) => {
  const number = typeof closed === "string" && closed.trim() !== "" ? Number(closed) : closed;
  if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
  const whole = type === "integer" ? Math.round(number) : number;
  const least = typeof minimum === "number" ? minimum : whole;
  const most = typeof maximum === "number" ? maximum : whole;
  return Math.min(Math.max(whole, least), most);
};

const fitBoolean: Fit = (_, { closed }) => {
  if (typeof closed === "boolean") return closed;
  const word = typeof closed === "string" ? closed.trim().toLowerCase() : "";
  return word === "true" ? true : word === "false" ? false : undefined;
};

const fitList: Fit = ({ items, maxItems }, { open, closed }, place) => {
  const schema = (items ?? {}) as JsonSchema;
  const inner = (i: number): Place => ({ ...place, path: `${place.path}.${i}`, depth: place.depth + 1 });
  if (!Array.isArray(open)) {
    const only = closed === undefined || closed === null ? undefined : fitValue(schema, { open: closed, closed }, inner(0));
    return only === undefined || only === "" ? undefined : [only];
  }
  const ended: readonly unknown[] = Array.isArray(closed) ? closed : [];
  const most = typeof maxItems === "number" ? maxItems : MAX_ITEMS;
  return open
    .map((one, i) => fitValue(schema, { open: one, closed: ended[i] }, inner(i)))
    .filter((one) => one !== undefined)
    .slice(0, most);
};

const fitObject: Fit = (schema, { open, closed }, place) => {
  if (!isFields(open)) return undefined;
  const ended = isFields(closed) ? closed : {};
  const properties = schema["properties"] as Readonly<Record<string, JsonSchema>> | undefined;
  if (properties === undefined) return fitAnything(schema, { open, closed }, place);
  const fitted = Object.entries(properties).flatMap(([key, property]): [string, JsonValue][] => {
    if (!Object.hasOwn(open, key)) return [];
    const path = place.path === "" ? key : `${place.path}.${key}`;
    const one = fitValue(property, { open: open[key], closed: ended[key] }, { ...place, path, depth: place.depth + 1 });
    return one === undefined ? [] : [[key, one]];
  });
  if (schema["additionalProperties"] === undefined || schema["additionalProperties"] === false) return Object.fromEntries(fitted);
  const others = Object.fromEntries(Object.entries(ended).filter(([key]) => !Object.hasOwn(properties, key)));
  return {
    ...(fitAnything({}, { open: others, closed: others }, place) as Readonly<Record<string, JsonValue>>),
    ...Object.fromEntries(fitted),
  };
};

/** Fits a value that has no schema: keeps it if it is complete. */
const fitAnything: Fit = (_, { closed }, place) => {
  const { readText, path, depth } = place;
  if (typeof closed === "string") return readText(truncate(closed.trim(), Number.POSITIVE_INFINITY), true, path).trim();
  if (typeof closed === "boolean" || (typeof closed === "number" && Number.isFinite(closed))) return closed;
  if (closed === null) return null;
  if (depth > MAX_DEPTH || typeof closed !== "object") return undefined;
  const inner = (one: unknown): JsonValue | undefined => fitAnything({}, { open: one, closed: one }, { ...place, depth: depth + 1 });
  if (Array.isArray(closed)) return closed.slice(0, MAX_ITEMS).map((one) => inner(one) ?? null);
  return Object.fromEntries(
    Object.entries(closed).map(([key, one]) => [readText(key.toWellFormed(), true, path).trim(), inner(one) ?? null]),
  );
};

const FITTERS: Readonly<Record<string, Fit>> = {
  string: fitText,
  number: fitNumber,
  integer: fitNumber,
  boolean: fitBoolean,
  array: fitList,
  object: fitObject,
  null: (_, { closed }) => (closed === null ? null : undefined),
};

function fitFirst(schemas: readonly JsonSchema[], value: PartialValue, place: Place): JsonValue | undefined {
  for (const schema of schemas) {
    const one = fitValue(schema, value, place);
    if (one !== undefined) return one;
  }
  // A model may give a list where one value is asked for.
  const { open, closed } = value;
  if (!Array.isArray(open) || open.length === 0) return undefined;
  return fitFirst(schemas, { open: open[0], closed: Array.isArray(closed) ? closed[0] : undefined }, { ...place, depth: place.depth + 1 });
}

function fitEnum(names: readonly JsonValue[], value: unknown): JsonValue | undefined {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  return names.find((name) => (typeof name === "string" ? name.toLowerCase() : name) === word);
}

/** Cuts a text to `longest` UTF-16 code units and splits no surrogate pair. */
function truncate(text: string, longest: number): string {
  const part = text.length > longest ? text.slice(0, longest) : text;
  return (/[\ud800-\udbff]$/.test(part) ? part.slice(0, -1) : part).toWellFormed();
}
