import { type BaseCheckpointSaver, END, Send, START, StateGraph } from "@langchain/langgraph";
import { MAX_PLAN_CALLS } from "../../domain/plan.ts";
import type { ResearchAnalyst } from "../../domain/ports/analyst.ts";
import { countDownloads } from "../../gathering/limits.ts";
import { approveNode, clarifyNode } from "../../nodes/research/approve.ts";
import { createAssessNode } from "../../nodes/research/assess.ts";
import { createPlanNode, type PlanDeps } from "../../nodes/research/plan.ts";
import { type BranchState, ResearchState, type ResearchStateValue, TodoState, type TodoStateValue } from "../../nodes/research/state.ts";
import { createResearchSummarizeNode, type ResearchSummarizeDeps } from "../../nodes/research/summarize.ts";
import { collectNode } from "../../nodes/research/todos.ts";
import { createVerifyNode, type VerifyDeps } from "../../nodes/research/verify.ts";
import { type AgentDeps, buildAgentGraph } from "../agent.ts";
import { bindNode } from "../bind.ts";
import { buildExecutorGraph, type ExecutorDeps } from "../executor.ts";
import { bindNestedRun, type NestedGraph } from "../nested-run.ts";
import { type Compiling, defineGraph, type GraphDefinition } from "../registry.ts";
import { createTodoBranch } from "./todo-branch.ts";
import { createWorkNode, type Workers } from "./work-todo.ts";

interface TodoDeps {
  readonly executor: ExecutorDeps;
  readonly agent: AgentDeps;
  readonly research: ResearchAnalyst;
}

export interface ResearchDeps extends PlanDeps, VerifyDeps, ResearchSummarizeDeps, TodoDeps {}

const ROLES = ["planner", "executor", "verifier", "summary", "outline", "section", "support", "decision", "reader", "writer", "agent"];

const DESCRIPTION = {
  name: "research",
  description:
    "Plans todos, executes them side by side, verifies what they found, plans again what failed, and sums up with one list of quotes. Without a model the question is one todo, and the report is what was quoted for it.",
  needsModel: false,
  plans: true,
  /** Enough for one plan with its approval and for one todo. */
  minSteps: 9,
};

export function defineResearch(deps: ResearchDeps, { checkpointer, fingerprintOf }: Compiling): Promise<GraphDefinition> {
  const roles = [...new Set([...ROLES, ...deps.judges])];
  return defineGraph({ ...DESCRIPTION, roles }, buildResearchGraph(deps, checkpointer), fingerprintOf);
}

/** docs/research.md has a picture of this graph. */
function buildResearchGraph(deps: ResearchDeps, checkpointer: BaseCheckpointSaver) {
  const todoGraph = buildTodoGraph(deps);
  return new StateGraph(ResearchState)
    .addNode("plan", bindNode(createPlanNode(deps)))
    .addNode("clarify", bindNode(clarifyNode))
    .addNode("approve", bindNode(approveNode))
    .addNode("todo", createTodoBranch({ todoGraph }) as never, { subgraphs: [todoGraph as never] })
    .addNode("collect", bindNode(collectNode))
    .addNode("verify", bindNode(createVerifyNode(deps)))
    .addNode("summarize", bindNode(createResearchSummarizeNode(deps)))
    .addEdge(START, "plan")
    .addConditionalEdges("plan", afterPlan, ["plan", "clarify", "approve", "todo", "summarize"])
    .addEdge("clarify", "plan")
    .addConditionalEdges("approve", afterApproval, ["plan", "approve", "todo", "summarize"])
    .addEdge("todo", "collect")
    .addConditionalEdges("collect", afterTodos, ["todo", "verify"])
    .addConditionalEdges("verify", afterVerification, ["plan", "summarize"])
    .addEdge("summarize", END)
    .compile({ checkpointer, name: "research" });
}

function buildTodoGraph(deps: TodoDeps): NestedGraph<Partial<TodoStateValue>, TodoStateValue> {
  const executor = buildExecutorGraph(deps.executor);
  const agent = buildAgentGraph(deps.agent);
  const work = createWorkNode({ executor, agent } as unknown as Workers);
  return new StateGraph(TodoState)
    .addNode(
      "work",
      bindNestedRun(work, ({ round }) => `round:${round + 1}`),
      { subgraphs: [executor, agent] },
    )
    .addNode("assess", bindNode(createAssessNode(deps)))
    .addConditionalEdges(START, ({ findings }: TodoStateValue) => (findings.claims.length > 0 ? "assess" : "work"), ["work", "assess"])
    .addEdge("work", "assess")
    .addConditionalEdges("assess", ({ ending }: TodoStateValue) => (ending === null ? "work" : END), ["work", END])
    .compile({ name: "todo" }) as unknown as NestedGraph<Partial<TodoStateValue>, TodoStateValue>;
}

const MAX_REJECTIONS = 3;
/** The nodes plan, todo, collect, verify and summarize take one step each. */
const STEPS_OF_A_PLAN = 5;
const CLARIFYING = 1;

type AfterPlan = "plan" | "clarify" | "approve" | "summarize" | Send[];

function afterPlan(state: ResearchStateValue): AfterPlan {
  if (mayPlan(state, STEPS_OF_A_PLAN + CLARIFYING)) {
    if (state.question !== null) return "clarify";
    if (state.needsMorePlanning) return "plan";
  }
  if (state.task.planApproval === true && !state.approved) return "approve";
  return branches(state);
}

/** A rejected plan goes back to the planner. If no planning call is left, the user is asked to edit the plan. */
function afterApproval(state: ResearchStateValue): AfterPlan {
  if (state.approved) return branches(state);
  const wouldRepeatPlan = state.reasonUnused && state.task.models === null;
  if (wouldRepeatPlan || state.rejections >= MAX_REJECTIONS || stepsLeft(state) < STEPS_OF_A_PLAN) return "summarize";
  return state.planCalls < MAX_PLAN_CALLS && state.spent === null ? "plan" : "approve";
}

function afterTodos(state: ResearchStateValue): "verify" | Send[] {
  const sent = branches(state);
  return sent === "summarize" ? "verify" : sent;
}

function afterVerification(state: ResearchStateValue): "plan" | "summarize" {
  const accepted = state.feedback === null && state.todos.every(({ status }) => status !== "failed");
  return !accepted && !state.gaveUp && mayPlan(state, STEPS_OF_A_PLAN) ? "plan" : "summarize";
}

function mayPlan(state: ResearchStateValue, steps: number): boolean {
  return state.planCalls < MAX_PLAN_CALLS && stepsLeft(state) >= steps && state.spent === null;
}

function stepsLeft({ task, steps }: ResearchStateValue): number {
  return task.limits.steps - steps;
}

function branches({ task, offered, startedAt, todos, work, ledger }: ResearchStateValue): Send[] | "summarize" {
  const downloads = countDownloads([...ledger, ...work.flatMap((one) => one.ledger)]);
  const pending = todos.filter(({ status }) => status === "pending");
  const given = { task, offered, startedAt, todos, work, downloads };
  return pending.length === 0 ? "summarize" : pending.map(({ id }) => new Send("todo", { ...given, id } satisfies BranchState));
}
