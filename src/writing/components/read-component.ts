import { jsonrepair } from "jsonrepair";
import { Allow, parse } from "partial-json";
import { issueFaults, plainIssue } from "../../domain/plain-issue.ts";
import { fieldsOf, parseJson } from "../../util/json-fields.ts";
import type { ComponentFormat } from "./component-format.ts";
import { fitProps, type PartialValue, type PropFilter } from "./fit-props.ts";
import { namedFields, PLAN, writtenFields } from "./known-forms.ts";

/** Flags without numbers and literals: an unfinished 12 may become 123. */
const CLOSED = Allow.OBJ | Allow.ARR;
const OPEN = CLOSED | Allow.STR;
/** In UTF-16 code units. A longer component is shown only when it is complete. */
const MAX_LENGTH = 200_000;
/** In UTF-16 code units. A longer text takes seconds to repair. */
const MAX_REPAIRED = 60_000;
/** No component is nested more deeply. partial-json is slow for deeper JSON. */
const MAX_DEPTH = 40;
const MARKS = /"[^"\\]*(?:\\(?:[\s\S]|$)[^"\\]*)*"?|[{}[\]]/g;

interface JsonPlace {
  readonly start: number;
  /** Null if the value does not end. */
  readonly end: number | null;
}

/** Yields where objects begin in a text, one after the other, and lists for a plan. The last one may not end. */
export function* jsonPlaces(text: string, name: string): Generator<JsonPlace> {
  const begins = name === PLAN ? /[{[](?=\s*["'{])/g : /\{(?=\s*["'])/g;
  for (let begin = begins.exec(text); begin !== null; begin = begins.exec(text)) {
    const { end, isDeep } = extentOf(text.slice(begin.index));
    if (isDeep) return;
    yield { start: begin.index, end: end === null ? null : begin.index + end };
    if (end === null) return;
    begins.lastIndex = begin.index + end;
  }
}

function extentOf(text: string): { readonly end: number | null; readonly isDeep: boolean } {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (mark === "{" || mark === "[") depth += 1;
    if (mark === "}" || mark === "]") depth -= 1;
    if (depth === 0) return { end: index + 1, isDeep: false };
    if (depth > MAX_DEPTH) return { end: null, isDeep: true };
  }
  return { end: null, isDeep: false };
}

/** Parses JSON that may break off. Returns null if it is unreadable; never throws. */
export function readPartial(text: string): PartialValue | null {
  if (text.length > MAX_LENGTH) return null;
  try {
    return { open: parse(text, OPEN), closed: parse(text, CLOSED) };
  } catch {
    return null;
  }
}

/** `fault` is a sentence for the model and the user. `cut`: the answer broke off inside its object. */
export type ComponentReading<Props> =
  | { readonly ok: true; readonly props: Props }
  | { readonly ok: false; readonly fault: string; readonly cut: boolean };

const MAX_ISSUES = 8;

/**
 * Reads the props from an answer: its first complete object that fits the schema, one that names the component before others. `cut`: the
 * server ended the answer early.
 */
export function readComponent<Props>(
  text: string,
  format: ComponentFormat<Props>,
  readText: PropFilter,
  cut: boolean,
): ComponentReading<Props> {
  if (text.trim() === "") return { ok: false, fault: "It is empty.", cut };
  const places = [...jsonPlaces(text, format.name)];
  const faults: string[] = [];
  for (const value of valuesAt(places, text, format.name)) {
    const fields = writtenFields(value, format.name);
    if (fields === null) continue;
    const props = namedFields(fields, format, true);
    const fitted = fitProps(format.read, { open: props, closed: props }, readText, true);
    const { success, data, error } = format.props.safeParse(fitted, { error: plainIssue });
    if (success) return { ok: true, props: data };
    const issues = issueFaults(error.issues).slice(0, MAX_ISSUES);
    faults.push(issues.map(({ path, message }) => `\`${path.slice(1).replaceAll("/", ".") || "props"}\` ${message}.`).join(" "));
  }
  if (cut) return { ok: false, fault: "It was cut off before its end.", cut };
  const isUnclosed = places.at(-1)?.end === null;
  const otherwise = places.length === 0 ? "It is not a JSON object." : `It has no valid JSON object \`${format.name}\`.`;
  return { ok: false, fault: isUnclosed ? "Its JSON object ended before its end." : (faults[0] ?? otherwise), cut: isUnclosed };
}

/** Returns the complete values: first those that name the component, last bare lists. */
function valuesAt(places: readonly JsonPlace[], text: string, name: string): unknown[] {
  const values = places.flatMap(({ start, end }) => (end === null ? [] : readValue(text.slice(start, end))));
  const rank = (value: unknown): number => (Array.isArray(value) ? 2 : Number(fieldsOf(value)["component"] !== name));
  return values.toSorted((a, b) => rank(a) - rank(b));
}

/** A library repairs what is complete and not quite JSON, such as line ends in strings and trailing commas. */
function readValue(text: string): object[] {
  try {
    const value: unknown = parseJson(text) ?? (text.length > MAX_REPAIRED ? null : JSON.parse(jsonrepair(text)));
    return typeof value === "object" && value !== null ? [value] : [];
  } catch {
    return [];
  }
}
