import { type BaseCheckpointSaver, END, Send, START, StateGraph } from "@langchain/langgraph";
import { MAX_PLAN_CALLS } from "../../domain/plan.ts";
import type { ResearchAnalyst } from "../../domain/ports/research-analyst.ts";
import { createApproveNode, createClarifyNode } from "../../nodes/research/approve.ts";
import { createAssessNode } from "../../nodes/research/assess.ts";
import { createPlanNode, type PlanDeps } from "../../nodes/research/plan.ts";
import { type BranchState, ResearchState, type ResearchStateValue, TodoState, type TodoStateValue } from "../../nodes/research/state.ts";
import { createSummariseNode, type SummariseDeps } from "../../nodes/research/summarize.ts";
import { createCollectNode } from "../../nodes/research/todos.ts";
import { createVerifyNode, type VerifyDeps } from "../../nodes/research/verify.ts";
import { downloadsIn } from "../../nodes/shared/limits.ts";
import { type AgentDeps, buildAgentGraph } from "../agent.ts";
import { bindNode, bindPart, type PartGraph } from "../bind.ts";
import { buildExecutorGraph, type ExecutorDeps } from "../executor.ts";
import { type Compiling, defineGraph, type GraphDefinition } from "../registry.ts";
import { createTodoBranch } from "./todo-branch.ts";
import { createWorkNode, type Workers } from "./work-todo.ts";

export interface ResearchDeps extends PlanDeps, VerifyDeps, SummariseDeps, TodoDeps {
  /** Roles that a model plays in it, those that judge for instance. */
  readonly roles?: readonly string[];
}

/**
 * plan -(a question)-> clarify -> plan
 *      -(to be approved)-> approve -(rejected)-> plan, or approve where the planner was asked often enough
 *      -> todo (all at once, each when what it needs has ended) -> collect -> verify -(not accepted)-> plan
 *                                                                                   -> summarise
 */
function buildResearchGraph(deps: ResearchDeps, checkpointer: BaseCheckpointSaver) {
  const todoGraph = buildTodoGraph(deps);
  return new StateGraph(ResearchState)
    .addNode("plan", bindNode(createPlanNode(deps)))
    .addNode("clarify", bindNode(createClarifyNode()))
    .addNode("approve", bindNode(createApproveNode()))
    .addNode("todo", createTodoBranch({ ...deps, todoGraph, checkpointer }) as never, { subgraphs: [todoGraph as never] })
    .addNode("collect", bindNode(createCollectNode()))
    .addNode("verify", bindNode(createVerifyNode(deps)))
    .addNode("summarise", bindNode(createSummariseNode(deps)))
    .addEdge(START, "plan")
    .addConditionalEdges("plan", afterPlan, ["plan", "clarify", "approve", "todo", "summarise"])
    .addEdge("clarify", "plan")
    .addConditionalEdges("approve", afterApproval, ["plan", "approve", "todo", "summarise"])
    .addEdge("todo", "collect")
    .addConditionalEdges("collect", afterTodos, ["todo", "verify"])
    .addConditionalEdges("verify", afterVerification, ["plan", "summarise"])
    .addEdge("summarise", END)
    .compile({ checkpointer, name: "research" });
}

interface TodoDeps {
  readonly executor: ExecutorDeps;
  readonly agent: AgentDeps;
  readonly research: ResearchAnalyst;
}

/**
 * work -> assess -(another round)-> work
 *
 * A part of the research graph; each round of work is the executor or the agent as a part of it.
 */
function buildTodoGraph(deps: TodoDeps): PartGraph<Partial<TodoStateValue>, TodoStateValue> {
  const executor = buildExecutorGraph(deps.executor);
  const agent = buildAgentGraph(deps.agent);
  const work = createWorkNode({ executor, agent } as unknown as Workers);
  return new StateGraph(TodoState)
    .addNode(
      "work",
      bindPart(work, ({ round }) => `round:${round + 1}`),
      { subgraphs: [executor, agent] },
    )
    .addNode("assess", bindNode(createAssessNode(deps)))
    .addEdge(START, "work")
    .addEdge("work", "assess")
    .addConditionalEdges("assess", afterAssessment, ["work", END])
    .compile({ name: "todo" }) as unknown as PartGraph<Partial<TodoStateValue>, TodoStateValue>;
}

