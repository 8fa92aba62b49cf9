import type { DossierError, ErrorCode } from "../errors.ts";
import { type FailureCode, FailureCodeSchema, type LedgerEntry } from "./report.ts";

export function failureCodeOf(error: Pick<DossierError, "code">, fallback: FailureCode): FailureCode {
  if (error.code === "document_too_large") return "too_large";
  const known = FailureCodeSchema.safeParse(error.code);
  return known.success ? known.data : fallback;
}

/** Why something could not be searched or read, as words that follow its name. */
export const FAILURE_WORDS: Readonly<Record<FailureCode, string>> = {
  not_found: "is not there",
  unreachable: "could not be reached",
  timeout: "did not answer in time",
  blocked: "refused access",
  rate_limited: "takes no more requests for now",
  paywalled: "is behind a paywall",
  too_large: "is too large",
  unreadable: "answered with something that could not be read",
  empty: "holds no text",
  forbidden_address: "has an address that may not be reached",
  out_of_scope: "lies outside the scope of the run",
  before_since: "was published before the day that was asked for",
};

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "blocked",
  403: "blocked",
  404: "not_found",
  407: "blocked",
  410: "not_found",
  429: "rate_limited",
  451: "blocked",
};

/** Expects a status of 300 or more. `paymentRequired` is the code for 402. */
export function codeOfStatus(status: number, paymentRequired: ErrorCode): ErrorCode {
  if (status === 402) return paymentRequired;
  return CODE_OF_STATUS[status] ?? (status >= 500 ? "unreachable" : "unreadable");
}

/** A refused call fails a run that has found nothing: its key or model is wrong. What was found is not lost to a refusal. */
export function rulesMayReplace(code: ErrorCode, hasFindings = false): boolean {
  return REPLACEABLE.includes(code) || (hasFindings && code === "model_refused");
}

const REPLACEABLE: readonly ErrorCode[] = ["model_unavailable", "model_output", "context_too_large", "timeout"];

const INSTEAD = {
  prompt: "The call was made again with less.",
  decision: "No optional tool was chosen.",
  queries: "What was found first was used.",
  report: "Rules wrote the report instead.",
  findings: "Rules wrote what a todo found instead.",
  section: "No model wrote a section of the report, so it lists its notes.",
  plan: "Rules planned instead.",
  assessment: "Rules judged what was found instead.",
  verdict: "Rules verified instead.",
  support: "No model checked the wording of a section.",
} as const;
export type FallbackTarget = keyof typeof INSTEAD;

/** Leaves room for the answer, and for what our count of tokens misses. */
const SAFE_SHARE = 0.75;

/** The tokens of a prompt that may fit after one of `tokens` was too large: a part of the context that the error names, or half. */
export function fittingTokens(tokens: number, { limitTokens }: { readonly limitTokens?: number | undefined }): number {
  return Math.floor(Math.min(tokens / 2, (limitTokens ?? tokens) * SAFE_SHARE));
}

interface ModelFailure {
  readonly model: string;
  readonly target: FallbackTarget;
  readonly error: { readonly code: ErrorCode; readonly message: string };
  readonly ms: number;
}

export function modelFailureEntry({ model, target, error: { code, message }, ms }: ModelFailure): LedgerEntry {
  const detail = `${INSTEAD[target]} ${message}`;
  const failure = ledgerFailureOf(code, message);
  return { what: "model", source: model || "model", target, outcome: "failed", results: 0, failure, detail, ms };
}

export function asTodoEntry(entry: LedgerEntry): LedgerEntry {
  if (entry.what !== "model" || entry.target !== "report") return entry;
  return { ...entry, target: "findings", detail: entry.detail?.replace(INSTEAD.report, () => INSTEAD.findings) ?? null };
}

const FAILURES: Partial<Record<ErrorCode, string>> = {
  timeout: "timeout",
  empty: "empty",
  model_refused: "blocked",
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
