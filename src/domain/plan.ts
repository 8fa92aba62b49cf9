import { z } from "zod";

export const TodoStatusSchema = z.enum(["pending", "executing", "completed", "failed", "skipped"]);
export type TodoStatus = z.infer<typeof TodoStatusSchema>;

export const MAX_TODOS = 20;
/** How often the planner is asked at most in a run, for whatever reason. */
export const MAX_PLAN_CALLS = 3;
const Short = z.string().trim().max(1_000);

/** A task of a plan, as a planner or a user writes it. */
export const PlannedTodoSchema = z.object({
  /** Unique in its plan. */
  id: z.string().trim().min(1).max(40),
  /** What is to be found out. */
  description: z.string().trim().min(1).max(2_000),
  /** How it is told that this has been found out. */
  doneCriteria: Short.default(""),
  /** The facts that are expected to be found. */
  keyFacts: z.array(Short).max(20).default([]),
  /** 1 comes first; of equals the plan's order counts. */
  priority: z.int().min(1).max(100).default(1),
  /** Ids of the todos whose results it needs. */
  dependsOn: z.array(z.string().trim().max(40)).max(MAX_TODOS).default([]),
  /** Who works on it: an agent where it takes tools, a calculation or a question to the user, and a model is there; otherwise the executor. */
  by: z.enum(["executor", "agent"]).optional(),
});
export type PlannedTodo = z.infer<typeof PlannedTodoSchema>;

/** A task as a model proposes it: what it is not called, or has nothing to say of, is put right by `normalizePlan`. */
export const ProposedTodoSchema = PlannedTodoSchema.extend({
  id: z.string().trim().max(40).default(""),
  description: z.string().trim().max(2_000),
});

export const PlanSchema = z.object({ todos: z.array(PlannedTodoSchema).max(MAX_TODOS) });
export type Plan = z.infer<typeof PlanSchema>;

/** What answered a todo. New runs say `execution`; the others are in runs of earlier versions. */
const AnsweredBySchema = z.enum(["execution", "evidence", "conversation"]);

/** A task as it stands. */
export const TodoSchema = PlannedTodoSchema.extend({
  status: TodoStatusSchema,
  /** Which planning it is from: 1 for the first. */
  planRound: z.int().positive(),
  /** How often it was executed. */
  rounds: z.int().nonnegative(),
  answeredBy: AnsweredBySchema.nullable(),
  /** What was found, in a few words. */
  result: z.string().nullable(),
  /** Why it failed or was skipped, or what a verifier says of it. */
  feedback: z.string().nullable(),
  /** Ids of the report's citations that it brought, once there is a report. */
  citations: z.array(z.int().positive()).default([]),
  /** Milliseconds it was being executed. */
  ms: z.number().nonnegative(),
  /** What speaks for it carries this in the path of its events. */
  path: z.string(),
});
export type Todo = z.infer<typeof TodoSchema>;

/** What comes next for a task that was executed. */
export const NextActionSchema = z.enum(["continue", "complete", "skip", "retry"]);
export type NextAction = z.infer<typeof NextActionSchema>;

/** The todos of a run that has ended: those that it did not come to the end of are skipped, and say so in the words `why`. */
export function skipUnfinishedTodos(todos: readonly Todo[], why: string): Todo[] {
  return todos.map((todo) => {
    if (todo.status !== "pending" && todo.status !== "executing") return todo;
    return { ...todo, status: "skipped", feedback: todo.feedback || why };
  });
}
