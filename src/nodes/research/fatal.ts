import { isGraphBubbleUp } from "@langchain/langgraph";
import type { Effects } from "../../domain/ports/effects.ts";
import { DossierError } from "../../errors.ts";

/** Errors that say of the run, not of what one of its parts does, that it cannot go on. */
const OF_THE_RUN: readonly string[] = ["run_closed", "fenced", "cancelled", "replay_diverged", "storage_unavailable", "draining"];

/** Throws what is no failure of a part: a wait, a drain, the end of the run or of its ownership. @throws `error` itself */
export function passOn(error: unknown, effects: Pick<Effects, "signal">): void {
  if (isGraphBubbleUp(error)) throw error;
  effects.signal.throwIfAborted();
  if (error instanceof DossierError && OF_THE_RUN.includes(error.code)) throw error;
}
