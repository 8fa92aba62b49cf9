import { refusedBudget, type SpentBudget } from "../../domain/budget.ts";
import { joinFindings } from "../../domain/citations.ts";
import { ofTodo } from "../../domain/failures.ts";
import { mergeHits, type RankedHit } from "../../domain/hit.ts";
import type { Findings } from "../../domain/ports/research-analyst.ts";
import type { Report } from "../../domain/report.ts";
import type { Limits, Task } from "../../domain/request.ts";
import type { Termination } from "../../domain/run.ts";
import type { OfferedTool } from "../../domain/tool.ts";
import { toDossierError } from "../../errors.ts";
import type { AgentReading, AgentStateValue } from "../../nodes/agent/state.ts";
import type { ExecutorStateValue, KnownReading, ReadHit } from "../../nodes/executor/state.ts";
import type { TodoStateValue, TodoUpdate } from "../../nodes/research/state.ts";
import { passOn } from "../../nodes/research/todos.ts";
import { wordingFor } from "../../nodes/research/wording.ts";
import { downloadsIn, isCapped } from "../../nodes/shared/limits.ts";
import type { PartGraph, PartNode } from "../bind.ts";

/** The graphs that execute a todo, as parts. */
export interface Workers {
  readonly executor: PartGraph<{ task: Task; offered: OfferedTool[] | null; known: readonly KnownReading[] }, ExecutorStateValue>;
  readonly agent: PartGraph<{ task: Task; offered: OfferedTool[] | null; readings: AgentReading[] }, AgentStateValue>;
}

/** What one round has brought. */
type Brought = Pick<TodoUpdate, "hits" | "ranked" | "read"> & {
  readonly report: Report | null;
  readonly termination: Termination | null;
};

/** Hits of a round that the run keeps, those that were ranked first. */
const MAX_HITS = 60;
/** The share of the downloads left that one round may take, where there may be another. */
const ROUND_SHARE = 2 / 3;

/** Executes a todo once, as a graph of its own; where that fails the failure is what has come of it. */
export function createWorkNode(workers: Workers): PartNode<TodoStateValue, TodoUpdate> {
  return async (state, effects, runPart) => {
    const { task, todo, round, offered } = state;
    const query = state.query ?? todo.description;
    const seconds = Math.max(0, task.limits.seconds - effects.elapsedMs(state.startedAt) / 1_000);
    const limits: Limits = { ...task.limits, seconds, downloads: downloadsFor(state) };
    const part: Task = { ...task, question: query, limits };
    const known = [...state.known, ...knownReadings(state.read)];
    const begun: TodoUpdate = { round: round + 1, queries: [query] };
    try {
      const byAgent = todo.by === "agent" && task.models !== null;
      const brought = byAgent
        ? broughtByAgent(await runPart(workers.agent, { task: part, offered, readings: known.map(asRead) }, null))
        : broughtByExecutor(await runPart(workers.executor, { task: part, offered, known }, null));
      return { ...begun, ...collected(brought, state), used: effects.spent() };
    } catch (error) {
      passOn(error, effects);
      const { code, message } = toDossierError(error);
      const spent = refusedBudget({ code });
      return { ...begun, failure: `${code}: ${message}`, used: effects.spent(), ...(spent !== null && { spent }) };
    }
  };
}

function asRead(known: KnownReading): AgentReading {
  return { ...known, status: "read", failure: null };
}

function downloadsFor({ task, ledger }: TodoStateValue): number {
  const left = Math.max(0, task.limits.downloads - downloadsIn(ledger));
  return Math.ceil(left * ROUND_SHARE);
}

/** What was fetched of it all, each source once. */
export function knownReadings(read: readonly ReadHit[]): KnownReading[] {
  const known = new Map<string, KnownReading>();
  for (const { hit, status, contentHash } of read) {
    if (status === "read" && contentHash !== null && hit.contentHash === null) known.set(hit.id, { sourceId: hit.id, contentHash });
  }
  return [...known.values()];
}

function collected({ report, termination, ...found }: Brought, state: TodoStateValue): TodoUpdate {
  const claims = (report?.claims ?? []).map(({ origins: _, ...claim }) => claim);
  const why = isCapped(report?.ledger ?? []) ? wordingFor(state.task).noDownloads : (termination?.detail ?? null);
  const citations = report?.citations ?? [];
  const latest: Findings = { claims, citations, reason: why, closest: report?.closest ?? [] };
  const findings = joinFindings([state.findings, latest]);
  const spent = budgetOf(termination);
  return {
    ...found,
    findings,
    newClaims: findings.claims.length - state.findings.claims.length,
    ledger: (report?.ledger ?? []).map(ofTodo),
    ...(spent !== null && { spent }),
  };
}

function broughtByExecutor({ hits, ranked, read, report, termination }: ExecutorStateValue): Brought {
  const ids = new Set(ranked.map(({ id }) => id));
  const known = mergeHits([], hits);
  const kept = [...known.filter(({ id }) => ids.has(id)), ...known.filter(({ id }) => !ids.has(id))].slice(0, MAX_HITS);
  return { hits: kept, ranked, read, report, termination };
}

/** What an agent has read has no rank. */
function broughtByAgent({ hits, report, termination }: AgentStateValue): Brought {
  const sources = new Map((report?.sources ?? []).map((source) => [source.id, source]));
  const kept = mergeHits([], hits).filter(({ id }) => sources.has(id));
  const read = kept.flatMap((hit, at): ReadHit[] => {
    const { contentHash = null, status = "found", failure = null, origin = hit.id } = sources.get(hit.id) ?? {};
    if (contentHash === null || status === "found") return [];
    const ranked: RankedHit = { ...hit, score: 1 / (at + 1), origin, alternatives: [] };
    return [{ hit: ranked, status, contentHash, failure }];
  });
  return { hits: kept.slice(0, MAX_HITS), ranked: [], read, report, termination };
}

const BUDGETS: readonly SpentBudget[] = ["step_cap", "model_call_cap", "token_budget", "cost_budget", "time_budget"];

function budgetOf(termination: Termination | null): SpentBudget | null {
  return BUDGETS.find((budget) => budget === termination?.reason) ?? null;
}
