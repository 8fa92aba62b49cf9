import type { JournalRecord } from "../domain/recording.ts";
import { DossierError, isErrorCode } from "../errors.ts";

/** What is kept of a failure. */
export function failureRecord({ code, message }: DossierError): Pick<JournalRecord, "ok" | "result"> {
  return { ok: false, result: { code, message } };
}

/** The failure that a record keeps; `internal` where its code is none of ours. */
export function errorOf(record: JournalRecord): DossierError {
  const { code, message } = record.result as { code: string; message: string };
  return new DossierError(isErrorCode(code) ? code : "internal", message);
}
