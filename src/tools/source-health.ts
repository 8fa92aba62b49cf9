import type { SourceState } from "../domain/ports/run-service.ts";
import type { SearchSource } from "../domain/ports/sources.ts";
import type { Tool } from "../domain/ports/tools.ts";
import { DossierError, toDossierError } from "../errors.ts";

/** Remembers how it went when something was last tried. */
export interface LastTry {
  /** Does `work`. Whose time is up had no answer; to be stopped for another reason says nothing of the other side. */
  watch<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  state(): SourceState["lastTry"];
}

/** Failures that are answers: the other side was there, and would not or could not say. */
const ANSWERS = new Set(["not_found", "empty", "invalid_arguments"]);

/** Whether a signal was aborted because the time was over. */
export function isTimeUp({ reason }: AbortSignal): boolean {
  return reason instanceof DossierError ? reason.code === "timeout" : reason instanceof Error && reason.name === "TimeoutError";
}

export function rememberLastTry(clock: () => number): LastTry {
  let last: SourceState["lastTry"] = null;
  const remember = (failure: string | null): void => {
    last = { at: new Date(clock()).toISOString(), reachable: failure === null || ANSWERS.has(failure), failure };
  };
  return {
    async watch(work, signal) {
      try {
        const result = await work();
        remember(null);
        return result;
      } catch (error) {
        const code = signal.aborted ? "timeout" : toDossierError(error).code;
        // What lay outside the scope of a run was not tried.
        if ((!signal.aborted || isTimeUp(signal)) && code !== "out_of_scope") remember(code);
        throw error;
      }
    },
    state: () => last,
  };
}

export interface Observed {
  /** How it went when it was last tried. */
  state(): SourceState;
}

/** The same source, which remembers whether it answered last time. */
export function observeSource(source: SearchSource, clock: () => number): SearchSource & Observed {
  const { id, kind, title } = source;
  const lastTry = rememberLastTry(clock);
  return {
    id,
    kind,
    title,
    ...(source.gaps && { gaps: () => source.gaps?.() ?? null }),
    search: (query, context) => lastTry.watch(() => source.search(query, context), context.signal),
    state: () => ({ id, kind, title, configured: true, needsKey: false, lastTry: lastTry.state() }),
  };
}

/** The same tool, which remembers whether it answered last time. */
export function observeTool(tool: Tool, clock: () => number): Tool & Observed {
  const { name, description } = tool;
  const lastTry = rememberLastTry(clock);
  return {
    ...tool,
    call: (args, context) => lastTry.watch(() => tool.call(args, context), context.signal),
    state: () => ({ id: name, kind: "tool", title: description, configured: true, needsKey: false, lastTry: lastTry.state() }),
  };
}
