import type { Todo } from "../../domain/plan.ts";
import type { GraphNode } from "../../domain/ports/effects.ts";
import type { ResearchAnalyst, Verdict } from "../../domain/ports/research-analyst.ts";
import { gatheringMsLeft, readingMsLeft } from "../shared/limits.ts";
import type { ResearchStateValue, ResearchUpdate } from "./state.ts";
import { textsFor } from "./texts.ts";
import { emitTodos, executedOf, orRefusal } from "./todos.ts";

export interface VerifyDeps {
  readonly research: ResearchAnalyst;
  /** The roles that judge, one after another. A todo is accepted only if all accept it. */
  readonly judges: readonly string[];
}

/** Judges each todo and the whole. A todo that could not be judged is accepted. */
export function createVerifyNode({ research, judges }: VerifyDeps): GraphNode<ResearchStateValue, ResearchUpdate> {
  return async (state, effects) => {
    const { question, language, systemContext, history, models, limits } = state.task;
    const verdicts: Verdict[] = [];
    let refused: ResearchUpdate = {};
    for (const role of judges) {
      const timeoutMs = Math.floor(readingMsLeft(state, effects));
      const view = { question, language, systemContext, history, models, limits, timeoutMs, role, executed: executedOf(state) };
      const { result, spent } = await orRefusal(() => research.verify(view, effects), effects);
      if (spent === null) verdicts.push(result);
      else refused = { spent };
    }
    const { notAccepted } = textsFor(state.task);
    const todos = state.todos.map((todo) => judged(todo, verdicts, notAccepted));
    const content = verdicts.every(({ allCompleted }) => allCompleted);
    const feedback = verdicts.flatMap(({ overallFeedback, allCompleted }) =>
      allCompleted || overallFeedback === "" ? [] : [overallFeedback],
    );
    emitTodos(todos, effects);
    const ledger = verdicts.flatMap((verdict) => verdict.ledger ?? []);
    // Without time to execute anything, nothing is planned again.
    const late: ResearchUpdate = gatheringMsLeft(state, effects) === 0 ? { spent: "time_budget" } : {};
    const said = content ? null : feedback.join("\n") || notAccepted;
    return { steps: 1, todos: { changed: todos }, feedback: said, ledger, ...late, ...refused };
  };
}

/** A judge can reject a todo, but not accept a failed one. A todo that was not executed keeps its feedback. */
function judged(todo: Todo, verdicts: readonly Verdict[], notAccepted: string): Todo {
  const untouched = todo.status === "skipped" || (todo.status === "failed" && todo.rounds === 0);
  if (untouched && todo.feedback) return todo;
  const own = verdicts.flatMap(({ tasks }) => tasks.filter(({ id }) => id === todo.id));
  const against = own.filter(({ completed }) => !completed).flatMap(({ feedback }) => (feedback === "" ? [] : [feedback]));
  const rejected = own.some(({ completed }) => !completed);
  if (!rejected) return todo;
  const feedback = against.join("\n") || (todo.feedback ?? notAccepted);
  return { ...todo, feedback, ...(todo.status === "completed" && { status: "failed" as const }) };
}
