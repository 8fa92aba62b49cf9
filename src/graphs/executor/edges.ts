import { callsToConfirm } from "../../nodes/confirm/node.ts";
import type { ToolDeps } from "../../nodes/tool-servers/with-offered.ts";
import type { ExecutorStateValue } from "./state.ts";

/**
 * Into another round of optional tools while the loop has not ended, by way of the user where a call has to be agreed to; from `search`
 * on there is no way back.
 */
export function toAfterDecision(deps: ToolDeps): (state: ExecutorStateValue) => "confirm" | "optional_tool" | "search" {
  return (state) => {
    if (state.loopEnding !== null) return "search";
    return callsToConfirm(state, deps).length > 0 ? "confirm" : "optional_tool";
  };
}
