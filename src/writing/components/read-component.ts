import { Allow, parse } from "partial-json";
import { z } from "zod";
import type { JsonValue } from "../../domain/json.ts";
import { issueFaults, plainIssue } from "../../domain/plain-issue.ts";
import { createOutputFilter } from "../../evidence/sanitize-output.ts";
import { type Fields, fieldsOf, isFields, listOf } from "../../util/json-fields.ts";
import { readJson } from "../../util/read-json.ts";

export type ComponentSchema<Props> = z.ZodObject<{
  type: z.ZodLiteral<"component">;
  component: z.ZodLiteral<string>;
  props: z.ZodType<Props>;
}>;

type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface ComponentFormat<Props> {
  readonly name: string;
  readonly props: z.ZodType<Props>;
  /** The schema for servers. It requires all keys and has no bounds, because some servers do not support them. */
  readonly wire: Readonly<Record<string, JsonValue>>;
  readonly sketch: string;
}

export function formatOf<Props>(schema: ComponentSchema<Props>): ComponentFormat<Props> {
  const name = schema.shape.component.value;
  const whole = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", override: ({ jsonSchema }) => simplify(jsonSchema) });
  const { $schema: _, ...wire } = JSON.parse(JSON.stringify(whole));
  return { name, props: schema.shape.props, wire: { ...wire, title: name }, sketch: sketchOf(wire) };
}

const KEPT = ["type", "const", "enum", "description", "items", "anyOf", "properties"];

function simplify(schema: JsonSchema): void {
  for (const key of Object.keys(schema).filter((one) => !KEPT.includes(one))) delete schema[key];
  if (schema.properties !== undefined) Object.assign(schema, { required: Object.keys(schema.properties), additionalProperties: false });
}

const WORDS: Readonly<Record<string, string>> = { string: "text", integer: "number", boolean: "true | false" };

function sketchOf({ const: only, enum: names, anyOf, items, properties, type }: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (names !== undefined) return names.map((one) => JSON.stringify(one)).join(" | ");
  if (anyOf !== undefined) return anyOf.map((one) => sketchOf(one as JsonSchema)).join(" | ");
  if (items !== undefined) return `[${sketchOf(items as JsonSchema)}, ...]`;
  const fields = Object.entries(properties ?? {}).map(([key, one]) => `"${key}": ${sketchOf(one as JsonSchema)}`);
  if (properties !== undefined) return `{${fields.join(", ")}}`;
  return typeof type === "string" ? (WORDS[type] ?? type) : "any value";
}

/** Filters a string of a component before it is used or shown. `ended`: it is complete. */
export type PropFilter = (text: string, ended: boolean) => string;

/** In UTF-16 code units. The rest of a longer text is dropped. */
const MAX_PROP_LENGTH = 10_000;

export function createPropFilter(known: readonly string[]): PropFilter {
  return (text, ended) => {
    const filter = createOutputFilter(known);
    return filter.push(text.slice(0, MAX_PROP_LENGTH)) + (ended ? filter.end() : "");
  };
}

