import { Allow, parse } from "partial-json";
import { issueFaults, plainIssue } from "../../domain/plain-issue.ts";
import { fieldsOf } from "../../util/json-fields.ts";
import { readJson } from "../../util/read-json.ts";
import type { ComponentFormat } from "./component-format.ts";
import type { PartialValue } from "./partial-props.ts";
import { filterJson, type PropFilter } from "./prop-text.ts";
import { isOther, namedFields, writtenFields } from "./written-fields.ts";

/** Flags without numbers and literals: an unfinished 12 may become 123. */
const CLOSED = Allow.OBJ | Allow.ARR;
const OPEN = CLOSED | Allow.STR;
/** No component is nested more deeply. partial-json is slow for deeper JSON. */
const MAX_DEPTH = 40;
const BEGINNING = /[{[](?=\s*["'{])/;
const MARKS = /"[^"\\]*(?:\\(?:[\s\S]|$)[^"\\]*)*"?|[{}[\]]/g;

interface JsonPlace {
  readonly text: string;
  readonly ended: boolean;
}

/** Finds the objects and lists in a text, at most `most`. Only the last one may not end. */
function jsonPlaces(whole: string, most = Number.POSITIVE_INFINITY): JsonPlace[] {
  const places: JsonPlace[] = [];
  for (let rest = whole; places.length < most; ) {
    const start = rest.search(BEGINNING);
    const place = start < 0 ? null : jsonAt(rest.slice(start));
    if (place === null) break;
    places.push(place);
    if (!place.ended) break;
    rest = rest.slice(start + place.text.length);
  }
  return places;
}

function jsonAt(text: string): JsonPlace | null {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (mark === "{" || mark === "[") depth += 1;
    if (mark === "}" || mark === "]") depth -= 1;
    if (depth === 0) return { text: text.slice(0, index + 1), ended: true };
    if (depth > MAX_DEPTH) return null;
  }
  return { text, ended: false };
}

/** Reads the first JSON in a text, which may break off. Returns null if there is none or it is unreadable; never throws. */
export function readPartial(whole: string): PartialValue | null {
  const [place] = jsonPlaces(whole, 1);
  if (place === undefined) return null;
  try {
    return { open: parse(place.text, OPEN), closed: parse(place.text, CLOSED) };
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
 * Reads the props from an answer: from the object that names the component, else from the first object or list. It has to fit the schema.
 * `cut`: the server ended the answer early.
 */
export function readComponent<Props>(
  text: string,
  { name, props: schema }: Pick<ComponentFormat<Props>, "name" | "props">,
  readText: PropFilter,
  cut: boolean,
): ComponentReading<Props> {
  const faulty = (fault: string) => ({ ok: false as const, fault: cut ? "It was cut off before its end." : fault, cut });
  if (text.trim() === "") return { ok: false, fault: "It is empty.", cut };
  const places = jsonPlaces(text);
  const values = places.filter(({ ended }) => ended).map((place) => readJson(place.text));
  const value = values.find((one) => fieldsOf(one)["component"] === name) ?? values[0];
  if (places.length === 0) return faulty("It is not a JSON object.");
  if (values.length === 0) return { ...faulty("Its JSON object ended before its end."), cut: true };
  if (value === undefined) return faulty("Its JSON object cannot be parsed.");
  const fields = writtenFields(value);
  if (isOther(fields, name)) return faulty(`\`component\` must be ${name}.`);
  const props = filterJson(namedFields(fields, name, true), readText);
  const { success, data, error } = schema.safeParse(props, { error: plainIssue });
  if (success) return { ok: true, props: data };
  const issues = issueFaults(error.issues).slice(0, MAX_ISSUES);
  return faulty(issues.map(({ path, message }) => `\`${path.slice(1).replaceAll("/", ".") || "props"}\` ${message}.`).join(" "));
}
