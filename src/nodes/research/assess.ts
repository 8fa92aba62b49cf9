import { NOTHING_FOUND } from "../../domain/citations.ts";
import type { Assessment, ResearchAnalyst } from "../../domain/ports/analyst.ts";
import type { GraphNode } from "../../domain/ports/effects.ts";
import { planQuery, queryKey } from "../../domain/queries.ts";
import { isChecked } from "../../domain/report.ts";
import { taskView } from "../../domain/task.ts";
import { gatheringMsLeft, isCapped, writingMsLeft } from "../../gathering/limits.ts";
import { countRead } from "./evidence-extent.ts";
import type { TodoStateValue, TodoUpdate } from "./state.ts";
import { catchRefusal } from "./todos.ts";
import { textsFor } from "./user-messages.ts";

const MAX_ROUNDS = 10;

export function createAssessNode({ research }: { readonly research: ResearchAnalyst }): GraphNode<TodoStateValue, TodoUpdate> {
  return async (state, effects) => {
    if (state.failure !== null) return { ending: "failed", summary: state.failure };
    const { task, todo, round, findings } = state;
    if (round > 1 && state.isFruitless) return updateWithNothingNew(state);
    const roundsLeft = roundsWithin(task.limits.steps) - round;
    const named = state.named.length > 0 && { named: state.named.map(({ title }) => title) };
    const view = { ...taskView(task), timeoutMs: writingMsLeft(state, effects), todo, round, roundsLeft, findings, ...named };
    const { result, spent } = await catchRefusal(() => research.assess(view, effects), effects);
    // A todo that earlier answers do not complete is worked on.
    if (round === 0) return result?.taskCompleted ? { ending: "completed", summary: result.summary } : { findings: NOTHING_FOUND };
    if (spent !== null) return { ...updateWithoutJudge(state), spent };
    const timeIsUp = gatheringMsLeft(state, effects) === 0;
    const ledger = (result.ledger ?? []).map((entry) => ({ ...entry, detail: `${todo.id}: ${entry.detail}` }));
    return { ...updateFrom(result, state, timeIsUp), ledger };
  };
}

/**
 * A todo of which a part was found is completed with that. Its feedback says that nothing new came, and what was missing. It fails if what
 * was found was not about it.
 */
function updateWithNothingNew(state: TodoStateValue): TodoUpdate {
  const { noProgress } = textsFor(state.task);
  const summary = withCap(state.summary, state);
  const isPart = state.nextAction === "continue" && state.findings.claims.some(isChecked);
  if (!isPart) return { ending: "failed", summary: summary || noProgress };
  return { ending: "exhausted", summary: [noProgress, summary].filter(Boolean).join(" ") };
}

function roundsWithin(steps: number): number {
  return Math.max(1, Math.min(MAX_ROUNDS, Math.floor(steps / 2)));
}

function updateFrom(assessment: Assessment, state: TodoStateValue, timeIsUp: boolean): TodoUpdate {
  const { nextAction, nextQuery, taskCompleted, summary } = assessment;
  const { todo, round, queries, isFruitless, spent, task } = state;
  const texts = textsFor(task);
  const ended = (why: string): TodoUpdate => {
    if (taskCompleted) return { ending: "completed", summary: summary || why };
    return { ending: "failed", summary: withCap(summary, state) || why };
  };
  if (nextAction === "skip") return { ending: "skipped", summary };
  if (nextAction === "complete") return ended(texts.nothingFound);
  if (round >= roundsWithin(task.limits.steps) || spent !== null) return ended(texts.nothingFound);
  if (timeIsUp) return { ...ended(texts.outOfTime), spent: "time_budget" };
  if (isFruitless && queries.includes(queryKey(nextQuery ?? planQuery(todo.description)))) return ended(texts.noProgress);
  return { query: nextQuery, nextAction, summary };
}

/** Says before the summary that no download was left, unless it says so. */
function withCap(summary: string, { task, ledger, read }: TodoStateValue): string {
  const noDownloads = isCapped(ledger) ? textsFor(task).noDownloads(countRead(read)) : "";
  return summary.includes(noDownloads) ? summary : [noDownloads, summary].filter(Boolean).join(" ");
}

function updateWithoutJudge({ findings, task }: TodoStateValue): TodoUpdate {
  const found = findings.claims.some(isChecked);
  return { ending: found ? "completed" : "failed", summary: found ? "" : (findings.reason ?? textsFor(task).nothingFound) };
}