/** No component is nested more deeply. partial-json is slow for deeper JSON. */
const MAX_DEPTH = 40;
const BEGINNING = /[{[](?=\s*["'{])/;
const MARKS = /"[^"\\]*(?:\\(?:[\s\S]|$)[^"\\]*)*"?|[{}[\]]/g;

interface JsonPlace {
  readonly text: string;
  readonly ended: boolean;
  readonly rest: string;
}

/** Finds the object that names the component, else the first object or list: thoughts before it may have others. */
function jsonIn(whole: string, name: string): JsonPlace | null {
  const first = firstJson(whole);
  for (let place = first; place !== null; place = firstJson(place.rest)) if (place.text.includes(`"${name}"`)) return place;
  return first;
}

function firstJson(whole: string): JsonPlace | null {
  const start = whole.search(BEGINNING);
  if (start < 0) return null;
  const text = whole.slice(start);
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (mark === "{" || mark === "[") depth += 1;
    if (mark === "}" || mark === "]") depth -= 1;
    if (depth === 0) return { text: text.slice(0, index + 1), ended: true, rest: text.slice(index + 1) };
    if (depth > MAX_DEPTH) return null;
  }
  return { text, ended: false, rest: "" };
}

interface Written {
  readonly component: unknown;
  readonly fields: Fields;
}

const PLAN = "planner-response";

/** Returns the fields as they were written, under `props` or flat. A list is a plan. */
function unwrap(value: unknown): Written {
  const { type: _, component = null, props, ...flat } = fieldsOf(Array.isArray(value) ? { todos: value } : value);
  return { component, fields: isFields(props) ? { ...flat, ...props } : flat };
}

/** Whether a component says that it is another one. A plan is read from any. */
function isOther({ component }: Written, name: string): boolean {
  return component !== null && component !== name && name !== PLAN;
}

/** The names of docs/origin.md for our props. */
const OTHER_NAMES: Readonly<Record<string, readonly [ours: string, theirs: string]>> = {
  "summary-response": ["answer", "summary"],
  [PLAN]: ["reasoning", "summary"],
};
/** Returns props under the names that the model gave them. */
function asNamed(props: Fields, written: Fields, name: string): Fields {
  const [ours = "", theirs = ""] = OTHER_NAMES[name] ?? [];
  if (written[ours] || !written[theirs]) return props;
  const { [ours]: said, ...others } = props;
  return { ...others, [theirs]: said };
}

const FLOW = ["taskCompleted", "shouldContinue", "nextAction", "status"];

/** Returns the fields under the names of the schema, without those that are null. */
function namedFields(written: Fields, name: string): Fields {
  const fields = Object.fromEntries(Object.entries(written).filter(([, one]) => one !== null));
  const [ours = "", theirs = ""] = OTHER_NAMES[name] ?? [];
  if (!fields[ours] && fields[theirs]) fields[ours] = fields[theirs];
  if (name === PLAN) return { ...fields, todos: Array.isArray(fields["todos"]) ? fields["todos"].map(readTodo) : undefined };
  return name === "executor-response" && FLOW.every((key) => fields[key] === undefined) ? { ...fields, ...currentStatus(fields) } : fields;
}

/** An executor that names no next action may mark the current one of `todos`, which has a status. */
function currentStatus({ todos }: Fields): Fields {
  const current = listOf(todos)
    .map(fieldsOf)
    .find(({ isCurrent }) => isCurrent === true);
  return current === undefined ? {} : { todoId: current["id"], status: current["status"] };
}

/** A todo is a string or an object. Ids may be numbers. */
function readTodo(item: unknown): Fields {
  if (typeof item === "string") return { description: item };
  const { id, dependsOn, ...others } = fieldsOf(item);
  return { ...others, ...(id !== undefined && { id: String(id) }), ...(Array.isArray(dependsOn) && { dependsOn: dependsOn.map(String) }) };
}

/** Flags without numbers and literals: an unfinished 12 may become 123. */
const CLOSED = Allow.OBJ | Allow.ARR;

/** Returns the fields of a component that may break off, with their strings filtered; null if there are none, or if they are of another component. */
export function readPartial(whole: string, name: string, readText: PropFilter): Readonly<Record<string, JsonValue>> | null {
  const json = jsonIn(whole, name);
  if (json === null) return null;
  try {
    const open = unwrap(parse(json.text, CLOSED | Allow.STR));
    const closed = unwrap(parse(json.text, CLOSED));
    const isShown = !isOther(open, name) && Object.keys(open.fields).length > 0;
    return isShown ? filterFields(open.fields, closed.fields, readText) : null;
  } catch {
    return null;
  }
}

/** Filters keys and strings. `closed` has the values that are complete. */
function filterFields(fields: Fields, closed: Fields, readText: PropFilter): Record<string, JsonValue> {
  const entries = Object.entries(fields).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([key, one]) => [filterJson(key, key, readText), filterJson(one, closed[key], readText)]));
}

function filterJson(value: unknown, closed: unknown, readText: PropFilter): JsonValue {
  if (typeof value === "string") return wellFormed(readText(wellFormed(value).trim(), closed !== undefined)).trim();
  if (Array.isArray(value)) return value.map((one, at) => filterJson(one, listOf(closed)[at], readText));
  return isFields(value) ? filterFields(value, fieldsOf(closed), readText) : ((value ?? null) as JsonValue);
}

/** Drops the half of a surrogate pair at the end; replaces others. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "").toWellFormed();
}

/**
 * `written` has the props, and whatever else the model wrote. `fault` is a sentence for the model and the user. `cut`: the answer broke off
 * inside its object.
 */
export type ComponentReading<Props> =
  | { readonly ok: true; readonly props: Props; readonly written: JsonValue }
  | { readonly ok: false; readonly fault: string; readonly cut: boolean };

const MAX_ISSUES = 8;

/** Reads the props from the first object or list of an answer. They have to fit the schema. `cut`: the server ended the answer early. */
export function readComponent<Props>(
  text: string,
  { name, props: schema }: Pick<ComponentFormat<Props>, "name" | "props">,
  readText: PropFilter,
  cut: boolean,
): ComponentReading<Props> {
  const faulty = (fault: string) => ({ ok: false as const, fault: cut ? "It was cut off before its end." : fault, cut });
  if (text.trim() === "") return { ok: false, fault: "It is empty.", cut };
  const json = jsonIn(text, name);
  if (json === null) return faulty("It is not a JSON object.");
  if (!json.ended) return { ...faulty("Its JSON object ended before its end."), cut: true };
  const value = readJson(json.text);
  if (value === undefined) return faulty("Its JSON object cannot be parsed.");
  const written = unwrap(value);
  if (isOther(written, name)) return faulty(`\`component\` must be ${name}.`);
  const fields = filterFields(written.fields, written.fields, readText);
  const { success, data, error } = schema.safeParse(namedFields(fields, name), { error: plainIssue });
  if (success) return { ok: true, props: data, written: { ...fields, ...asNamed(data as Fields, fields, name) } as JsonValue };
  const issues = issueFaults(error.issues).slice(0, MAX_ISSUES);
  return faulty(issues.map(({ path, message }) => `\`${path.slice(1).replaceAll("/", ".") || "props"}\` ${message}.`).join(" "));
}
