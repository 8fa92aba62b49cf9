import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { DossierError } from "../errors.ts";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** For `JSON.stringify`: replaces lone surrogates, which UTF-8 cannot encode, by U+FFFD. */
export function replaceLoneSurrogates(_: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** Returns canonical JSON (RFC 8785). @throws DossierError `internal` for a value that is not JSON */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value === undefined ? undefined : JSON.parse(JSON.stringify(value, replaceLoneSurrogates)));
  if (text === undefined) throw new DossierError("internal", "A value that is not JSON cannot be compared or recorded.");
  return text;
}

export function hashJson(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
