import { isGraphInterrupt, type LangGraphRunnableConfig } from "@langchain/langgraph";
import type { Effects } from "../domain/ports/effects.ts";
import type { RunContext } from "../domain/ports/run-context.ts";
import { NOTHING_SPENT } from "../domain/spent.ts";
import { placeOf, runOf } from "./bind-node.ts";
import { type Share, withinShare } from "./budget-share.ts";
import { untilStopped } from "./until-stopped.ts";

/** A graph compiled without a checkpointer of its own, so that it takes that of the graph it is a part of. */
export interface PartGraph<Input, State> {
  invoke(input: Input, config: LangGraphRunnableConfig): Promise<State>;
}

/**
 * Runs a graph as a part of the task that calls it, at most one for each call of the node, and gives its last state. Without a `share` it
 * spends what its caller may. When `stop` is aborted it throws the signal's reason, once nothing of the part is under way any more.
 */
export type RunPart = <Input, State>(
  graph: PartGraph<Input, State>,
  input: Input,
  share: Share | null,
  stop?: AbortSignal,
) => Promise<State>;

/** A node one of whose steps is a graph. */
export type PartNode<State, Update> = (state: State, effects: Effects, runPart: RunPart) => Promise<Update>;

/**
 * Like `bindNode`, for a node that runs a graph as a part of the run. LangGraph resumes that graph where it waited; the node itself
 * begins again then. @param nameOf the part's name in the path of its events
 */
export function bindPart<State, Update>(
  node: PartNode<State, Update>,
  nameOf: (state: State) => string,
): (state: State, config: LangGraphRunnableConfig) => Promise<Update> {
  return async (state, config) => {
    const run = runOf(config);
    const name = nameOf(state);
    try {
      return await run.task({ ...placeOf(config), part: name }, (effects) => node(state, effects, partRunner(run, effects, config)));
    } catch (error) {
      if (isGraphInterrupt(error)) for (const interrupt of error.interrupts) interrupt.value = askedBy(name, interrupt.value);
      throw error;
    }
  };
}

/** Runs a graph as a part of the task whose effects these are. */
function partRunner(run: RunContext, effects: Effects, config: LangGraphRunnableConfig): RunPart {
  return async (graph, input, share, stop) => {
    const shared = share === null ? run : withinShare(run, share, effects.spentEarlier() ?? NOTHING_SPENT);
    if (stop === undefined) return graph.invoke(input, { ...config, context: { run: shared } });
    const part = untilStopped(shared, stop);
    try {
      return await graph.invoke(input, { ...config, context: { run: part.run } });
    } catch (error) {
      if (!stop.aborted) throw error;
      await part.settled();
      throw stop.reason;
    }
  };
}

/** What the user is asked, with the part that asks at the beginning of its path. */
function askedBy(name: string, asked: unknown): unknown {
  if (typeof asked !== "object" || asked === null) return asked;
  const path = "path" in asked && typeof asked.path === "string" ? asked.path : "";
  if (path === name || path.startsWith(`${name}/`)) return asked;
  return { ...asked, path: path === "" ? name : `${name}/${path}` };
}
