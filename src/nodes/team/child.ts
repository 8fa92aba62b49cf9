import { isGraphBubbleUp, isGraphInterrupt } from "@langchain/langgraph";
import { Budget } from "../../domain/budget.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { RenderPrompt } from "../../domain/ports/models.ts";
import { answerText } from "../../domain/report.ts";
import type { Models, Task } from "../../domain/request.ts";
import { NOTHING_SPENT } from "../../domain/spent.ts";
import { CHILD_TIMEOUT_MS, type Child, type ChildSpec } from "../../domain/team.ts";
import { isServerId } from "../../domain/tool.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { type ToolScope, modelsOf, offeredTools } from "../agent/request.ts";
import type { AgentStateValue } from "../agent/state.ts";
import { gatheringMsLeft } from "../shared/limits.ts";
import { formatResults } from "./child-results.ts";
import type { Roster, Rosters } from "./roster.ts";
import { type ChildTurn, specOf, type TeamUpdate } from "./state.ts";

export interface ChildDeps {
  readonly rosters: Rosters;
  readonly prompts: RenderPrompt;
  /** The children as the run's log has them, in a process that has not seen them begin. */
  readonly recall: (effects: Effects) => Promise<readonly Child[]>;
}

export type AgentInput = Required<Pick<AgentStateValue, "messages" | "hits" | "readings" | "shown">> & { readonly task: Task };

/** Runs the agent as a part of the run, within a share of its limits, until `stop` is aborted. */
export type RunAgent = (input: AgentInput, budget: Budget, stop: AbortSignal) => Promise<AgentStateValue>;

/** One child: an agent with a prompt, tools, time and budget of its own. @throws DossierError `child_failed` where a critical one fails */
export function createChildNode(deps: ChildDeps) {
  return async (turn: ChildTurn, effects: Effects, runAgent: RunAgent): Promise<TeamUpdate> => {
    const { rosters, recall } = deps;
    const spec = specOf(turn.task, turn.id);
    const roster = rosters.get(effects) ?? rosters.open(effects, await recall(effects));
    const since = effects.now();
    roster.begin(spec.id, effects);
    let state: AgentStateValue | null = null;
    let given = 0;
    let result: ChildResult;
    try {
      const input = await inputOf(turn, spec, deps, effects);
      given = input.readings.length;
      state = await runAgent(input, budgetFor(turn, effects), roster.stop);
      result = judge(state, spec, effects);
    } catch (error) {
      if (isGraphBubbleUp(error)) throw waiting(error, spec, roster, effects);
      effects.signal.throwIfAborted();
      result = broken(toDossierError(error), spec, turn.task, effects.elapsedMs(since));
    }
    return ended(result, { spec, roster, effects, state, given });
  };
}

/** The child's share, less what it spent before a wait. No child spends what the run keeps for the supervisor. */
function budgetFor({ share, task }: ChildTurn, effects: Effects): Budget {
  const budget = new Budget(share, { ceiling: () => Budget.ofChildren(task.limits, effects.spent()).left });
  budget.spend(effects.spentEarlier() ?? NOTHING_SPENT);
  return budget;
}

/** What LangGraph is to be told of a child that goes on later. */
function waiting(error: unknown, { id }: ChildSpec, roster: Roster, effects: Effects): unknown {
  if (isGraphInterrupt(error)) roster.change([{ id, status: "waiting" }], effects);
  roster.finish(id);
  return error;
}

interface Ending {
  readonly spec: ChildSpec;
  readonly roster: Roster;
  readonly effects: Effects;
  readonly state: AgentStateValue | null;
  /** How many readings it was given. */
  readonly given: number;
}

async function ended(result: ChildResult, { spec, roster, effects, state, given }: Ending): Promise<TeamUpdate> {
  roster.change([result], effects);
  const child = roster.children.find(({ id }) => id === spec.id);
  if (child === undefined) throw new DossierError("internal", `The team has no child ${spec.id}.`);
  if (spec.critical && !result.success && (await roster.fail(child))) throw failureOfTeam(child, roster, effects);
  roster.finish(spec.id);
  if (state === null) return { children: [child] };
  const { claims = [], citations = [] } = state.report ?? {};
  return {
    children: [child],
    work: [{ id: spec.id, claims, citations }],
    hits: state.hits,
    readings: state.readings.slice(given),
    ledger: state.report?.ledger ?? state.ledger,
    downloads: state.downloads,
  };
}

/** A child sees the results of those before it, and can cite what they cite. */
async function inputOf(turn: ChildTurn, spec: ChildSpec, { prompts }: ChildDeps, effects: Effects): Promise<AgentInput> {
  const { task, children, work, hits, readings } = turn;
  const before = children.filter(({ success }) => success !== null);
  const shown = [...new Set(work.flatMap(({ citations }) => citations.map(({ sourceId }) => sourceId)))];
  const results = formatResults(before, work, { idOf: ({ sourceId }) => `S${shown.indexOf(sourceId) + 1}`, models: modelsOf(task) });
  const asked = before.length === 0 ? task.question : await prompts("messages/child-task", { question: task.question, results });
  return {
    task: await taskOf(turn, spec, prompts, effects),
    messages: [{ role: "user", content: asked }],
    // What it has not been shown is news to it.
    hits: hits.filter(({ id }) => shown.includes(id)),
    readings: readings.filter(({ sourceId }) => shown.includes(sourceId)),
    shown,
  };
}

