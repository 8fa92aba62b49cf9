import type { SpentBudget } from "../../domain/budget.ts";
import { MAX_PLAN_CALLS, type Todo } from "../../domain/plan.ts";
import type { Draft } from "../../domain/ports/analyst.ts";
import { isChecked, type LedgerEntry } from "../../domain/report.ts";
import type { Termination } from "../../domain/run.ts";
import { isCapped } from "../../gathering/limits.ts";
import type { ResearchStateValue, TodoWork } from "./state.ts";

const NO_DOWNLOADS = "no download was left (limits.downloads, or the depth)";
const CUT_SHORT = "the writing was cut short";
const ALL_PLANNED = "all three planning calls are used";
const UNVERIFIED = "no sentence of the report is verified";
const MAX_DETAIL = 500;
const NODE = "summarize";
const BUDGETS: readonly SpentBudget[] = ["model_call_cap", "token_budget", "cost_budget", "time_budget"];

interface Ended {
  readonly summary: Draft;
  readonly works: readonly TodoWork[];
  readonly checked: number;
  readonly unsourced: number;
  readonly timeIsUp: boolean;
  readonly ledger: readonly LedgerEntry[];
}

export function terminationOf(state: ResearchStateValue, ended: Ended): Termination {
  const { summary, works, checked, unsourced, timeIsUp, ledger } = ended;
  const open = state.todos.filter(({ status }) => status !== "completed");
  const areAccepted = open.every(({ status }) => status === "skipped") && state.feedback === null;
  const isUnread = ({ todo, findings }: TodoWork): boolean => open.some(({ id }) => id === todo.id) || !findings.claims.some(isChecked);
  const limit = isCapped(works.filter(isUnread).flatMap(({ ledger: own }) => own)) ? NO_DOWNLOADS : null;
  const left = open.length === 0 ? null : describeOpen(open);
  const detail = joinParts(limit, left) || null;
  if (wasRejected(state)) return { reason: "no_answer", node: "approve", detail: `the user rejected ${state.rejections} plans` };
  if (timeIsUp) return { reason: "time_budget", node: NODE, detail: joinParts(CUT_SHORT, detail) };
  // Only agents may answer without a search, for example by a calculation.
  const hasAnswer = checked > 0 || (unsourced > 0 && works.every(({ todo }) => todo.by === "agent"));
  const whyNone = summary.reason ?? left ?? (unsourced > 0 ? UNVERIFIED : describeOpen(state.todos));
  if (!hasAnswer) return { reason: "no_answer", node: NODE, detail: joinParts(limit, whyNone) };
  const budget = state.spent ?? works.find(({ spent }) => spent !== null)?.spent ?? null;
  const written: Draft = state.task.modelUnpaid ? { ...summary, spent: "model_call_cap" } : summary;
  if (areAccepted) return completed(written, ledger, detail, checked === 0);
  if (budget !== null) return { reason: budget, node: "todo", detail };
  const what = left ?? `the verifier: ${state.feedback ?? ""}`;
  if (state.gaveUp) return { reason: "no_progress", node: "verify", detail: joinParts(limit, what) };
  const plannedOut = state.planCalls >= MAX_PLAN_CALLS ? ALL_PLANNED : null;
  return { reason: "step_cap", node: "verify", detail: joinParts(limit, plannedOut, what) };
}

function joinParts(...parts: readonly (string | null)[]): string {
  const text = parts.filter((part) => part !== null).join("; ");
  return text.slice(0, MAX_DETAIL).toWellFormed();
}

function completed(summary: Draft, ledger: readonly LedgerEntry[], open: string | null, unverified: boolean): Termination {
  const cutOff = summary.cutOff === true ? "the model's report was cut off before its end" : null;
  const short = summary.spent ? "rules wrote the report" : (cutOff ?? describeUnpaid(ledger) ?? (unverified ? UNVERIFIED : null));
  return { reason: summary.spent ?? "completed", node: NODE, detail: joinParts(open, short) || null };
}

function describeUnpaid(ledger: readonly LedgerEntry[]): string | null {
  const budget = ledger.find(({ what, failure }) => what === "model" && BUDGETS.some((one) => one === failure))?.failure;
  return budget ? `${budget}: rules did part of the model's work; the ledger says which` : null;
}

function wasRejected({ approved, rejections, todos, task }: ResearchStateValue): boolean {
  return task.planApproval === true && !approved && rejections > 0 && todos.every(({ status }) => status === "pending");
}

function describeOpen(todos: readonly Todo[]): string {
  return joinParts(`not answered: ${todos.map(({ id, description }) => `${id} ${description}`).join("; ")}`);
}
