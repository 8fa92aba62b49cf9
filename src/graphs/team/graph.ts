import { type BaseCheckpointSaver, END, Send, START, StateGraph } from "@langchain/langgraph";
import { type ChildDeps, createChildNode } from "../../nodes/team/child/node.ts";
import { noMereAction } from "../../nodes/team/child/policy.ts";
import { Rosters } from "../../nodes/team/roster.ts";
import { createStageNode } from "../../nodes/team/stage/node.ts";
import { type ChildTurn, TeamState, type TeamStateValue, type TeamUpdate } from "../../nodes/team/state.ts";
import { createSuperviseNode } from "../../nodes/team/supervise/node.ts";
import { type AgentDeps, buildAgentGraph } from "../agent/graph.ts";
import { bindNode } from "../bind-node.ts";
import { bindPart } from "../bind-part.ts";

export type TeamDeps = AgentDeps & Pick<ChildDeps, "recall">;

/**
 * stage -(those whose turn it is, at the same time)-> child -> stage
 *       -(all turns are over)-> supervise
 */
export function buildTeamGraph(deps: TeamDeps, checkpointer: BaseCheckpointSaver) {
  const rosters = new Rosters();
  const agent = buildAgentGraph({ ...deps, furtherPolicy: noMereAction });
  const work = createChildNode({ ...deps, rosters });
  const child = bindPart<ChildTurn, TeamUpdate>(
    (turn, effects, runPart) => work(turn, effects, (input, share, stop) => runPart(agent, input, share, stop)),
    ({ id }) => `child:${id}`,
  );
  return new StateGraph(TeamState)
    .addNode("stage", bindNode(createStageNode({ rosters })))
    .addNode("child", child, { subgraphs: [agent] })
    .addNode("supervise", bindNode(createSuperviseNode(deps)))
    .addEdge(START, "stage")
    .addConditionalEdges("stage", toChildren, ["child", "supervise"])
    .addEdge("child", "stage")
    .addEdge("supervise", END)
    .compile({ checkpointer, name: "team" });
}

/** To those whose turn it is, each with what it has to know; to the supervisor when all turns are over. */
function toChildren(state: TeamStateValue): Send[] | "supervise" {
  const { task, startedAt, children, work, hits, readings, current, share } = state;
  if (current.length === 0 || share === null) return "supervise";
  return current.map((id) => new Send("child", { task, startedAt, children, work, hits, readings, id, share } satisfies ChildTurn));
}
