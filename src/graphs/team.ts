import { type BaseCheckpointSaver, END, Send, START, StateGraph } from "@langchain/langgraph";
import { type ChildDeps, createChildNode } from "../nodes/team/child.ts";
import { RosterRegistry } from "../nodes/team/roster.ts";
import { createStageNode } from "../nodes/team/stage.ts";
import { type ChildTurn, TeamState, type TeamStateValue, type TeamUpdate } from "../nodes/team/state.ts";
import { createSuperviseNode } from "../nodes/team/supervise.ts";
import { type AgentDeps, buildAgentGraph } from "./agent.ts";
import { bindNode } from "./bind.ts";
import { bindNestedRun } from "./nested-run.ts";
import { type Compiling, defineGraph, type GraphDefinition } from "./registry.ts";

type TeamDeps = AgentDeps & Pick<ChildDeps, "recall">;

function buildTeamGraph(deps: TeamDeps, checkpointer: BaseCheckpointSaver) {
  const rosters = new RosterRegistry();
  const agent = buildAgentGraph(deps);
  const work = createChildNode({ ...deps, rosters });
  const child = bindNestedRun<ChildTurn, TeamUpdate>(
    (turn, effects, runNested) => work(turn, effects, (input, shared, stop) => runNested(agent, input, shared, stop)),
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

function toChildren(state: TeamStateValue): Send[] | "supervise" {
  const { task, startedAt, children, work, hits, readings, current, share } = state;
  if (current.length === 0 || share === null) return "supervise";
  return current.map((id) => new Send("child", { task, startedAt, children, work, hits, readings, id, share } satisfies ChildTurn));
}

const DESCRIPTION = {
  name: "team",
  description:
    "Several agents with prompts and tools of their own work on one question, and a supervisor writes the answer from their results.",
  needsModel: true,
  roles: ["agent", "child", "supervisor"],
  /** Enough for eight children in sequence: 8 steps for them, 9 for the node stage and 1 for supervise. */
  minSteps: 18,
};

export function defineTeam(deps: TeamDeps, { checkpointer, fingerprintOf }: Compiling): Promise<GraphDefinition> {
  return defineGraph(DESCRIPTION, buildTeamGraph(deps, checkpointer), fingerprintOf);
}
