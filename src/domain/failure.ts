import type { DossierError } from "../errors.ts";
import { type FailureCode, FailureCodeSchema } from "./report.ts";

/** The ledger's word for an error. What has no word of its own there counts as `fallback`. */
export function failureOf(error: DossierError, fallback: FailureCode): FailureCode {
  if (error.code === "document_too_large") return "too_large";
  const known = FailureCodeSchema.safeParse(error.code);
  return known.success ? known.data : fallback;
}
