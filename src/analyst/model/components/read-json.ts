import { jsonrepair } from "jsonrepair";
import { anyStart, objectStarts } from "./read-partial.ts";

/** The repair of a longer text may take seconds. */
const MAX_REPAIRED = 60_000;
/** No component is nested more deeply. */
const MAX_DEPTH = 40;

/** An object that a text which a model wrote may hold. */
export interface ObjectPlace {
  readonly start: number;
  /** What it may mean, most likely first; nothing where the text ends before the object does. */
  readonly values: readonly unknown[];
  /** Of an object that the text ends before: the brackets that are still open, such as `{[{`. Null of any other. */
  readonly open: string | null;
}

/**
 * The objects that a text which a model wrote may hold, most likely first. Fences and prose around them are left out; quotes, commas and
 * brackets within that are missing are put in where `repair` allows it. An end that is missing never is: what stood before it is not known.
 */
export function* objectsIn(text: string, repair: boolean): Generator<ObjectPlace> {
  const starts = objectStarts(text);
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
    yield { start, values, open: end === null && last === "" ? open : null };
  }
}

interface End {
  /** Behind the bracket that closes the object; null where it does not close. */
  readonly end: number | null;
  readonly open: string;
  /** What stands behind a string cannot stand there: a quote is missing or too many, and strings are taken for what is between them. */
  readonly misread: boolean;
}

const MARKS = /"[^"\\]*(?:\\(?:[\s\S]|$)[^"\\]*)*"?|[{}[\]]/g;
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