/** The last plan that a user rejects ends the run. */
const MAX_REJECTIONS = 3;
/** The steps that a plan needs to its end: planning, todos, collecting, verifying, summing up. */
const STEPS_OF_A_PLAN = 5;
/** The step in which the user answers the planner. */
const CLARIFYING = 1;

type AfterPlan = "plan" | "clarify" | "approve" | "summarise" | Send[];

/** To the user, to the planner again, or to the todos; where nothing is left to be done, to the report. */
function afterPlan(state: ResearchStateValue): AfterPlan {
  if (mayPlan(state, STEPS_OF_A_PLAN + CLARIFYING)) {
    if (state.question !== null) return "clarify";
    if (state.needsMorePlanning) return "plan";
  }
  if (state.task.planApproval === true && !state.approved) return "approve";
  return branches(state);
}

/** A rejection goes to the planner; where that may not be asked any more, the user is asked for a plan of their own. */
function afterApproval(state: ResearchStateValue): AfterPlan {
  if (state.approved) return branches(state);
  // Rules would make the very same plan again.
  const nothingElse = state.reasonUnused && state.task.models === null;
  if (nothingElse || state.rejections >= MAX_REJECTIONS || stepsLeft(state) < STEPS_OF_A_PLAN) return "summarise";
  return state.planCalls < MAX_PLAN_CALLS && state.spent === null ? "plan" : "approve";
}

/** Todos that were postponed are sent again; what has ended is judged. */
function afterTodos(state: ResearchStateValue): "verify" | Send[] {
  const sent = branches(state);
  return sent === "summarise" ? "verify" : sent;
}

/** What was not accepted is planned again, as often as that may be. */
function afterVerification(state: ResearchStateValue): "plan" | "summarise" {
  return !isAccepted(state) && state.spent === null && mayPlan(state, STEPS_OF_A_PLAN) ? "plan" : "summarise";
}

function afterAssessment({ ending }: TodoStateValue): "work" | typeof END {
  return ending === null ? "work" : END;
}

/** Whether nothing failed and the judges are content. */
function isAccepted({ todos, feedback }: ResearchStateValue): boolean {
  return feedback === null && todos.every(({ status }) => status !== "failed");
}

function mayPlan(state: ResearchStateValue, steps: number): boolean {
  return state.planCalls < MAX_PLAN_CALLS && stepsLeft(state) >= steps && state.spent === null;
}

function stepsLeft({ task, steps }: ResearchStateValue): number {
  return task.limits.steps - steps;
}

/** All pending todos at once: among themselves they see to who begins when. */
function branches({ task, offered, startedAt, todos, work, ledger }: ResearchStateValue): Send[] | "summarise" {
  const downloads = downloadsIn([...ledger, ...work.flatMap((one) => one.ledger)]);
  const pending = todos.filter(({ status }) => status === "pending");
  const given = { task, offered, startedAt, todos, work, downloads };
  return pending.length === 0 ? "summarise" : pending.map(({ id }) => new Send("todo", { ...given, id } satisfies BranchState));
}

/** Its own, and those of the graphs that work on its todos. */
const ROLES_PLAYED = ["planner", "executor", "verifier", "summary", "decision", "writer", "agent"];

const ABOUT = {
  name: "research",
  description:
    "Plans todos, executes them side by side, verifies what they found, plans again what failed, and sums up with one list of quotes. Without a model the question is one todo, and the report is what was quoted for it.",
  needsModel: false,
  plans: true,
  /** The steps of one plan with its approval, and those that a todo's own graphs need. */
  minSteps: 9,
};

/** The planner, its executors and its verifier, ready for the engine. */
export function defineResearch(deps: ResearchDeps, { checkpointer, fingerprintOf }: Compiling): Promise<GraphDefinition> {
  const roles = [...new Set([...ROLES_PLAYED, ...(deps.roles ?? [])])];
  return defineGraph({ ...ABOUT, roles }, buildResearchGraph(deps, checkpointer), fingerprintOf);
}
