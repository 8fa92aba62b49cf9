import { NOTHING_FOUND } from "../../domain/citations.ts";
import type { Todo } from "../../domain/plan.ts";
import type { Findings, ResearchAnalyst, Verdict } from "../../domain/ports/analyst.ts";
import type { GraphNode } from "../../domain/ports/effects.ts";
import { taskView } from "../../domain/task.ts";
import { gatheringMsLeft, readingMsLeft } from "../../gathering/limits.ts";
import { extentOf } from "./evidence-extent.ts";
import type { ResearchStateValue, ResearchUpdate } from "./state.ts";
import { catchRefusal, completedWith, emitTodos, executedOf, firstNote } from "./todos.ts";
import { textsFor } from "./user-messages.ts";

export interface VerifyDeps {
  readonly research: ResearchAnalyst;
  /** The roles that judge one after another. A todo is accepted only if all of them accept it. */
  readonly judges: readonly string[];
}

/** Judges each todo and the results as a whole. A todo that could not be judged is accepted. Says whether the latest plan brought anything new. */
export function createVerifyNode({ research, judges }: VerifyDeps): GraphNode<ResearchStateValue, ResearchUpdate> {
  return async (state, effects) => {
    const verdicts: Verdict[] = [];
    let refused: ResearchUpdate = {};
    for (const role of judges) {
      const view = { ...taskView(state.task), timeoutMs: readingMsLeft(state, effects), role, executed: executedOf(state) };
      const { result, spent } = await catchRefusal(() => research.verify(view, effects), effects);
      if (spent === null) verdicts.push(result);
      else refused = { spent };
    }
    const { notAccepted } = textsFor(state.task);
    const findings = new Map(state.work.map((done) => [done.todo.id, done.findings]));
    const todos = state.todos.map((todo) => applyVerdicts(todo, verdicts, findings.get(todo.id) ?? NOTHING_FOUND, notAccepted));
    const objections = verdicts.filter(({ allCompleted }) => !allCompleted).map(({ overallFeedback }) => overallFeedback);
    const feedback = objections.length === 0 ? null : objections.filter(Boolean).join("\n") || notAccepted;
    const extent = extentOf(state.work);
    const gaveUp = state.extent !== null && extent <= state.extent;
    emitTodos(todos, effects);
    const ledger = verdicts.flatMap((verdict) => verdict.ledger ?? []);
    const late: ResearchUpdate = gatheringMsLeft(state, effects) === 0 ? { spent: "time_budget" } : {};
    return { steps: 1, todos: { changed: todos }, feedback, ledger, extent, ...(gaveUp && { gaveUp }), ...late, ...refused };
  };
}

/** The judges' word decides. A todo that no judge names stays as it is, and so does one that was not executed and that they reject. */
function applyVerdicts(todo: Todo, verdicts: readonly Verdict[], findings: Findings, notAccepted: string): Todo {
  const judged = verdicts.flatMap(({ tasks }) => tasks.filter(({ id }) => id === todo.id));
  const against = judged.filter(({ completed }) => !completed);
  const isOpen = todo.status !== "completed";
  if (against.length === 0)
    return isOpen && judged.length > 0 ? { ...todo, ...completedWith(firstNote(findings) || (todo.result ?? ""), todo.feedback) } : todo;
  if (todo.feedback && (todo.status === "skipped" || (todo.status === "failed" && todo.rounds === 0))) return todo;
  const reasons = against.map(({ feedback }) => feedback).filter(Boolean);
  const feedback = reasons.join("\n") || (todo.feedback ?? notAccepted);
  return { ...todo, feedback, ...(!isOpen && { status: "failed" as const }) };
}