async function taskOf(turn: ChildTurn, spec: ChildSpec, prompts: RenderPrompt, effects: Effects): Promise<Task> {
  const { team: _, ...task } = turn.task;
  const { prompt, tools, timeoutMs = CHILD_TIMEOUT_MS, maxIterations } = spec;
  return {
    ...task,
    systemContext: await prompts("child", { systemContext: task.systemContext, prompt }),
    limits: turn.share,
    models: withModel(task.models, spec),
    part: {
      ...(tools !== undefined && { tools }),
      maxThinks: maxIterations,
      timeoutMs: Math.min(timeoutMs, gatheringMsLeft(turn, effects)),
    },
  };
}

function withModel(models: Models | null, { model }: ChildSpec): Models | null {
  if (models === null) return null;
  const own = model ?? models.roles.child;
  return own === undefined ? models : { ...models, roles: { ...models.roles, agent: own } };
}

/** The most that is told of one result, in UTF-16 code units. */
const MAX_TOLD_LENGTH = 200;

/** The error of a run whose critical child has failed; says what the others had found. Those that never began are told to be skipped. */
function failureOfTeam({ id, error }: Child, roster: Roster, effects: Effects): DossierError {
  const left = roster.children.flatMap((child) => leftOf(child, id));
  if (left.length > 0) roster.change(left, effects);
  const found = roster.children.flatMap(({ id, output }) => (output === null ? [] : [`${id}: ${shortened(output)}`]));
  const kept = found.length === 0 ? "No other child had finished." : `What had been found is kept in its children. ${found.join(" | ")}`;
  return new DossierError("child_failed", `The critical child ${id} failed (${error?.code ?? "unknown"}): ${error?.message ?? ""} ${kept}`);
}

/** What becomes of a child that will not go on. */
function leftOf({ id, status }: Child, culprit: string): (Pick<Child, "id"> & Partial<Child>)[] {
  if (status === "pending") return [{ id, status: "skipped" }];
  if (status !== "waiting") return [];
  const error = { code: "cancelled", message: `Its question was not answered, because the critical child ${culprit} failed.` };
  return [{ id, status: "failed", success: false, error }];
}

function shortened(output: string): string {
  const line = output.replace(/\s+/g, " ").trim();
  return line.length <= MAX_TOLD_LENGTH ? line : `${line.slice(0, MAX_TOLD_LENGTH).toWellFormed()}…`;
}

/** The most of a child's answer that is kept, in UTF-16 code units. */
const MAX_OUTPUT_LENGTH = 12_000;
const ANSWERED = ["answered", "finish_task", "no_progress"];

type ChildResult = Pick<Child, "id" | "status" | "success" | "output" | "error" | "executionTimeMs" | "iterations" | "unknownTools">;

/** What an agent that has come to its end means for its team: at a cap, or without an answer in its own words, it has failed. */
function judge(state: AgentStateValue, spec: ChildSpec, effects: Pick<Effects, "elapsedMs">): ChildResult {
  const { answer, report, termination, thinks, startedAt, waitedMs, outcomes } = state;
  const called = outcomes.filter(({ failure }) => failure === "unknown_tool").map(({ name }) => name);
  const result = {
    id: spec.id,
    executionTimeMs: Math.max(0, effects.elapsedMs(startedAt) - waitedMs),
    iterations: thinks,
    unknownTools: [...new Set([...missingTools(spec, state), ...called])],
  };
  const output = report === null ? "" : answerText(report).slice(0, MAX_OUTPUT_LENGTH).toWellFormed();
  const answered = ANSWERED.includes(termination?.reason ?? "") && answer !== null && output.trim() !== "";
  if (answered) return { ...result, status: "completed", success: true, output, error: null };
  return { ...result, status: "failed", success: false, output: null, error: errorOf(state, spec) };
}

/** A child whose agent broke off; `startedAt` is when it began in this execution. */
function broken(error: DossierError, spec: ChildSpec, task: Task, elapsedMs: number): ChildResult {
  const { code, message } = error;
  return {
    id: spec.id,
    status: "failed",
    success: false,
    output: null,
    error: { code, message },
    executionTimeMs: elapsedMs,
    iterations: 0,
    unknownTools: missingTools(spec, { task, offered: null }),
  };
}

/** Tools that it was given and that this run does not have; of tools of servers nothing is known before they were asked. */
function missingTools({ tools = [] }: ChildSpec, { task: { part: _, ...task }, offered }: ToolScope): string[] {
  const there = offeredTools({ task, offered });
  const asked = offered !== null || !task.tools.some(isServerId);
  return tools.filter((name) => !there.includes(name) && (asked || !name.includes("__")));
}

function errorOf({ failure, termination, thinks, task }: AgentStateValue, { id }: ChildSpec): NonNullable<Child["error"]> {
  if (failure !== null) return failure;
  const reason = termination?.reason ?? "no_answer";
  if (reason === "time_budget") return { code: "timeout", message: `${id} used up its ${Math.round(task.part?.timeoutMs ?? 0)} ms.` };
  if (reason === "step_cap") return { code: "step_cap", message: `${id} did not finish within ${thinks} iterations.` };
  if (reason === "no_progress") return { code: "no_progress", message: `${id} made no progress: ${termination?.detail ?? "no answer"}.` };
  if (reason.endsWith("_cap") || reason.endsWith("_budget"))
    return { code: reason, message: `${id} used up its share of the run's budget.` };
  return { code: "no_answer", message: `${id} gave no answer${termination?.detail == null ? "" : `: ${termination.detail}`}.` };
}
