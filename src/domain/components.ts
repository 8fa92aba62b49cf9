import { z } from "zod";
import { NextActionSchema, ProposedTodoSchema, TodoSchema, TodoStatusSchema } from "./plan.ts";
import { ChildSchema } from "./team.ts";

const component = <Name extends string, Props extends z.ZodType>(name: Name, props: Props) =>
  z.object({ type: z.literal("component"), component: z.literal(name), props });

const text = z.string().default("");

/** What a planner answers. Missing optional fields are tolerated. */
export const PlannerResponseSchema = component(
  "planner-response",
  z.object({
    needsMorePlanning: z.boolean().default(false),
    /** To the user; the run waits for the answer. */
    question: z.string().nullable().default(null),
    reasoning: text,
    todos: z.array(ProposedTodoSchema),
  }),
);

/** The tasks as they stand; said again whenever one of them changes. */
export const TodoListSchema = component("todo-list", z.object({ todos: z.array(TodoSchema) }));

/** The children of a team as they stand; said again whenever one of them changes. */
export const ChildListSchema = component("child-list", z.object({ children: z.array(ChildSchema) }));

/**
 * What an executor says of one task; the fields that steer the flow come first, and are inferred from each other or from `status` where
 * they are missing (see next-action.ts).
 */
export const ExecutorResponseSchema = component(
  "executor-response",
  z
    .object({
      taskCompleted: z.boolean().optional(),
      shouldContinue: z.boolean().optional(),
      nextAction: NextActionSchema.optional(),
      status: TodoStatusSchema.optional(),
      todoId: text,
      summary: text,
      nextQuery: z.string().nullable().default(null),
    })
    .refine(
      ({ taskCompleted, shouldContinue, nextAction, status }) => (taskCompleted ?? shouldContinue ?? nextAction ?? status) !== undefined,
      { message: "one of nextAction, taskCompleted, shouldContinue and status must be there", path: ["nextAction"] },
    ),
);

/** What a verifier says of each task and of the whole. */
export const VerifierResponseSchema = component(
  "verifier-response",
  z.object({
    allCompleted: z.boolean(),
    overallFeedback: text,
    tasks: z.array(z.object({ id: z.string(), completed: z.boolean(), feedback: text })).default([]),
  }),
);

/** The answer to the user's words. `answer` is Markdown whose sentences cite passages, as a writer's text does. */
export const SummaryResponseSchema = component(
  "summary-response",
  z.object({ answer: z.string(), unanswered: z.array(z.string()).default([]) }),
);

export const COMPONENT_SCHEMAS = {
  "planner-response": PlannerResponseSchema,
  "todo-list": TodoListSchema,
  "child-list": ChildListSchema,
  "executor-response": ExecutorResponseSchema,
  "verifier-response": VerifierResponseSchema,
  "summary-response": SummaryResponseSchema,
} as const;
