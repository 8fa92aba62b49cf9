import { DossierError } from "../../errors.ts";

/** Deeper than anything a bundle holds, and shallow enough for what walks through it. */
const MAX_DEPTH = 500;
/** More than the longest log has; each value takes far more memory than room in the file. */
const MAX_VALUES = 5_000_000;

/** An object or array that the scan is in: `keys` are those an object has had; `at` is the present key or index. */
interface Frame {
  readonly keys: Set<string> | null;
  expectsKey: boolean;
  at: string | number;
}

/**
 * Where programs could read a text of valid JSON in different ways (RFC 7493): keys that stand twice, whole numbers that do not
 * fit a double, halves of surrogate pairs. Each with its JSON pointer. Text that is not JSON is for a parser to refuse.
 * @throws DossierError `bundle_invalid` where it is nested too deeply or holds too many values for a parser to be asked
 */
export function findAmbiguities(text: string): string[] {
  const faults: string[] = [];
  const frames: Frame[] = [];
  let values = 0;
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    if (token === "," && ++values > MAX_VALUES) throw new DossierError("bundle_invalid", `The file holds more than ${MAX_VALUES} values.`);
    const fault = step(token, frames);
    if (fault !== null) faults.push(`${pointerOf(frames)}: ${fault}`);
    at = end;
  }
  return faults;
}

/** Takes one token; what is wrong with it is wrong at the place where the frames are then. */
function step(token: string, frames: Frame[]): string | null {
  const frame = frames.at(-1);
  const first = token[0] ?? "";
  if (first === "{" || first === "[") enter(frames, first === "{");
  else if (first === "}" || first === "]") frames.pop();
  else if (first === "," && frame) advance(frame);
  else if (first === ":" && frame) frame.expectsKey = false;
  else if (first === '"') return readString(token, frame);
  else if (first === "-" || (first >= "0" && first <= "9")) return readNumber(token);
  return null;
}

function enter(frames: Frame[], isObject: boolean): void {
  if (frames.length >= MAX_DEPTH) throw new DossierError("bundle_invalid", `The file is nested deeper than ${MAX_DEPTH} levels.`);
  frames.push({ keys: isObject ? new Set() : null, expectsKey: isObject, at: 0 });
}

function advance(frame: Frame): void {
  frame.expectsKey = frame.keys !== null;
  if (typeof frame.at === "number") frame.at += 1;
}

function readString(token: string, frame: Frame | undefined): string | null {
  // Only escapes can write half a pair: the text itself was decoded from UTF-8.
  const isWhole = !token.includes("\\u") || unescaped(token).isWellFormed();
  if (frame?.expectsKey === true && frame.keys !== null) {
    const key = unescaped(token);
    frame.at = key;
    if (frame.keys.has(key)) return "this key stands twice";
    frame.keys.add(key);
  }
  return isWhole ? null : "half of a surrogate pair, which is no character";
}

function unescaped(token: string): string {
  try {
    return JSON.parse(token);
  } catch {
    return token;
  }
}

function readNumber(token: string): string | null {
  const value = Number(token);
  if (!Number.isFinite(value)) return `${token.slice(0, 40)} is too large a number`;
  const isWhole = /^-?\d+$/.test(token) && !Number.isSafeInteger(value);
  return isWhole && String(value) !== token && !/e/.test(String(value)) ? `${token.slice(0, 40)} is too large to be read exactly` : null;
}

const NUMBER = /[-+.\deE]+/y;

/** The end of the token that begins at `at`; white space and words are tokens too. */
export function endOfToken(text: string, at: number): number {
  const first = text[at] ?? "";
  if (first === '"') return endOfString(text, at);
  if (first !== "-" && (first < "0" || first > "9")) return at + 1;
  NUMBER.lastIndex = at;
  return NUMBER.test(text) ? NUMBER.lastIndex : at + 1;
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

function pointerOf(frames: readonly Frame[]): string {
  return frames.map(({ at }) => `/${at}`).join("");
}
