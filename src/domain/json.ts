import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import { DossierError } from "../errors.ts";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

const MAX_FIELDS_LENGTH = 16_000;

export const JsonFieldsSchema = z
  .record(z.string().max(200), z.json())
  .refine(
    (fields) => JSON.stringify(fields).length <= MAX_FIELDS_LENGTH,
    `must not have more than ${MAX_FIELDS_LENGTH} characters of JSON`,
  );

/** Copies what JSON keeps of a value of plain objects. The copy shares the strings, of which a prompt has many long ones. */
export function copyJson(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(copyJson);
  if (typeof value !== "object" || value === null) return (value ?? null) as JsonValue;
  const kept = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(kept.map(([name, field]) => [name, copyJson(field)]));
}

/** For `JSON.stringify`: replaces lone surrogates, which UTF-8 cannot encode, by U+FFFD. */
function replaceLoneSurrogates(_: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** Returns JSON without lone surrogates. JSON escapes those; only then each value is looked at, which takes several times as long. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return /\\ud[89a-f]/.test(text) ? JSON.stringify(value, replaceLoneSurrogates) : text;
}

/** Returns canonical JSON (RFC 8785). @throws DossierError `internal` for a value that is not JSON */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value === undefined ? undefined : JSON.parse(toJson(value)));
  if (text === undefined) throw new DossierError("internal", "A value that is not JSON cannot be compared or recorded.");
  return text;
}

export function hashJson(value: unknown): string {
  return hash("sha256", canonicalJson(value));
}
