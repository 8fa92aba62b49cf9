import { DossierError } from "../../errors.ts";

/** No bundle is nested as deeply, and recursive checks do not overflow the stack. */
const MAX_DEPTH = 500;
/** The longest logs have fewer values. The limit bounds memory: a value takes far more than its text. */
const MAX_VALUES = 5_000_000;

interface JsonScan {
  /** Values that programs may read differently, each with its JSON pointer. */
  readonly ambiguities: readonly string[];
  /** The path to the first syntax error; null if the text is JSON. */
  readonly brokenAt: readonly (string | number)[] | null;
}

/** An object or array that is not closed yet. `keys`: its keys so far; null for an array. `at`: the current key or index. */
interface Frame {
  readonly keys: Set<string> | null;
  at: string | number;
}

/**
 * Finds values that `JSON.parse` accepts but other programs may read differently (RFC 7493), so that forged files could use them: duplicate
 * keys, numbers that no double represents, lone surrogates. Unlike `JSON.parse`, it locates syntax errors by key.
 * @throws DossierError `bundle_invalid` if the text is too deep or has too many values
 */
export function scanJson(text: string): JsonScan {
  const scanner = new Scanner();
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    if (!/^[ \t\r\n]$/.test(token) && !scanner.accepts(token)) return scanner.result(true);
    at = end;
  }
  return scanner.result(false);
}

class Scanner {
  readonly #frames: Frame[] = [];
  readonly #ambiguities: string[] = [];
  #next: "value" | "key" | "colon" | "end" = "value";
  #opened = false;
  #values = 0;

  result(broken: boolean): JsonScan {
    const whole = !broken && this.#next === "end" && this.#frames.length === 0;
    return { ambiguities: this.#ambiguities, brokenAt: whole ? null : this.#frames.map(({ at }) => at) };
  }

  accepts(token: string): boolean {
    const opened = this.#opened;
    this.#opened = false;
    if (token === "}" || token === "]") return this.#close(token === "}", opened);
    if (token === ",") return this.#advance();
    if (this.#next === "colon" || token === ":") {
      const expected = this.#next === "colon" && token === ":";
      this.#next = "value";
      return expected;
    }
    if (this.#next === "key") return this.#readKey(token);
    return this.#next === "value" && this.#readValue(token);
  }

  #close(isObject: boolean, opened: boolean): boolean {
    const frame = this.#frames.at(-1);
    if (frame === undefined || (frame.keys !== null) !== isObject || !(opened || this.#next === "end")) return false;
    this.#frames.pop();
    this.#next = "end";
    return true;
  }

  #advance(): boolean {
    const frame = this.#frames.at(-1);
    if (this.#next !== "end" || frame === undefined) return false;
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw new DossierError("bundle_invalid", `The file holds more than ${MAX_VALUES} values.`);
    if (typeof frame.at === "number") frame.at += 1;
    this.#next = frame.keys === null ? "value" : "key";
    return true;
  }

  #readKey(token: string): boolean {
    const frame = this.#frames.at(-1);
    const key = stringOf(token);
    if (key === null || frame === undefined) return false;
    frame.at = key;
    if (frame.keys?.has(key)) this.#note("this key stands twice");
    else if (!key.isWellFormed()) this.#note(HALF_PAIR);
    frame.keys?.add(key);
    this.#next = "colon";
    return true;
  }

  #readValue(token: string): boolean {
    if (token === "{" || token === "[") {
      if (this.#frames.length >= MAX_DEPTH) throw new DossierError("bundle_invalid", `The file is nested deeper than ${MAX_DEPTH} levels.`);
      this.#frames.push(token === "{" ? { keys: new Set(), at: "" } : { keys: null, at: 0 });
      this.#next = token === "{" ? "key" : "value";
      this.#opened = true;
      return true;
    }
    this.#next = "end";
    if (token.startsWith('"')) return this.#readString(token);
    if (!/^(?:true|false|null|-?\d.*)$/.test(token)) return false;
    const fault = numberFault(token);
    if (fault !== null) this.#note(fault);
    return true;
  }

  #readString(token: string): boolean {
    const value = stringOf(token);
    if (value?.isWellFormed() === false) this.#note(HALF_PAIR);
    return value !== null;
  }

  #note(fault: string): void {
    this.#ambiguities.push(`${this.#frames.map(({ at }) => `/${at}`).join("")}: ${fault}`);
  }
}

const HALF_PAIR = "half of a surrogate pair, which is no character";

function numberFault(token: string): string | null {
  if (/^[tfn]/.test(token)) return null;
  const value = Number(token);
  if (!Number.isFinite(value)) return `${token.slice(0, 40)} is too large a number`;
  const isWhole = /^-?\d+$/.test(token) && !Number.isSafeInteger(value);
  return isWhole && String(value) !== token && !/e/.test(String(value)) ? `${token.slice(0, 40)} is too large to be read exactly` : null;
}

function stringOf(token: string): string | null {
  // Fast path for strings without escapes: parsing every string would take as long as parsing the file. The search for one character
  // does not backtrack; a pattern for the whole string overflows the stack at some millions of characters.
  if (token.length > 1 && token.endsWith('"') && !/[\\\p{Cc}]/u.test(token)) return token.slice(1, -1);
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

const WORD_OR_NUMBER = /(?:true|false|null)(?![\w"])|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![-+.\w"])/y;

function endOfToken(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at);
  WORD_OR_NUMBER.lastIndex = at;
  return WORD_OR_NUMBER.test(text) ? WORD_OR_NUMBER.lastIndex : at + 1;
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}
