import type { DossierError, ErrorCode } from "../errors.ts";
import { type FailureCode, FailureCodeSchema, type LedgerEntry } from "./report.ts";

/** The ledger's word for an error. What has no word of its own there counts as `fallback`. */
export function failureCodeOf(error: DossierError, fallback: FailureCode): FailureCode {
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

/** Whether rules may do what the model could not; anything else is the deployment's, the run's or the program's fault. */
export function rulesMayReplace(code: ErrorCode): boolean {
  return REPLACEABLE.includes(code);
}

const REPLACEABLE: readonly ErrorCode[] = ["model_unavailable", "model_output", "context_too_large", "timeout"];

/** What rules did in a model's place. */
const INSTEAD = {
  decision: "Rules decided",
  report: "Rules wrote the report",
  findings: "Rules wrote what a todo found",
  plan: "Rules planned",
  assessment: "Rules judged what was found",
  verdict: "Rules verified",
} as const;
export type FallbackTarget = keyof typeof INSTEAD;

/** What a model was asked for, and did not give. */
interface ModelFailure {
  readonly model: string;
  readonly target: FallbackTarget;
  readonly code: ErrorCode;
  /** What happened, in words. */
  readonly message: string;
  readonly ms: number;
}

/** The line of the ledger for what rules did in a model's place. */
export function modelFailureEntry({ model, target, code, message, ms }: ModelFailure): LedgerEntry {
  const detail = `${INSTEAD[target]} instead. ${message}`;
  return {
    what: "model",
    source: model || "model",
    target,
    outcome: "failed",
    results: 0,
    failure: ledgerFailureOf(code, message),
    detail,
    ms,
  };
}

/** The line as it stands in the ledger of a planned run, whose report is not that of the todo that it comes from. */
export function asTodoEntry(entry: LedgerEntry): LedgerEntry {
  if (entry.what !== "model" || entry.target !== "report") return entry;
  return { ...entry, target: "findings", detail: entry.detail?.replace(INSTEAD.report, () => INSTEAD.findings) ?? null };
}

const FAILURES: Partial<Record<ErrorCode, string>> = {
  timeout: "timeout",
  empty: "empty",
  context_too_large: "too_large",
  model_output: "unreadable",
  step_cap: "step_cap",
  model_call_cap: "model_call_cap",
  token_budget: "token_budget",
  cost_budget: "cost_budget",
};

function ledgerFailureOf(code: ErrorCode, message: string): string {
  return FAILURES[code] ?? (/\b429\b|rate.?limit|too many requests/i.test(message) ? "rate_limited" : "unreachable");
}
