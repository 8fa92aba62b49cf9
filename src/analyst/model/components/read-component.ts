import { jsonrepair } from "jsonrepair";
import { Allow, parse } from "partial-json";
import type { z } from "zod";
import { fieldsOf, isOther, unwrapped } from "./aliases.ts";
import { type Form, fitProps, type PartialValue, type ReadText } from "./form.ts";

/** Numbers and words are never taken before their end: 12 may become 123. */
const CLOSED = Allow.OBJ | Allow.ARR;
const OPEN = CLOSED | Allow.STR;
/** More is not read before the end. */
const MAX_LENGTH = 200_000;
/** Of braces in the prose before the object. */
const MAX_STARTS = 5;
const START = /\{(?=\s*")/g;
const THOUGHTS = /^\s*<think>/i;
const THOUGHTS_END = /<\/think>/i;

/** A string, which may be incomplete, or a bracket. */
const MARKS = /"[^"\\]*(?:\\(?:[\s\S]|$)[^"\\]*)*"?|[{}[\]]/g;
/** With its quotes and the colon. */
const MAX_KEY_LENGTH = 60;
const NAMED = /\{\s*(?:"type"\s*:\s*"[^"]*"\s*,\s*)?"component"\s*:\s*"([^"]*)"/y;

/**
 * Where an object may begin in a text of which thoughts, a fence and prose may come first; also while it is incomplete. Those that say that
 * they are the component `name` come first, and last those that say so within another, which count only where that cannot be read.
 */
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

/** Whether the object behind `before` holds the props of a component. */
function isUnder(before: string, name: string): boolean {
  const key = /"([^"]*)"\s*:\s*$/.exec(before.slice(-MAX_KEY_LENGTH))?.[1];
  return key === "props" || key === name;
}

/** The component that the object at `start` says it is, where that stands at its beginning. */
function nameAt(text: string, start: number): string | undefined {
  NAMED.lastIndex = start;
  return NAMED.exec(text)?.[1];
}

/** Where an object may begin whose keys are in other quotes or in none. */
function anyStart(text: string): number[] {
  const from = thoughtsEnd(text);
  const start = from === null ? -1 : text.indexOf("{", from);
  return start < 0 ? [] : [start];
}

/** No component is nested more deeply; what is takes the library too long. */
const MAX_DEPTH = 40;

/** The object that begins at `start`, as far as it is there; null where nothing can be made of it. Never throws. */
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

/** Null while a model thinks. Some models write only the closing tag; an object must follow it then, as it may stand in a text as well. */
function thoughtsEnd(text: string): number | null {
  const end = THOUGHTS_END.exec(text);
  const after = end === null ? 0 : end.index + end[0].length;
  if (THOUGHTS.test(text)) return end === null ? null : after;
  START.lastIndex = after;
  return START.test(text) ? after : 0;
}

/** How deep the brackets of a text are nested, those in its strings left out. */
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

/**
 * The props in a model's answer, or what is wrong with it in words for the model and for readers; `cut` says that the answer ended before its
 * object did.
 */
export type ComponentReading<Props> =
  | { readonly ok: true; readonly props: Props }
  | { readonly ok: false; readonly fault: string; readonly cut: boolean };

const CUT = "It was cut off before its end.";
const ENDLESS = "Its JSON object ended before its end.";

/**
 * The component in a text that a model wrote, in a fence or with prose around it, with its wrapping or as bare props. Nothing is read of an
 * object that does not close, unless nothing but its closing was forgotten. A text that was `cut` off is not repaired.
 */
export function readComponent<Props>(text: string, form: Form<Props>, readText: ReadText, cut: boolean): ComponentReading<Props> {
  if (text.trim() === "") return { ok: false, fault: "It is empty.", cut };
  let fault: string | null = null;
  let endless = false;
  const readBefore: { readonly from: number; readonly to: number }[] = [];
  for (const { start, end, values, open } of objectsIn(text, !cut, form.name)) {
    // What stands in an object that could be read is a part of it.
    if (readBefore.some(({ from, to }) => start > from && start < to)) continue;
    if (values.length > 0) readBefore.push({ from: start, to: start + end });
    const all = open === "{" ? [...values, ...unclosed(text.slice(start), form)] : values;
    for (const value of all) {
      if (isOther(value, form.name)) continue;
      const bare = unwrapped({ open: value, closed: value }, form);
      const parsed = form.props.safeParse(fitProps(form.read, bare, readText));
      if (parsed.success) return { ok: true, props: parsed.data };
      fault ??= tellIssues(parsed.error);
    }
    endless ||= open !== null;
  }
  if (cut) return { ok: false, fault: CUT, cut };
  return { ok: false, fault: endless ? ENDLESS : (fault ?? "It is not a JSON object."), cut: endless };
}

/** The props that `text` begins with and does not close, where each of them is there as a whole, so that nothing can have followed them. */
function unclosed(text: string, { read }: Pick<Form<unknown>, "read">): readonly unknown[] {
  const closed = fieldsOf(readPartial(text.replace(/\s*```\s*$/, ""), 0)?.closed);
  return Object.keys(fieldsOf(read["properties"])).every((key) => Object.hasOwn(closed, key)) ? [closed] : [];
}

const MAX_ISSUES = 8;

/** What props lack that have been made to fit their form as far as they can be, by the names of the fields, in words for a model and for readers. */
function tellIssues({ issues }: z.ZodError): string {
  return issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `\`${issue.path.map(String).join(".") || "props"}\` ${tellIssue(issue)}.`)
    .join(" ");
}

/** A value of another kind has been left out before, so that it is missing too. */
function tellIssue(issue: z.core.$ZodIssue): string {
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

/** The repair of a longer text may take seconds. */
const MAX_REPAIRED = 60_000;

/** An object that a text which a model wrote may hold. */
interface ObjectPlace {
  readonly start: number;
  /** How many characters it has. */
  readonly end: number;
  /** What it may mean, most likely first; nothing where the text ends before the object does. */
  readonly values: readonly unknown[];
  /** Of an object that the text ends before: the brackets that are still open, such as `{[{`. Null of any other. */
  readonly open: string | null;
}

/**
 * The objects that a text which a model wrote may hold, most likely first. Fences and prose around them are left out; quotes, commas and
 * brackets within that are missing are put in where `repair` allows it. An end that is missing never is: what stood before it is not known.
 */
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
  /** Behind the bracket that closes the object; null where it does not close. */
  readonly end: number | null;
  readonly open: string;
  /** What stands behind a string cannot stand there: a quote is missing or too many, and strings are taken for what is between them. */
  readonly misread: boolean;
}

const AFTER_STRING = /\s*(?:[:,}\]]|$)/y;
const OPENS: Readonly<Record<string, string>> = { "}": "{", "]": "[" };

/** Where the object ends that `text` begins with. A bracket that closes also closes those within that were forgotten. */
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

/** A text up to its last bracket, where all brackets in it, in strings or not, go up; otherwise nothing. */
function wholeOf(text: string): string {
  const last = text.slice(0, text.lastIndexOf("}") + 1);
  const goUp = ["{}", "[]"].every(([opens = "", closes = ""]) => last.split(opens).length === last.split(closes).length);
  return goUp ? last : "";
}

function repaired(text: string): unknown {
  return JSON.parse(jsonrepair(text));
}

function read(text: string, parse: (text: string) => unknown): readonly unknown[] {
  try {
    const value = parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [value] : [];
  } catch {
    // It means nothing in this reading.
    return [];
  }
}
