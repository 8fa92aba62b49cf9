import { isGraphBubbleUp, isGraphInterrupt } from "@langchain/langgraph";
import { Budget, NOTHING_SPENT } from "../../domain/budget.ts";
import { addressOf } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { RenderPrompt } from "../../domain/ports/models.ts";
import { answerText, type Claim } from "../../domain/report.ts";
import type { Models } from "../../domain/request.ts";
import { type Task, taskView } from "../../domain/task.ts";
import { CHILD_TIMEOUT_MS, type Child, type ChildSpec } from "../../domain/team.ts";
import { isServerId } from "../../domain/tool.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { listGiven } from "../../gathering/given-material.ts";
import { gatheringMsLeft } from "../../gathering/limits.ts";
import { shareRead } from "../../gathering/reader.ts";
import { taskOfNestedRun } from "../../gathering/thread.ts";
import { isChinese } from "../../ranking/language.ts";
import { modelsOf, offeredTools, type ToolScope } from "../agent/request.ts";
import type { AgentStateValue } from "../agent/state.ts";
import { formatResults } from "./child-results.ts";
import type { Roster, RosterRegistry } from "./roster.ts";
import { type ChildTurn, specOf, type TeamUpdate } from "./state.ts";

export interface ChildDeps {
  readonly rosters: RosterRegistry;
  readonly prompts: RenderPrompt;
  /** Reads the children from the run's log, after a restart of the process. */
  readonly recall: (effects: Effects) => Promise<readonly Child[]>;
}

type AgentInput = Pick<AgentStateValue, "messages" | "hits" | "readings" | "shown"> & { readonly task: Task };

type RunAgent = (input: AgentInput, shared: { readonly budget: Budget }, stop: AbortSignal) => Promise<AgentStateValue>;

/** Runs one child: an agent with its own prompt, tools, time and budget. @throws DossierError `child_failed` if a critical child fails */
export function createChildNode(deps: ChildDeps) {
  return async (turn: ChildTurn, effects: Effects, runAgent: RunAgent): Promise<TeamUpdate> => {
    const { rosters, recall } = deps;
    const spec = specOf(turn.task, turn.id);
    const roster = rosters.get(effects) ?? rosters.open(effects, await recall(effects));
    const since = effects.now();
    roster.begin(spec.id, effects);
    let result: ChildResult;
    let found: TeamUpdate = {};
    try {
      const input = await inputOf(turn, spec, deps, effects);
      shareEarlierReads(turn, effects);
      const state = await runAgent(input, { budget: budgetFor(turn, effects) }, roster.stop);
      result = resultOf(state, spec, effects);
      found = toTeamUpdate(state, input, spec);
    } catch (error) {
      if (isGraphBubbleUp(error)) {
        markWaiting(error, spec, roster, effects);
        throw error;
      }
      effects.signal.throwIfAborted();
      result = failedResult(toDossierError(error), spec, turn.task, effects.elapsedMs(since));
    }
    return { ...found, children: [await finishChild(result, spec, roster, effects)] };
  };
}

/** Subtracts what the child spent before a wait. The ceiling protects the budget of the supervisor. */
function budgetFor({ share, task }: ChildTurn, effects: Effects): Budget {
  const ceiling = () => Budget.ofChildren(task.limits, effects.spent()).left;
  return new Budget(share, { ceiling }).spend(effects.spentEarlier() ?? NOTHING_SPENT);
}

/** Shares what the children before have read, which a restart of the process forgets. */
function shareEarlierReads({ readings, hits }: ChildTurn, effects: Effects): void {
  const byId = new Map(hits.map((hit) => [hit.id, hit]));
  for (const { sourceId, contentHash, title, status } of readings) {
    const hit = byId.get(sourceId);
    if (hit !== undefined && status === "read") shareRead(addressOf(hit), { contentHash, title: title ?? hit.title }, effects);
  }
}

function markWaiting(error: unknown, { id }: ChildSpec, roster: Roster, effects: Effects): void {
  if (isGraphInterrupt(error)) roster.change([{ id, status: "waiting" }], effects);
  roster.finish(id);
}

async function finishChild(result: ChildResult, spec: ChildSpec, roster: Roster, effects: Effects): Promise<Child> {
  roster.change([result], effects);
  const child = roster.children.find(({ id }) => id === spec.id);
  if (child === undefined) throw new DossierError("internal", `The team has no child ${spec.id}.`);
  if (spec.critical && !result.success && (await roster.fail(child))) throw teamFailure(child, roster, effects);
  roster.finish(spec.id);
  return child;
}

function toTeamUpdate(state: AgentStateValue, input: AgentInput, { id }: ChildSpec): TeamUpdate {
  const { report, hits, downloads } = state;
  const { claims = [], citations = [], blocks = [], ledger = state.ledger } = report ?? {};
  const readings = state.readings.slice(input.readings.length);
  return { work: [{ id, claims, citations, blocks }], hits, readings, ledger, downloads };
}

