import type { SourceState } from "../domain/ports/operations.ts";
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
