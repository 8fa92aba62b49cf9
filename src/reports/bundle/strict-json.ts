import { DossierError, toDossierError } from "../../errors.ts";

interface ReadJson {
  readonly value: unknown;
  /** What programs may read differently. */
  readonly ambiguities: readonly string[];
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/**
 * Parses JSON, and names values that `JSON.parse` accepts but other programs may read differently (RFC 7493), so that forged files could use
 * them: duplicate keys, numbers that no double represents, lone surrogates. @throws DossierError `bundle_invalid` if the text is not JSON
 */
export function readStrictJson(text: string): ReadJson {
  const ambiguities: string[] = [];
  let keys = 0;
  const look: Reviver = (key, value, { source = "" }) => {
    const fault = typeof value === "number" ? numberFault(source, value) : typeof value === "string" ? stringFault(value) : null;
    if (fault !== null) ambiguities.push(`${key}: ${fault}`);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const names = Object.keys(value);
      keys += names.length;
      ambiguities.push(...names.flatMap((name) => stringFault(name) ?? []));
    }
    return value;
  };
  const value = parse(text, look);
  return { value, ambiguities: keys === countKeys(text) ? ambiguities : [...ambiguities, "the file: a key stands twice in an object"] };
}

function parse(text: string, look: Reviver): unknown {
  try {
    // The types of JSON.parse lack the reviver's third argument.
    return JSON.parse(text, look as (key: string, value: unknown) => unknown);
  } catch (cause) {
    if (cause instanceof RangeError) throw new DossierError("bundle_invalid", "The file is nested too deeply.", { cause });
    throw new DossierError("bundle_invalid", `The file is not JSON: ${toDossierError(cause).message}.`, { cause });
  }
}

function numberFault(source: string, value: number): string | null {
  if (!Number.isFinite(value)) return `${source.slice(0, 40)} is too large a number`;
  const isInexact = /^-?\d+$/.test(source) && !Number.isSafeInteger(value) && /^-?\d+$/.test(String(value)) && String(value) !== source;
  return isInexact ? `${source.slice(0, 40)} is too large to be read exactly` : null;
}

function stringFault(value: string): string | null {
  return value.isWellFormed() ? null : "half of a surrogate pair, which is no character";
}

/** Counts the strings before a colon. A pattern for whole strings would overflow the stack at some millions of characters. */
function countKeys(text: string): number {
  const colon = /\s*:/y;
  let keys = 0;
  for (let open = text.indexOf('"'); open >= 0; open = text.indexOf('"', colon.lastIndex)) {
    colon.lastIndex = endOfString(text, open);
    const end = colon.lastIndex;
    if (colon.test(text)) keys++;
    else colon.lastIndex = end;
  }
  return keys;
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}
