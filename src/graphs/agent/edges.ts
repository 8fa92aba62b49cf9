import type { Decide } from "../../nodes/agent/decide/decide-state.ts";
import type { AgentStateValue } from "./state.ts";

export type AgentNodeName = "think" | "act" | "ask" | "confirm" | "compress" | "write" | "conclude";

/** Where the decision leads; the decision is a pure function of the state. */
export function toNext(decide: Decide): (state: AgentStateValue) => AgentNodeName {
  return (state) => decide(state).type;
}
