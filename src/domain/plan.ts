import { z } from "zod";

export const TodoStatusSchema = z.enum(["pending", "executing", "completed", "failed", "skipped"]);
export type TodoStatus = z.infer<typeof TodoStatusSchema>;

export const MAX_TODOS = 20;
export const MAX_PLAN_CALLS = 3;
const Short = z.string().trim().max(1_000);

const MAX_DESCRIPTION = 2_000;

export const PlannedTodoSchema = z.object({
  id: z.string().trim().min(1).max(40),
  description: z.string().trim().min(1).max(MAX_DESCRIPTION),
  doneCriteria: Short.default(""),
  keyFacts: z.array(Short).max(20).default([]),
  /** Priority 1 comes first. Equal priorities keep the plan's order. */
  priority: z.int().min(1).max(100).default(1),
  dependsOn: z.array(z.string().trim().max(40)).max(MAX_TODOS).default([]),
  /** The graph that executes the todo. Without a model it is always `executor`. */
  by: z.enum(["executor", "agent"]).optional(),
});
export type PlannedTodo = z.infer<typeof PlannedTodoSchema>;

export function plannedTodo(id: string, question: string): PlannedTodo {
  const description = question.slice(0, MAX_DESCRIPTION).toWellFormed();
  return { id, description, doneCriteria: "", keyFacts: [], priority: 1, dependsOn: [] };
}

const { doneCriteria, keyFacts, priority, dependsOn, by } = PlannedTodoSchema.shape;

/** A todo of a model's plan, which needs a description only. `normalizePlan` adds missing ids. */
export const ProposedTodoSchema = PlannedTodoSchema.extend({
  id: z.string().trim().max(40).catch(""),
  description: z.string().trim().max(MAX_DESCRIPTION),
  doneCriteria: doneCriteria.catch(""),
  keyFacts: keyFacts.catch([]),
  priority: priority.catch(1),
  dependsOn: dependsOn.catch([]),
  by: by.catch(undefined),
});

export const PlanSchema = z.object({ todos: z.array(PlannedTodoSchema).max(MAX_TODOS) });
export type Plan = z.infer<typeof PlanSchema>;

export const TodoSchema = PlannedTodoSchema.extend({
  status: TodoStatusSchema,
  planRound: z.int().positive(),
  rounds: z.int().nonnegative(),
  answeredBy: z.enum(["execution", "conversation"]).nullable().describe("`conversation`: an earlier run of the thread."),
  result: z.string().nullable(),
  feedback: z.string().nullable(),
  citations: z.array(z.int().positive()).default([]),
  ms: z.number().nonnegative(),
  path: z.string(),
});
export type Todo = z.infer<typeof TodoSchema>;

export const NextActionSchema = z.enum(["continue", "complete", "skip", "retry"]);
export type NextAction = z.infer<typeof NextActionSchema>;

export function skipUnfinishedTodos(todos: readonly Todo[], why: string): Todo[] {
  return todos.map((todo) => {
    if (todo.status !== "pending" && todo.status !== "executing") return todo;
    return { ...todo, status: "skipped", feedback: todo.feedback || why };
  });
}
