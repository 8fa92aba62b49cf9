import type { GraphNode } from "../../domain/ports/effects.ts";
import type { Assessment, ResearchAnalyst } from "../../domain/ports/research-analyst.ts";
import { gatheringMsLeft, isCapped, writingMsLeft } from "../shared/limits.ts";
import type { TodoStateValue, TodoUpdate } from "./state.ts";
import { textsFor } from "./texts.ts";
import { orRefusal } from "./todos.ts";

export const MAX_ROUNDS = 10;

/** Decides what follows a round: the end of the todo, or another round with this or another query. */
export function createAssessNode({ research }: { readonly research: ResearchAnalyst }): GraphNode<TodoStateValue, TodoUpdate> {
  return async (state, effects) => {
    if (state.failure !== null) return { ending: "failed", summary: state.failure };
    const { question, language, systemContext, history, models, limits } = state.task;
    const { todo, round, findings } = state;
    const roundsLeft = roundsWithin(limits.steps) - round;
    const timeoutMs = writingMsLeft(state, effects);
    const view = { question, language, systemContext, history, models, limits, timeoutMs, todo, round, roundsLeft, findings };
    const { result, spent } = await orRefusal(() => research.assess(view, effects), effects);
    if (spent !== null) return { ...unjudged(state), spent };
    const timeIsUp = gatheringMsLeft(state, effects) === 0;
    return { ...next(result, state, timeIsUp), ledger: result.ledger ?? [] };
  };
}

/** A round is two steps of the todo's own graph. */
function roundsWithin(steps: number): number {
  return Math.max(1, Math.min(MAX_ROUNDS, Math.floor(steps / 2)));
}

function next(assessment: Assessment, state: TodoStateValue, timeIsUp: boolean): TodoUpdate {
  const { nextAction, nextQuery } = assessment;
  const taskCompleted = assessment.taskCompleted && isSupported(state);
  // The summary of a model that completes a todo without evidence explains nothing.
  const summary = assessment.taskCompleted && !taskCompleted ? (state.findings.reason ?? "") : assessment.summary;
  const { todo, round, queries, newClaims, spent, task, ledger } = state;
  const texts = textsFor(task);
  const ended = (why: string): TodoUpdate => {
    if (taskCompleted) return { ending: "completed", summary: summary || why };
    // The assessor does not see that the download limit kept it from reading.
    const cap = isCapped(ledger) && !summary.includes(texts.noDownloads) ? texts.noDownloads : "";
    return { ending: "failed", summary: [cap, summary || (cap === "" ? why : "")].filter(Boolean).join(" ") };
  };
  if (nextAction === "skip") return { ending: "skipped", summary };
  if (nextAction === "complete") return ended(texts.nothingFound);
  if (round >= roundsWithin(task.limits.steps) || spent !== null) return ended(texts.nothingFound);
  if (timeIsUp) return { ...ended(texts.noTime), spent: "time_budget" };
  const query = nextQuery === null || nextQuery.trim() === "" ? todo.description : nextQuery.trim();
  // The same query will not bring more.
  if (newClaims === 0 && queries.includes(query)) return ended(texts.noProgress);
  return { query, summary };
}

/**
 * Whether something supports a completed todo: a quote, an agent's words, or, if nothing kept it from reading, the findings of the todos it
 * needs.
 */
function isSupported({ todo, task, findings, ledger }: TodoStateValue): boolean {
  if (findings.claims.some(({ supported }) => supported)) return true;
  if (todo.by === "agent" && task.models !== null) return true;
  return todo.dependsOn.length > 0 && !isCapped(ledger);
}

/** Without an assessor, a quote completes the todo. */
function unjudged({ findings, task }: TodoStateValue): TodoUpdate {
  const found = findings.claims.some(({ supported }) => supported);
  return { ending: found ? "completed" : "failed", summary: found ? "" : (findings.reason ?? textsFor(task).nothingFound) };
}
