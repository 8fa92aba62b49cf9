import type { SpentBudget } from "../../domain/budget.ts";
import { joinFindings } from "../../domain/findings.ts";
import type { Todo } from "../../domain/plan.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { Findings } from "../../domain/ports/research-analyst.ts";
import { DossierError } from "../../errors.ts";
import type { TodoStateValue, TodoWork } from "./state.ts";

/** The longest result of a todo, in UTF-16 code units. */
const MAX_RESULT = 500;

/** What has come of a todo that was executed, beside what an earlier plan has found for it. */
export function workDone(todo: Todo, done: TodoStateValue, before: TodoWork | undefined, effects: Effects): TodoWork {
  const { ending, summary, round, spent } = done;
  if (ending === null) throw new DossierError("internal", `The todo ${todo.id} ended without an ending.`);
  const findings = before === undefined ? done.findings : joinFindings([before.findings, done.findings]);
  const told = ending === "completed" ? { result: resultOf(summary, findings), feedback: null } : { result: null, feedback: summary };
  const ended: Todo = { ...todo, status: ending, rounds: round, ms: effects.elapsedMs(done.startedAt), ...told };
  return {
    todo: { ...ended, answeredBy: ending === "completed" ? "execution" : null },
    findings,
    hits: [...(before?.hits ?? []), ...done.hits],
    ranked: [...(before?.ranked ?? []), ...done.ranked],
    read: [...(before?.read ?? []), ...done.read],
    ledger: [...(before?.ledger ?? []), ...done.ledger],
    spent,
  };
}

function resultOf(summary: string, { claims }: Findings): string {
  const first = claims.find(({ supported }) => supported)?.text ?? "";
  return (summary || first).slice(0, MAX_RESULT).toWellFormed();
}

/** A todo that has failed, and why. */
export function failed(todo: Todo, feedback: string): Todo {
  return { ...todo, status: "failed", feedback };
}

/** What has come of a todo that was not executed to its end. */
export function workOf(todo: Todo, findings: Findings, spent: SpentBudget | null = null): TodoWork {
  return { todo, findings, hits: [], ranked: [], read: [], ledger: [], spent };
}
