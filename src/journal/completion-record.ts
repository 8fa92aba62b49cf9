import { wellFormed } from "../domain/json.ts";
import type { Effect, ReferencedEffect } from "../domain/ports/effects.ts";
import type { JournalRecord } from "../domain/recording.ts";
import { DossierError, isErrorCode } from "../errors.ts";
import type { Completion } from "./live-effect.ts";

type Kept = Pick<JournalRecord, "ok" | "result">;

/** The longest JSON text of one result; what is longer belongs into the document store. */
const MAX_RESULT_LENGTH = 16_000_000;

/** What is kept of what came of an effect. */
export function completionRecord<T>(completion: Completion, effect: Effect<T> | ReferencedEffect<T>): Kept {
  if (!completion.ok) return failureRecord(completion.error);
  const value = "reference" in effect ? effect.reference(completion.value as T) : completion.value;
  // Through JSON once, so that live code sees exactly what a replay will see.
  const text = JSON.stringify(value ?? null, wellFormed);
  if (text.length <= MAX_RESULT_LENGTH) return { ok: true, result: JSON.parse(text) };
  const message = `The result has ${text.length} characters; at most ${MAX_RESULT_LENGTH} are kept.`;
  return failureRecord(new DossierError("document_too_large", message));
}

/** What is kept of a failure. */
export function failureRecord({ code, message }: DossierError): Kept {
  return { ok: false, result: { code, message } };
}

/** The failure that a record keeps; `internal` where its code is none of ours. */
export function errorOf(record: JournalRecord): DossierError {
  const { code, message } = record.result as { code: string; message: string };
  return new DossierError(isErrorCode(code) ? code : "internal", message);
}
