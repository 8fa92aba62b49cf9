import { jsonrepair } from "jsonrepair";
import { Allow, parse } from "partial-json";
import type { z } from "zod";
import { fieldsOf } from "../../../util/json-fields.ts";
import { isOtherComponent, unwrapProps } from "./aliases.ts";
import { type ComponentFormat, fitProps, type PartialValue, type PropFilter } from "./component-format.ts";

/** Flags without numbers and literals: an unfinished 12 may become 123. */
const CLOSED = Allow.OBJ | Allow.ARR;
const OPEN = CLOSED | Allow.STR;
const MAX_LENGTH = 200_000;
const MAX_STARTS = 5;
const START = /\{(?=\s*")/g;
const THOUGHTS = /^\s*<think>/i;
const THOUGHTS_END = /<\/think>/i;

const MARKS = /"[^"\\]*(?:\\(?:[\s\S]|$)[^"\\]*)*"?|[{}[\]]/g;
const MAX_KEY_LENGTH = 60;
const NAMED = /\{\s*(?:"type"\s*:\s*"[^"]*"\s*,\s*)?"component"\s*:\s*"([^"]*)"/y;

/** Returns the offsets of objects in a text with thoughts and prose: first those that name the component, last inner ones. */
export function objectStarts(text: string, name: string): number[] {
  const from = thoughtsEnd(text);
  if (from === null) return [];
  START.lastIndex = from;
  const first = START.exec(text)?.index;
  if (first === undefined) return [];
  const starts: number[] = [];
  const named: number[] = [];
  const inner: number[] = [];
  let depth = 0;
  for (const { 0: mark, index } of text.slice(first).matchAll(MARKS)) {
    if (mark === "}") depth = Math.max(0, depth - 1);
    if (mark !== "{") continue;
    const start = first + index;
    const isNamed = nameAt(text, start) === name;
    if (depth === 0) (isNamed ? named : starts).push(start);
    else if (isNamed || isUnder(text.slice(0, start), name)) inner.push(start);
    depth += 1;
    if (starts.length + named.length + inner.length === MAX_STARTS) break;
  }
  return [...named, ...starts, ...inner];
}

/** Whether `before` ends in the key `props` or in the component's name as a key, whose value follows. */
function isUnder(before: string, name: string): boolean {
  const key = /"([^"]*)"\s*:\s*$/.exec(before.slice(-MAX_KEY_LENGTH))?.[1];
  return key === "props" || key === name;
}

function nameAt(text: string, start: number): string | undefined {
  NAMED.lastIndex = start;
  return NAMED.exec(text)?.[1];
}

function anyStart(text: string): number[] {
  const from = thoughtsEnd(text);
  const start = from === null ? -1 : text.indexOf("{", from);
  return start < 0 ? [] : [start];
}

/** No component is nested more deeply. partial-json is slow for deeper JSON. */
const MAX_DEPTH = 40;

/** Parses JSON that may break off. Returns null if it is unreadable; never throws. */
export function readPartial(text: string, start: number): PartialValue | null {
  if (text.length - start > MAX_LENGTH) return null;
  const part = text.slice(start);
  if (depthOf(part) > MAX_DEPTH) return null;
  try {
    return { open: parse(part, OPEN), closed: parse(part, CLOSED) };
  } catch {
    return null;
  }
}

/** Returns the end of `<think>`; null while it is open. `</think>` without an opening tag counts only if an object follows it. */
function thoughtsEnd(text: string): number | null {
  const end = THOUGHTS_END.exec(text);
  const after = end === null ? 0 : end.index + end[0].length;
  if (THOUGHTS.test(text)) return end === null ? null : after;
  START.lastIndex = after;
  return START.test(text) ? after : 0;
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [mark] of text.matchAll(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|[{}[\]]/g)) {
    if (mark === "{" || mark === "[") depth += 1;
    else if (mark === "}" || mark === "]") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** `fault` is a sentence for the model and the user. `cut`: the answer broke off inside its object. */
export type ComponentReading<Props> =
  | { readonly ok: true; readonly props: Props }
  | { readonly ok: false; readonly fault: string; readonly cut: boolean };

const CUT = "It was cut off before its end.";
const UNCLOSED = "Its JSON object ended before its end.";

/**
 * Reads the props from an answer. The object may be in a code fence or in prose, and the props may be wrapped. An object without end counts
 * only if it has all props. `cut`: the server ended the answer early, so its JSON is not repaired.
 */
export function readComponent<Props>(
  text: string,
  format: ComponentFormat<Props>,
  readText: PropFilter,
  cut: boolean,
): ComponentReading<Props> {
  if (text.trim() === "") return { ok: false, fault: "It is empty.", cut };
  let fault: string | null = null;
  let isUnclosed = false;
  const readBefore: { readonly from: number; readonly to: number }[] = [];
  for (const { start, end, values, open } of objectsIn(text, !cut, format.name)) {
    if (readBefore.some(({ from, to }) => start > from && start < to)) continue;
    if (values.length > 0) readBefore.push({ from: start, to: start + end });
    const all = open === "{" ? [...values, ...unclosed(text.slice(start), format)] : values;
    for (const value of all) {
      if (isOtherComponent(value, format.name)) continue;
      const bare = unwrapProps({ open: value, closed: value }, format);
      const parsed = format.props.safeParse(fitProps(format.read, bare, readText));
      if (parsed.success) return { ok: true, props: parsed.data };
      fault ??= formatIssues(parsed.error);
    }
    isUnclosed ||= open !== null;
  }
  if (cut) return { ok: false, fault: CUT, cut };
  return { ok: false, fault: isUnclosed ? UNCLOSED : (fault ?? "It is not a JSON object."), cut: isUnclosed };
}

function unclosed(text: string, { read }: Pick<ComponentFormat<unknown>, "read">): readonly unknown[] {
  const closed = fieldsOf(readPartial(text.replace(/\s*```\s*$/, ""), 0)?.closed);
  return Object.keys(fieldsOf(read["properties"])).every((key) => Object.hasOwn(closed, key)) ? [closed] : [];
}

const MAX_ISSUES = 8;

function formatIssues({ issues }: z.ZodError): string {
  return issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `\`${issue.path.map(String).join(".") || "props"}\` ${formatIssue(issue)}.`)
    .join(" ");
}

/** Describes a fault. `fitProps` has dropped values of a wrong type, so they count as missing. */
function formatIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `is missing: it must be ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `is missing: it must be one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "custom") return `does not do: ${issue.message.replace(/\.$/, "")}`;
  return "has another form than the one that is asked for";
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** Longer texts take seconds to repair. */
const MAX_REPAIRED = 60_000;

interface ObjectPlace {
  readonly start: number;
  readonly end: number;
  /** Possible values, most likely first; empty if the object cannot be read. */
  readonly values: readonly unknown[];
  /** Open brackets at the end of the text, such as `{[{`; null if the object closes. */
  readonly open: string | null;
}

/** Yields objects, most likely first. `repair` allows to add missing quotes, commas and inner brackets, but not the end of the object. */
function* objectsIn(text: string, repair: boolean, name: string): Generator<ObjectPlace> {
  const starts = objectStarts(text, name);
  for (const start of starts.length > 0 ? starts : anyStart(text)) {
    const rest = text.slice(start);
    const { end, open, misread } = endOf(rest);
    const last = misread ? wholeOf(rest) : "";
    const closed = end === null ? "" : rest.slice(0, end);
    const values = [...read(closed, JSON.parse)];
    if (repair && rest.length <= MAX_REPAIRED) {
      values.push(...read(closed, repaired));
      values.push(...read(last, repaired));
    }
    yield { start, end: closed.length || last.length, values, open: end === null && last === "" ? open : null };
  }
}

interface End {
  readonly end: number | null;
  readonly open: string;
  /** Whether a character that cannot follow a string follows one, because a quotation mark is missing or one is too many. */
  readonly misread: boolean;
}

const AFTER_STRING = /\s*(?:[:,}\]]|$)/y;
const OPENS: Readonly<Record<string, string>> = { "}": "{", "]": "[" };

function endOf(text: string): End {
  let open = "";
  let misread = false;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    const opens = OPENS[mark];
    if (mark === "{" || mark === "[") open += mark;
    else if (opens !== undefined && open.includes(opens)) open = open.slice(0, open.lastIndexOf(opens));
    if (open === "") return { end: index + 1, open, misread };
    if (open.length > MAX_DEPTH) break;
    AFTER_STRING.lastIndex = index + mark.length;
    misread ||= mark.startsWith('"') && !AFTER_STRING.test(text);
  }
  return { end: null, open, misread };
}

/** Returns the text up to the last `}` if its brackets, also those in strings, are equal in number; otherwise `""`. */
function wholeOf(text: string): string {
  const last = text.slice(0, text.lastIndexOf("}") + 1);
  const areBalanced = ["{}", "[]"].every(([opens = "", closes = ""]) => last.split(opens).length === last.split(closes).length);
  return areBalanced ? last : "";
}

function repaired(text: string): unknown {
  return JSON.parse(jsonrepair(text));
}

function read(text: string, parse: (text: string) => unknown): readonly unknown[] {
  try {
    const value = parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [value] : [];
  } catch {
    return [];
  }
}
