import { Allow, parse } from "partial-json";

/** What there is of a JSON text that has not ended. Of the two only `open` has strings that have not ended either. */
export interface PartialValue {
  readonly open: unknown;
  readonly closed: unknown;
}

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
export const MARKS = /"[^"\\]*(?:\\(?:[\s\S]|$)[^"\\]*)*"?|[{}[\]]/g;
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
export function anyStart(text: string): number[] {
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
