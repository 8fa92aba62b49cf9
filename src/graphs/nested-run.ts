import { isGraphInterrupt, type LangGraphRunnableConfig } from "@langchain/langgraph";
import { addSpent, NOTHING_SPENT } from "../domain/budget.ts";
import type { Effects, RunContext } from "../domain/ports/effects.ts";
import { unlessAborted } from "../util/abort.ts";
import { type BoundNode, runOf, taskPlaceOf } from "./bind.ts";

/** Compile the graph without a checkpointer. It uses the checkpointer of the outer graph. */
export interface NestedGraph<Input, State> {
  invoke(input: Input, config: LangGraphRunnableConfig): Promise<State>;
}

/** What nested runs share: the budget that this one may use. */
export type Shared = Required<Pick<Effects, "budget">>;

/** Call this at most once in a node. After `stop` aborts, the call waits for running effects and then throws `stop.reason`. */
export type RunNested = <Input, State>(
  graph: NestedGraph<Input, State>,
  input: Input,
  shared?: Shared,
  stop?: AbortSignal,
) => Promise<State>;

export type NestedRunNode<State, Update> = (state: State, effects: Effects, runNested: RunNested) => Promise<Update>;

/** `nameOf` names the nested run in events. After a wait for the user, the node runs again from its start. */
export function bindNestedRun<State, Update>(
  node: NestedRunNode<State, Update>,
  nameOf: (state: State) => string,
): BoundNode<State, Update> {
  return async (state, config) => {
    const run = runOf(config);
    const name = nameOf(state);
    try {
      return await run.task({ ...taskPlaceOf(config), nestedRun: name }, (effects) => node(state, effects, nestedRunner(run, config)));
    } catch (error) {
      if (isGraphInterrupt(error)) for (const interrupt of error.interrupts) interrupt.value = withPath(name, interrupt.value);
      throw error;
    }
  };
}

function nestedRunner(run: RunContext, config: LangGraphRunnableConfig): RunNested {
  return async (graph, input, shared, stop) => {
    const open = new Set<Promise<unknown>>();
    const metered = shared === undefined ? run : limitEffects(run, (effects) => withShared(effects, shared));
    const nested = stop === undefined ? metered : limitEffects(metered, (effects) => untilStopped(effects, stop, open), stop);
    try {
      return await graph.invoke(input, { ...config, context: { run: nested } });
    } catch (error) {
      if (!stop?.aborted) throw error;
      await Promise.allSettled(open);
      throw stop.reason;
    }
  };
}

function withPath(name: string, question: unknown): unknown {
  if (typeof question !== "object" || question === null) return question;
  const path = "path" in question && typeof question.path === "string" ? question.path : "";
  if (path === name || path.startsWith(`${name}/`)) return question;
  return { ...question, path: path === "" ? name : `${name}/${path}` };
}

function limitEffects(run: RunContext, limit: (effects: Effects) => Effects, stop?: AbortSignal): RunContext {
  return {
    async task(place, body) {
      stop?.throwIfAborted();
      return run.task(place, (effects) => body(limit(effects)));
    },
  };
}

function withShared(effects: Effects, shared: Shared): Effects {
  const { budget } = shared;
  const metered = async <T>(kind: string, perform: () => Promise<T>): Promise<T> => {
    if (kind !== "model") return perform();
    budget.spend({ ...NOTHING_SPENT, modelCalls: 1 });
    const result = await perform();
    budget.spend({ ...addSpent(NOTHING_SPENT, { kind, ok: true, result: result as never }), modelCalls: 0 });
    return result;
  };
  return {
    ...effects,
    ...shared,
    perform: (effect) => metered(effect.kind, () => effects.perform(effect)),
    stream: (effect) => metered(effect.kind, () => effects.stream(effect)),
  };
}

/** After `stop`, no effect starts, and running effects fail with the reason of `stop`. */
function untilStopped(effects: Effects, stop: AbortSignal, open: Set<Promise<unknown>>): Effects {
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
  const stopped = <T, Rest extends unknown[]>(live: (signal: AbortSignal, ...rest: Rest) => Promise<T>) => {
    return (signal: AbortSignal, ...rest: Rest): Promise<T> => unlessAborted(live(AbortSignal.any([signal, stop]), ...rest), stop);
  };
  return {
    ...effects,
    signal: AbortSignal.any([effects.signal, stop]),
    perform: (effect) => tracked(() => effects.perform({ ...effect, live: stopped(effect.live) })),
    stream: (effect) => tracked(() => effects.stream({ ...effect, live: stopped(effect.live) })),
    compute: (computation, ...input) => tracked(() => unlessAborted(effects.compute(computation, ...input), stop)),
    emit(event) {
      stop.throwIfAborted();
      effects.emit(event);
    },
  };
}