async function inputOf(turn: ChildTurn, spec: ChildSpec, { prompts }: ChildDeps, effects: Effects): Promise<AgentInput> {
  const { task, children, work, hits, readings } = turn;
  const before = children.filter(({ success }) => success !== null);
  const given = listGiven(task);
  const givenHits = given?.hits ?? [];
  const shown = [
    ...new Set([...givenHits.map(({ id }) => id), ...work.flatMap(({ citations }) => citations.map(({ sourceId }) => sourceId))]),
  ];
  const results = formatResults(before, work, { idOf: ({ sourceId }) => `S${shown.indexOf(sourceId) + 1}`, hits, models: modelsOf(task) });
  const asked = before.length === 0 ? task.question : await prompts("messages/child-task", { question: task.question, results });
  return {
    task: await taskOf(turn, spec, prompts, effects),
    messages: [{ role: "user", content: given === null ? asked : `${asked}\n\n${given.text}` }],
    // Hits that the child was not shown are left out, so that they count as new when it finds them.
    hits: [...givenHits, ...hits.filter(({ id }) => shown.includes(id))],
    readings: readings.filter(({ sourceId }) => shown.includes(sourceId)),
    shown,
  };
}

async function taskOf(turn: ChildTurn, spec: ChildSpec, prompts: RenderPrompt, effects: Effects): Promise<Task> {
  const { team: _, ...task } = taskOfNestedRun(turn.task, turn.startedAt, effects);
  const { prompt, tools, timeoutMs = CHILD_TIMEOUT_MS, maxIterations } = spec;
  const { today } = taskView(task);
  return {
    ...task,
    systemContext: await prompts("child", { systemContext: task.systemContext, today, prompt }, task.promptTexts),
    limits: turn.share,
    models: applyChildModel(task.models, spec),
    part: {
      ...(tools !== undefined && { tools }),
      maxThinks: maxIterations,
      timeoutMs: Math.min(timeoutMs, gatheringMsLeft(turn, effects)),
    },
  };
}

function applyChildModel(models: Models | null, { model }: ChildSpec): Models | null {
  if (models === null) return null;
  const own = model ?? models.roles.child;
  return own === undefined ? models : { ...models, roles: { ...models.roles, agent: own } };
}

const MAX_SHOWN_LENGTH = 200;

/** Ends the unfinished children and returns an error that contains the results of the others. */
function teamFailure({ id, error }: Child, roster: Roster, effects: Effects): DossierError {
  const left = roster.children.flatMap((child) => closeUnfinished(child, id));
  if (left.length > 0) roster.change(left, effects);
  const found = roster.children.flatMap(({ id, output }) => (output === null ? [] : [`${id}: ${shorten(output)}`]));
  const others = found.length === 0 ? "No other child had finished." : `What the children have found is kept: ${found.join(" | ")}`;
  const why = error === null ? "." : `: ${error.message.replace(/[^.!?。！？]$/, "$&.")}`;
  return new DossierError("child_failed", `The critical child ${id} failed (${error?.code ?? "unknown"})${why} ${others}`);
}

function closeUnfinished({ id, status }: Child, failedId: string): (Pick<Child, "id"> & Partial<Child>)[] {
  if (status === "pending") return [{ id, status: "skipped" }];
  if (status !== "waiting") return [];
  const error = { code: "cancelled", message: `The child's question was not answered, because the critical child ${failedId} failed.` };
  return [{ id, status: "failed", success: false, error }];
}

function shorten(output: string): string {
  const line = output.replace(/\s+/g, " ").trim();
  return line.length <= MAX_SHOWN_LENGTH ? line : `${line.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…`;
}

const MAX_OUTPUT_LENGTH = 12_000;
const ANSWERED = ["answered", "finish_task", "no_progress"];

type ChildResult = Pick<Child, "id" | "status" | "success" | "output" | "error" | "executionTimeMs" | "iterations" | "unknownTools">;

function resultOf(state: AgentStateValue, spec: ChildSpec, effects: Pick<Effects, "elapsedMs">): ChildResult {
  const { byModel, report, termination, thinks, writes, startedAt, waitedMs, outcomes } = state;
  const called = outcomes.filter(({ failure }) => failure === "unknown_tool").map(({ name }) => name);
  const result = {
    id: spec.id,
    executionTimeMs: Math.max(0, effects.elapsedMs(startedAt) - waitedMs),
    iterations: thinks + writes,
    unknownTools: [...new Set([...findMissingTools(spec, state), ...called])],
  };
  const output = report === null ? "" : answerText(report, markOf(state.task)).slice(0, MAX_OUTPUT_LENGTH).toWellFormed();
  const answered = ANSWERED.includes(termination?.reason ?? "") && byModel && output.trim() !== "";
  if (answered) return { ...result, status: "completed", success: true, output, error: null };
  // A report without claims is no finding.
  const found = report !== null && report.claims.length > 0 ? output : null;
  return { ...result, status: "failed", success: false, output: found, error: errorOf(state, spec) };
}

/** Returns the marks of a report without its numbers, which only the child's own report explains. */
function markOf(task: Task): (claim: Claim) => string {
  const unverified = isChinese(task) ? "（未核实）" : " (not verified)";
  return ({ support }) => (support === "unverified" ? unverified : "");
}

function failedResult({ code, message }: DossierError, spec: ChildSpec, task: Task, executionTimeMs: number): ChildResult {
  const unknownTools = findMissingTools(spec, { task, offered: null });
  const result = { id: spec.id, executionTimeMs, iterations: 0, unknownTools };
  return { ...result, status: "failed", success: false, output: null, error: { code, message } };
}

/** Returns the child's tools that this run lacks. Tools of MCP servers can be missing only after the servers were listed. */
function findMissingTools({ tools = [] }: ChildSpec, { task: { part: _, ...task }, offered }: ToolScope): string[] {
  const available = offeredTools({ task, offered });
  const listed = offered !== null || !task.tools.some(isServerId);
  return tools.filter((name) => !available.includes(name) && (listed || !name.includes("__")));
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
