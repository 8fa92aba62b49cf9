import type { ExecutorStateValue } from "./state.ts";

/** Into another round of optional tools while the loop has not ended; from `search` on there is no way back. */
export function afterDecision(state: Pick<ExecutorStateValue, "loopEnding">): "optional_tool" | "search" {
  return state.loopEnding === null ? "optional_tool" : "search";
}
