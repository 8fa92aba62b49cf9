import type { DossierError, ErrorCode } from "../errors.ts";
import { type FailureCode, FailureCodeSchema } from "./report.ts";

/** The ledger's word for an error. What has no word of its own there counts as `fallback`. */
export function failureOf(error: DossierError, fallback: FailureCode): FailureCode {
  if (error.code === "document_too_large") return "too_large";
  const known = FailureCodeSchema.safeParse(error.code);
  return known.success ? known.data : fallback;
}

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "blocked",
  403: "blocked",
  404: "not_found",
  407: "blocked",
  410: "not_found",
  429: "rate_limited",
  451: "blocked",
};

/** What an HTTP status of 300 and more means for whoever wanted the content. What has to be paid (402) is for the caller to say. */
export function codeOfStatus(status: number, paymentRequired: ErrorCode): ErrorCode {
  if (status === 402) return paymentRequired;
  return CODE_OF_STATUS[status] ?? (status >= 500 ? "unreachable" : "unreadable");
}
