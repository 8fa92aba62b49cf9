import { refusedBudget, type SpentBudget } from "../../domain/budget.ts";
import { mergeFindings } from "../../domain/citations.ts";
import { asTodoEntry } from "../../domain/failures.ts";
import { type Hit, isUntitled, mergeHits, type RankedHit } from "../../domain/hit.ts";
import type { Findings } from "../../domain/ports/analyst.ts";
import { type PlannedQuery, planQuery, queryKey } from "../../domain/queries.ts";
import type { Task } from "../../domain/task.ts";
import type { OfferedTool } from "../../domain/tool.ts";
import { toDossierError } from "../../errors.ts";
import { countDownloads, isCapped } from "../../gathering/limits.ts";
import type { KnownReading, ReadHit } from "../../gathering/reading.ts";
import { taskOfNestedRun } from "../../gathering/thread.ts";
import type { AgentStateValue } from "../../nodes/agent/state.ts";
import type { ExecutorStateValue } from "../../nodes/executor/state.ts";
import { countRead, extentOf } from "../../nodes/research/evidence-extent.ts";
import type { TodoStateValue, TodoUpdate } from "../../nodes/research/state.ts";
import { rethrowControlFlow } from "../../nodes/research/todos.ts";
import { textsFor } from "../../nodes/research/user-messages.ts";
import type { NestedGraph, NestedRunNode } from "../nested-run.ts";

export interface Workers {
  readonly executor: NestedGraph<
    { task: Task; offered: OfferedTool[] | null; known: readonly KnownReading[]; queries: readonly PlannedQuery[]; leads: readonly Hit[] },
    ExecutorStateValue
  >;
  readonly agent: NestedGraph<{ task: Task; offered: OfferedTool[] | null; readings: readonly KnownReading[] }, AgentStateValue>;
}

type RoundResult = Pick<ExecutorStateValue, "hits" | "ranked" | "read" | "report" | "termination" | "named">;

const MAX_HITS = 60;
/** A round reads at most so many sources that documents name, so that it also reads what it finds. */
const MAX_NAMED = 6;

/** Errors are stored in `failure` and not thrown. */
export function createWorkNode(workers: Workers): NestedRunNode<TodoStateValue, TodoUpdate> {
  return async (state, effects, runNested) => {
    const { todo, round, offered } = state;
    const task = taskOfNestedRun(state.task, state.startedAt, effects);
    const planned = state.query;
    const query = planned ?? planQuery(todo.description);
    const queries = planned === null ? [] : [planned];
    const seconds = Math.max(0, task.limits.seconds - effects.elapsedMs(state.startedAt) / 1_000);
    const downloads = Math.max(0, task.limits.downloads - countDownloads(state.ledger));
    // Rules look for each word of a question, a model has to know what the query is for.
    const question = planned === null || task.models === null ? query.text : textsFor(task).missing(todo.description, planned.text);
    const roundTask: Task = { ...task, question, limits: { ...task.limits, seconds, downloads } };
    const known = [...state.known, ...knownReadings(state.read)];
    const started: TodoUpdate = { round: round + 1, queries: [queryKey(query)] };
    try {
      const byAgent = todo.by === "agent" && task.models !== null;
      const result = byAgent
        ? resultOfAgent(await runNested(workers.agent, { task: roundTask, offered, readings: known }))
        : resultOfExecutor(await runNested(workers.executor, { task: roundTask, offered, known, queries, leads: state.named }));
      return { ...started, ...updateOf(result, state) };
    } catch (error) {
      rethrowControlFlow(error, effects);
      const { code, message } = toDossierError(error);
      const spent = refusedBudget({ code });
      return { ...started, failure: `${code}: ${message}`, ...(spent !== null && { spent }) };
    }
  };
}

export function knownReadings(read: readonly ReadHit[]): KnownReading[] {
  const known = new Map<string, KnownReading>();
  for (const { hit, status, contentHash } of read) {
    if (status === "read" && contentHash !== null && hit.contentHash === null)
      known.set(hit.id, {
        sourceId: hit.id,
        contentHash,
        status,
        failure: null,
        address: hit.url,
        ...(isUntitled(hit) && { title: hit.title }),
      });
  }
  return [...known.values()];
}

function updateOf({ report, termination, hits, ranked, read, named }: RoundResult, state: TodoStateValue): TodoUpdate {
  const { claims = [], citations = [], closest = [], ledger = [], missing = [] } = report ?? {};
  const reason = isCapped(ledger) ? textsFor(state.task).noDownloads(countRead([...state.read, ...read])) : (termination?.detail ?? null);
  const latest: Findings = { claims: claims.map(({ origins: _, ...claim }) => claim), citations, reason, closest };
  const findings = { ...mergeFindings([state.findings, latest]), missing };
  const isFruitless = extentOf([state, { findings, read }]) === extentOf([state]) && named.length === 0;
  const spent = BUDGETS.find((budget) => budget === termination?.reason) ?? null;
  const unread = mergeHits([], named)
    .filter(({ id }) => !state.read.some(({ hit }) => hit.id === id))
    .slice(0, MAX_NAMED);
  return { hits, ranked, read, named: unread, findings, isFruitless, ledger: ledger.map(asTodoEntry), ...(spent !== null && { spent }) };
}

function resultOfExecutor({ hits, ranked, read, report, termination, named }: ExecutorStateValue): RoundResult {
  const ids = new Set([...ranked, ...read.map(({ hit }) => hit)].map(({ id }) => id));
  const known = mergeHits([], hits);
  const kept = [...known.filter(({ id }) => ids.has(id)), ...known.filter(({ id }) => !ids.has(id))].slice(0, MAX_HITS);
  return { hits: kept, ranked, read, report, termination, named };
}

function resultOfAgent({ hits, report, termination }: AgentStateValue): RoundResult {
  const sources = new Map((report?.sources ?? []).map((source) => [source.id, source]));
  const kept = mergeHits([], hits).filter(({ id }) => sources.has(id));
  const read = kept.flatMap((hit, at): ReadHit[] => {
    const { contentHash = null, status = "found", failure = null, origin = hit.id, title = hit.title } = sources.get(hit.id) ?? {};
    if (contentHash === null || status === "found") return [];
    const ranked: RankedHit = { ...hit, title, score: 1 / (at + 1), origin, alternatives: [] };
    return [{ hit: ranked, status, contentHash, failure }];
  });
  return { hits: kept.slice(0, MAX_HITS), ranked: [], read, report, termination, named: [] };
}

const BUDGETS: readonly SpentBudget[] = ["step_cap", "model_call_cap", "token_budget", "cost_budget", "time_budget"];
