import { isGraphInterrupt, type LangGraphRunnableConfig } from "@langchain/langgraph";
import type { Effects, GraphNode, RunContext, TaskPlace } from "../domain/ports/effects.ts";
import { NOTHING_SPENT } from "../domain/spent.ts";
import { DossierError } from "../errors.ts";
import { unlessAborted } from "../util/abort.ts";
import { type Share, withinShare } from "./budget-share.ts";

/** Makes a node what LangGraph calls: its effects come from the run that LangGraph's `context` carries. */
export function bindNode<State, Update>(
  node: GraphNode<State, Update>,
): (state: State, config: LangGraphRunnableConfig) => Promise<Update> {
  return (state, config) => runOf(config).task(placeOf(config), (effects) => node(state, effects));
}

/** The run whose task LangGraph is about to call. @throws DossierError `internal` outside a run */
export function runOf(config: LangGraphRunnableConfig): RunContext {
  const context = config.context as { run?: RunContext } | undefined;
  if (context?.run !== undefined) return context.run;
  throw new DossierError("internal", "A graph of Dossier runs only inside a run, which LangGraph's context must carry.");
}

/** Where LangGraph calls a task. */
export function placeOf(config: LangGraphRunnableConfig): TaskPlace {
  const metadata = config.metadata as { langgraph_node: string; langgraph_step: number; langgraph_path: (string | number)[] };
  return {
    node: metadata.langgraph_node,
    step: metadata.langgraph_step,
    path: metadata.langgraph_path,
    attempt: config.executionInfo?.nodeAttempt ?? 1,
  };
}

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

/** A part of a run that can be stopped while the rest goes on. */
interface StoppablePart {
  readonly run: RunContext;
  /** Resolves when nothing of what the part has begun is still under way. */
  settled(): Promise<void>;
}

/**
 * The run as a part of it sees it until `stop` is aborted. What is under way then fails with the signal's reason, as a result that is
 * recorded like any other, so that a replay comes out the same; nothing new is begun or said.
 */
function untilStopped(run: RunContext, stop: AbortSignal): StoppablePart {
  const open = new Set<Promise<unknown>>();
  const tracked = async <T>(perform: () => Promise<T>): Promise<T> => {
    stop.throwIfAborted();
    const work = perform();
    open.add(work);
    try {
      return await work;
    } finally {
      open.delete(work);
    }
  };
  const limited = <T>(live: (signal: AbortSignal) => Promise<T>) => {
    return (signal: AbortSignal): Promise<T> => unlessAborted(live(AbortSignal.any([signal, stop])), stop);
  };
  const within = (effects: Effects): Effects => ({
    ...effects,
    signal: AbortSignal.any([effects.signal, stop]),
    perform: (effect) => tracked(() => effects.perform({ ...effect, live: limited(effect.live) })),
    stream: (effect) =>
      tracked(() => effects.stream({ ...effect, live: (signal, push) => limited((one) => effect.live(one, push))(signal) })),
    emit(event) {
      stop.throwIfAborted();
      effects.emit(event);
    },
  });
  return {
    run: {
      async task(place, body) {
        stop.throwIfAborted();
        return run.task(place, (effects) => body(within(effects)));
      },
    },
    async settled() {
      await Promise.allSettled(open);
    },
  };
}
