import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { ToolCall } from "../../domain/tool.ts";
import { emitFound, knownAddresses } from "../../gathering/found.ts";
import { applyVerdicts, type CallResult, type PerformableCall, planCalls, unconfirmedCalls } from "../../gathering/plan-calls.ts";
import { recallCalls, threadView } from "../../gathering/thread.ts";
import type { ExecutorStateValue } from "../executor/state.ts";
import { hitsOf, makeCalls } from "./make-calls.ts";
import { type ToolDeps, toolboxWith } from "./tool-servers.ts";

type LoopState = Pick<ExecutorStateValue, "task" | "startedAt" | "round" | "offered" | "verdicts" | "outcomes" | "hits">;

export interface RequestedCalls {
  readonly calls: readonly ToolCall[];
  readonly names: readonly string[];
}

export interface RoundDeps extends ToolDeps {
  readonly documents: DocumentStore;
  readonly roundTimeoutMs: number;
}

/** Answers calls from earlier results where possible and makes the others in parallel. A failed tool does not fail the run. */
export async function makeRound<Result extends CallResult>(
  { calls, names }: RequestedCalls,
  state: LoopState,
  deps: RoundDeps,
  perform: (plan: PerformableCall) => Promise<Result>,
  effects: Effects,
) {
  const tools = toolboxWith(deps, state.offered);
  const agreed = applyVerdicts(planCalls(calls, names, tools, state.outcomes), state.verdicts);
  const planned = await recallCalls(agreed, threadView(state, { tools, offered: names }, effects), deps.documents, effects);
  const known = knownAddresses(state);
  const finished = await makeCalls(planned, { perform, effects, known });
  const hits = finished.flatMap(hitsOf);
  const totalResults = emitFound(state.hits, hits, effects);
  effects.emit({ type: "round-ended", round: state.round + 1, results: hits.length, totalResults });
  return { finished, hits, known, tools };
}

export function callsToConfirm({ calls, names }: RequestedCalls, state: LoopState, deps: ToolDeps): ToolCall[] {
  const { offered, outcomes, verdicts } = state;
  const tools = toolboxWith(deps, offered);
  if (!calls.some(({ name }) => tools.get(name)?.confirm)) return [];
  const planned = planCalls(calls, names, tools, outcomes);
  return unconfirmedCalls(planned, verdicts).map(({ call }) => call);
}
