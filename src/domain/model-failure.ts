import type { ErrorCode } from "../errors.ts";
import type { LedgerEntry } from "./report.ts";

/** Whether rules may do what the model could not; anything else is the deployment's, the run's or the program's fault. */
export function isReplaceable(code: ErrorCode): boolean {
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
export type MissedTarget = keyof typeof INSTEAD;

/** What a model was asked for, and did not give. */
export interface MissedByModel {
  readonly model: string;
  readonly target: MissedTarget;
  readonly code: ErrorCode;
  /** What happened, in words. */
  readonly message: string;
  readonly ms: number;
}

/** The line of the ledger for what rules did in a model's place. */
export function modelEntry({ model, target, code, message, ms }: MissedByModel): LedgerEntry {
  const detail = `${INSTEAD[target]} instead. ${message}`;
  return { what: "model", source: model || "model", target, outcome: "failed", results: 0, failure: failureOf(code, message), detail, ms };
}

/** The line as it stands in the ledger of a planned run, whose report is not that of the todo that it comes from. */
export function ofTodo(entry: LedgerEntry): LedgerEntry {
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

function failureOf(code: ErrorCode, message: string): string {
  return FAILURES[code] ?? (/\b429\b|rate.?limit|too many requests/i.test(message) ? "rate_limited" : "unreachable");
}
