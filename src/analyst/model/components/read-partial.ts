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
const SAYS_COMPONENT = /\{\s*"(?:type|component|props)"/y;

/**
 * Where an object may begin in a text of which thoughts, a fence and prose may come first; also while it is incomplete. What stands in a list
 * of the first object is a part of it, unless it says that it is a component.
 */
export function objectStarts(text: string): number[] {
  const from = thoughtsEnd(text);
  if (from === null) return [];
  START.lastIndex = from;
  const starts: number[] = [];
  for (let match = START.exec(text); match !== null && starts.length < MAX_STARTS; match = START.exec(text)) starts.push(match.index);
  const [first = 0] = starts;
  return starts.filter((start) => saysComponent(text, start) || !isInList(text.slice(first, start)));
}

function saysComponent(text: string, start: number): boolean {
  SAYS_COMPONENT.lastIndex = start;
  return SAYS_COMPONENT.test(text);
}

/** Whether a list is open at the end of `text`. */
function isInList(text: string): boolean {
  const open: string[] = [];
  for (const [mark] of text.matchAll(MARKS)) {
    if (mark === "{" || mark === "[") open.push(mark);
    else if (mark === "}" || mark === "]") open.pop();
  }
  return open.includes("[");
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
