import type { SourceState } from "../domain/ports/run-service.ts";
import type { SearchSource } from "../domain/ports/sources.ts";
import type { Tool } from "../domain/ports/tools.ts";
import { DossierError, toDossierError } from "../errors.ts";

export interface SourceHealth {
  /** Records whether `work` succeeded. Aborted work is recorded only if a time limit aborted it. */
  track<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  latest(): SourceState["lastTry"];
}

const REACHABLE = new Set(["not_found", "empty", "invalid_arguments"]);

export function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof DossierError ? reason.code === "timeout" : reason instanceof Error && reason.name === "TimeoutError";
}

/** @param successes error codes that count as success */
export function trackHealth(clock: () => number, successes: readonly string[] = []): SourceHealth {
  let latest: SourceState["lastTry"] = null;
  const remember = (code: string | null): void => {
    const failure = code !== null && successes.includes(code) ? null : code;
    latest = { at: new Date(clock()).toISOString(), reachable: failure === null || REACHABLE.has(failure), failure };
  };
  return {
    async track(work, signal) {
      try {
        const result = await work();
        remember(null);
        return result;
      } catch (error) {
        const code = signal.aborted ? "timeout" : toDossierError(error).code;
        // `out_of_scope`: no request was sent.
        if ((!signal.aborted || isTimeUp(signal)) && code !== "out_of_scope") remember(code);
        throw error;
      }
    },
    latest: () => latest,
  };
}

export interface Observed {
  state(): SourceState;
}

function observe(named: Pick<SourceState, "id" | "kind" | "title">, clock: () => number): Pick<SourceHealth, "track"> & Observed {
  const { track, latest } = trackHealth(clock);
  return { track, state: () => ({ ...named, configured: true, needsKey: false, lastTry: latest() }) };
}

/** The caller of a search has it tracked. */
export function observeSource(source: SearchSource, clock: () => number): SearchSource & Observed {
  const { id, kind, title } = source;
  return { ...source, ...observe({ id, kind, title }, clock) };
}

export function observeTool(tool: Tool, clock: () => number): Tool & Observed {
  const { track, state } = observe({ id: tool.name, kind: "tool", title: tool.description }, clock);
  return { ...tool, state, call: (args, context) => track(() => tool.call(args, context), context.signal) };
}
