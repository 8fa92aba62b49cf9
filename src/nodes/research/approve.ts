import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { type Plan, type PlannedTodo, PlannedTodoSchema, PlanSchema } from "../../domain/plan.ts";
import type { GraphNode } from "../../domain/ports/effects.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { newTodo } from "./plan.ts";
import type { ResearchStateValue, ResearchUpdate } from "./state.ts";
import { textsFor } from "./texts.ts";
import { emitTodos } from "./todos.ts";

/** The user's answer as the run service checked it. */
const DecisionSchema = z.union([
  z.object({ approve: z.literal(true), plan: PlanSchema.optional() }),
  z.object({ approve: z.literal(false), reason: z.string().default("") }),
]);

export function createApproveNode(): GraphNode<ResearchStateValue, ResearchUpdate> {
  return async ({ task, todos, planRound, rejection, reasonUnused }, effects) => {
    const plan: Plan = { todos: todos.map(plannedOf) };
    const words = textsFor(task);
    // A rejection that no planner saw.
    const notice = rejection !== null ? words.plannerUsedUp : reasonUnused ? words.reasonUnused : "";
    const prompt = `${notice}${words.approve(todos.length)}`;
    const answer: unknown = interrupt({ kind: "plan", prompt, path: "", plan, call: null });
    const decision = DecisionSchema.parse(answer);
    if (!decision.approve) return { steps: 1, rejections: 1, rejection: decision.reason };
    if (decision.plan === undefined) return { steps: 1, approved: true, rejection: null };
    // The order of an edited plan is its priority.
    const edited = decision.plan.todos.map((todo, at) => newTodo({ ...todo, priority: at + 1 }, planRound));
    emitTodos(edited, effects);
    return { steps: 1, approved: true, rejection: null, todos: { plan: edited } };
  };
}

function plannedOf(todo: PlannedTodo): PlannedTodo {
  return PlannedTodoSchema.parse(todo);
}

const MAX_ANSWER_LENGTH = 8_000;

export function createClarifyNode(): GraphNode<ResearchStateValue, ResearchUpdate> {
  return async ({ question, task }) => {
    const shown = stripUnknownAddresses(question ?? "", [task.question]);
    const answer: unknown = interrupt({ kind: "question", prompt: shown, path: "", plan: null, call: null });
    const text = (typeof answer === "string" ? answer : JSON.stringify(answer)).slice(0, MAX_ANSWER_LENGTH).toWellFormed();
    return { steps: 1, question: null, asked: [{ question: question ?? "", answer: text }] };
  };
}
