import { estimateTokens } from "../../domain/chat.ts";
import { DOCUMENTS_SOURCE, type Hit, isUntitled, rankAlone } from "../../domain/hit.ts";
import { plannedTodo } from "../../domain/plan.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { Task, ThreadAnswer } from "../../domain/task.ts";
import type { ReadHit } from "../../gathering/reading.ts";
import { copyReading, mayReuse, recalledEntry } from "../../gathering/thread.ts";
import type { TodoWork } from "./state.ts";
import { completedWith, newTodo } from "./todos.ts";
import { textsFor } from "./user-messages.ts";

interface EarlierWork extends TodoWork {
  /** The run that has the documents. */
  readonly run: string;
}

const CONTEXT_SHARE = 0.2;

/**
 * Returns what earlier runs of the thread answered, as completed todos with their evidence: the latest that fit into a fifth of the model's
 * context. `scope`: the ids of sources and tools that the run may use.
 */
export function earlierWork(task: Task, scope: readonly string[], now: number): EarlierWork[] {
  const { models, threadAnswers = [] } = task;
  let room = models === null ? 0 : Math.max(0, models.contextTokens - models.maxOutputTokens) * CONTEXT_SHARE;
  const latest = [...Map.groupBy(threadAnswers, ({ question }) => question).values()].flatMap(([first]) => first ?? []);
  return latest
    .filter(({ hits }) => hits.every((hit) => mayCite(hit, task, scope)))
    .filter(({ claims, citations }) => {
      room -= estimateTokens([...claims.map(({ text }) => text), ...citations.map(({ quote }) => quote)].join("\n"));
      return room >= 0;
    })
    .map((answer, at) => workOf(answer, `earlier-${at + 1}`, task, now));
}

/** A document of the thread does not change. */
function mayCite(hit: Hit, task: Task, scope: readonly string[]): boolean {
  if (hit.foundBy === DOCUMENTS_SOURCE) return task.given?.some(({ id }) => id === hit.id) === true;
  return mayReuse(hit, task) && (isUntitled(hit) || scope.includes(hit.foundBy));
}

function workOf({ run, question, at, again, claims, citations, hits }: ThreadAnswer, id: string, task: Task, now: number): EarlierWork {
  const day = new Date(at).toISOString().slice(0, 10);
  // A planned todo with the same description is this one. To a request that is not the same, or later, only the planner can say so.
  const isSame = again === true && task.given === undefined && now - at <= (task.reuseSeconds ?? 0) * 1_000;
  const description = isSame ? question : `${question} (${day})`;
  const done = { ...completedWith(claims[0]?.text ?? "", textsFor(task).answeredBefore(day)), answeredBy: "conversation" as const };
  const hashesOf = (hit: Hit) => new Set(citations.filter(({ sourceId }) => sourceId === hit.id).map(({ contentHash }) => contentHash));
  const read = hits.flatMap((hit) =>
    Array.from(hashesOf(hit), (contentHash) => ({ hit: rankAlone(hit, 1), status: "read" as const, contentHash, failure: null })),
  );
  const todo = { ...newTodo(plannedTodo(id, description), 1), ...done };
  const ledger = hits.map((hit) => recalledEntry({ readAt: day, ...hit }));
  return { run, todo, findings: { claims, citations, reason: null }, hits, ranked: [], read, ledger, spent: null };
}

/** Copies the documents into this run. Quotes of one that is gone, because its run was deleted meanwhile, do not hold in the report. */
export async function recallWork(answers: readonly EarlierWork[], documents: DocumentStore, effects: Effects): Promise<TodoWork[]> {
  const works: TodoWork[] = [];
  for (const { run, ...work } of answers) {
    const read: ReadHit[] = [];
    for (const one of work.read)
      if (one.contentHash && (await copyReading(one.hit, { run, contentHash: one.contentHash }, documents, effects))) read.push(one);
    works.push({ ...work, read });
  }
  return works;
}
