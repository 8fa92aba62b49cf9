import { BundleSchema } from "../../domain/bundle.ts";
import { ITEM_NAMES } from "./read-bundle.ts";
import { endOfToken } from "./strict-json.ts";

/** Where a reader of JSON is: what may come next, and the key or index in each object or array around it. */
interface Reader {
  readonly frames: { readonly isObject: boolean; at: string | number }[];
  next: "value" | "key" | "colon" | "end";
  /** Whether an object or array was opened just now, so that it may be closed at once. */
  opened: boolean;
}

const BEGINNING = new RegExp(`^\\ufeff?\\s*\\{\\s*"(?:${Object.keys(BundleSchema.shape).join("|")})"\\s*:`);
const VALUE = /(?:true|false|null)(?![\w"])|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![-+.\w"])/y;

/**
 * Which part of a bundle is broken, as faults call it, where a text that begins like a bundle is not JSON; null for all other
 * texts. A string that ends too early makes what follows it unreadable, so that the part is the last one which was begun.
 */
export function findBreak(text: string): string | null {
  if (!BEGINNING.test(text)) return null;
  const reader: Reader = { frames: [], next: "value", opened: false };
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; ) {
    const end = endOfValue(text, at);
    const token = text.slice(at, end);
    if (!/^[ \t\r\n]$/.test(token) && !accepts(reader, token)) return nameOf(reader);
    at = end;
  }
  return reader.next === "end" && reader.frames.length === 0 ? null : nameOf(reader);
}

/** Words and numbers are one token here, so that what is none of them is refused where it begins. */
function endOfValue(text: string, at: number): number {
  if (text[at] === '"') return endOfToken(text, at);
  VALUE.lastIndex = at;
  return VALUE.test(text) ? VALUE.lastIndex : at + 1;
}

function accepts(reader: Reader, token: string): boolean {
  const frame = reader.frames.at(-1);
  const { opened } = reader;
  reader.opened = false;
  if (token === "}" || token === "]") return closes(reader, token === "}", opened);
  if (token === ",") {
    if (reader.next !== "end" || frame === undefined) return false;
    if (typeof frame.at === "number") frame.at += 1;
    reader.next = frame.isObject ? "key" : "value";
    return true;
  }
  if (reader.next === "colon" || token === ":") {
    const expected = reader.next === "colon" && token === ":";
    reader.next = "value";
    return expected;
  }
  return reader.next !== "end" && begins(reader, token);
}

function closes(reader: Reader, isObject: boolean, opened: boolean): boolean {
  const frame = reader.frames.at(-1);
  if (frame?.isObject !== isObject || !(opened || reader.next === "end")) return false;
  reader.frames.pop();
  reader.next = "end";
  return true;
}

function begins(reader: Reader, token: string): boolean {
  const frame = reader.frames.at(-1);
  if (reader.next === "key") {
    const key = stringOf(token);
    if (key === null || frame === undefined) return false;
    frame.at = key;
    reader.next = "colon";
    return true;
  }
  if (token === "{" || token === "[") {
    reader.frames.push({ isObject: token === "{", at: token === "{" ? "" : 0 });
    reader.next = token === "{" ? "key" : "value";
    reader.opened = true;
    return true;
  }
  reader.next = "end";
  return token.startsWith('"') ? stringOf(token) !== null : /^[-\dtfn]/.test(token) && token !== "-" && /[\del]$/.test(token);
}

function stringOf(token: string): string | null {
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/** `document 2: text` for the text of the second document, `markdown` for that of the report. */
function nameOf({ frames }: Reader): string {
  const [list, index, ...inside] = frames.map(({ at }) => at).filter((at) => at !== "report" && at !== "");
  if (list === undefined) return "the file";
  if (typeof index !== "number") return [list, ...(index === undefined ? [] : [index]), ...inside].join(": ");
  const names: Readonly<Record<string, string>> = ITEM_NAMES;
  return [`${names[list] ?? list} ${index + 1}`, ...inside].join(": ");
}
