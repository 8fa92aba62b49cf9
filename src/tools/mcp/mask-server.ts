import type { JsonValue } from "../../domain/json.ts";
import { maskValues } from "../../domain/mask-values.ts";
import { DossierError } from "../../errors.ts";

const MAX_CAUSES = 5;

/** A failure without the secrets of its server, in its words and in those of what caused it; of causes nothing but words is kept. */
export function maskFailure(error: DossierError, secrets: readonly string[]): DossierError {
  const cause = error.cause === undefined ? undefined : maskCause(error.cause, secrets, MAX_CAUSES);
  return new DossierError(error.code, maskValues(error.message, secrets), { cause, faults: error.faults });
}

function maskCause(error: unknown, secrets: readonly string[], left: number): Error {
  if (!(error instanceof Error)) return new Error(maskValues(String(error), secrets));
  // It quotes a piece of the text, which may begin or end in the middle of a secret.
  const message = error instanceof SyntaxError ? "What it sent is not JSON." : maskValues(error.message, secrets);
  const more = error.cause !== undefined && left > 0 ? { cause: maskCause(error.cause, secrets, left - 1) } : {};
  const masked = new Error(message, more);
  masked.name = error.name;
  const frames = error.stack?.indexOf("\n    at ") ?? -1;
  masked.stack = `${error.name}: ${message}${frames < 0 ? "" : maskValues(error.stack?.slice(frames) ?? "", secrets)}`;
  return masked;
}

/** What a server answered, without its secrets: in texts and in keys. */
export function maskJson<T>(value: T, secrets: readonly string[]): T {
  return secrets.length === 0 ? value : (masked(value as JsonValue, secrets) as T);
}

function masked(value: JsonValue, secrets: readonly string[]): JsonValue {
  if (typeof value === "string") return maskValues(value, secrets);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => masked(part, secrets));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [maskValues(key, secrets), masked(part, secrets)]));
}
