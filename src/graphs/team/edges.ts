import { Send } from "@langchain/langgraph";
import type { ChildTurn, TeamStateValue } from "./state.ts";

/** To those whose turn it is, each with what it has to know; to the supervisor when all turns are over. */
export function toChildren(state: TeamStateValue): Send[] | "supervise" {
  const { task, startedAt, children, work, hits, readings, current, share } = state;
  if (current.length === 0 || share === null) return "supervise";
  return current.map((id) => new Send("child", { task, startedAt, children, work, hits, readings, id, share } satisfies ChildTurn));
}
