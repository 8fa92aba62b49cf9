import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { type Plan, PlannedTodoSchema, PlanSchema } from "../../domain/plan.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import { askQuestion } from "../shared/ask-user.ts";
import type { ResearchStateValue, ResearchUpdate } from "./state.ts";
import { emitTodos, newTodo } from "./todos.ts";
import { textsFor } from "./user-messages.ts";

const DecisionSchema = z.union([
  z.object({ approve: z.literal(true), plan: PlanSchema.optional() }),
  z.object({ approve: z.literal(false), reason: z.string().default("") }),
]);

export async function approveNode(state: ResearchStateValue, effects: Effects): Promise<ResearchUpdate> {
  const { task, todos, planRound, rejection, reasonUnused } = state;
  const plan: Plan = { todos: todos.map((todo) => PlannedTodoSchema.parse(todo)) };
  const words = textsFor(task);
  const notice = rejection !== null ? words.plannerUsedUp : reasonUnused ? words.rejectionNotRead : "";
  const prompt = `${notice}${words.approve(todos.length)}`;
  const answer: unknown = interrupt({ kind: "plan", prompt, path: "", plan, call: null });
  const decision = DecisionSchema.parse(answer);
  if (!decision.approve) return { steps: 1, rejections: 1, rejection: decision.reason };
  if (decision.plan === undefined) return { steps: 1, approved: true, rejection: null };
  // The order of an edited plan sets the priorities.
  const edited = decision.plan.todos.map((todo, at) => newTodo({ ...todo, priority: at + 1 }, planRound));
  emitTodos(edited, effects);
  return { steps: 1, approved: true, rejection: null, todos: { plan: edited } };
}

export async function clarifyNode({ question, task }: ResearchStateValue): Promise<ResearchUpdate> {
  const asked = { question: question ?? "", answer: askQuestion(question ?? "", [task.question]) };
  return { steps: 1, question: null, asked: [asked] };
}
