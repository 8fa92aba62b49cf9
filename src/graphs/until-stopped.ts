import type { Effects } from "../domain/ports/effects.ts";
import type { RunContext } from "../domain/ports/run-context.ts";
import { unlessAborted } from "../util/abort.ts";

/** A part of a run that can be stopped while the rest goes on. */
export interface StoppablePart {
  readonly run: RunContext;
  /** Resolves when nothing of what the part has begun is still under way. */
  settled(): Promise<void>;
}

/**
 * The run as a part of it sees it until `stop` is aborted. What is under way then fails with the signal's reason, as a result that is
 * recorded like any other, so that a replay comes out the same; nothing new is begun or said.
 */
export function untilStopped(run: RunContext, stop: AbortSignal): StoppablePart {
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
