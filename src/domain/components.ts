import { z } from "zod";
import { type NextAction, NextActionSchema, ProposedTodoSchema, TodoSchema, type TodoStatus, TodoStatusSchema } from "./plan.ts";
import type { Assessment } from "./ports/analyst.ts";
import { AnswersSchema } from "./report.ts";
import { ChildSchema } from "./team.ts";

const component = <Name extends string, Props extends z.ZodType>(name: Name, props: Props) =>
  z.object({ type: z.literal("component"), component: z.literal(name), props });

const text = z.string().default("");

export const PlannerResponseSchema = component(
  "planner-response",
  z.object({
    needsMorePlanning: z.boolean().default(false),
    question: z.string().nullable().default(null),
    reasoning: text,
    todos: z.array(ProposedTodoSchema),
  }),
);

const TodoListSchema = component("todo-list", z.object({ todos: z.array(TodoSchema) }));

export const ChildListSchema = component("child-list", z.object({ children: z.array(ChildSchema) }));

/** A query for some of the sources, or of some time. `readQueries` reads it, whatever the types. */
const word = z.unknown().meta({ type: "string" }).optional();
const NextQuerySchema = z.looseObject({
  text: word,
  kinds: z
    .unknown()
    .meta({ type: "array", items: { type: "string" } })
    .optional(),
  language: word,
  from: word,
  to: word,
});

/** The fields that decide the next action come first, because the answer is streamed. `resolveNextAction` infers missing ones. */
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
      nextQuery: z.union([z.string(), NextQuerySchema]).nullable().default(null),
    })
    .refine(
      ({ taskCompleted, shouldContinue, nextAction, status }) => (taskCompleted ?? shouldContinue ?? nextAction ?? status) !== undefined,
      { message: "is missing, and so are taskCompleted, shouldContinue and status; one of them is needed", path: ["nextAction"] },
    ),
);

export const VerifierResponseSchema = component(
  "verifier-response",
  z.object({
    allCompleted: z.boolean(),
    overallFeedback: text,
    tasks: z.array(z.object({ id: z.string(), completed: z.boolean(), feedback: z.string().catch("") })).default([]),
  }),
);

export const SummaryResponseSchema = component(
  "summary-response",
  z.object({ answer: z.string(), answers: AnswersSchema.nullable().default(null), missing: z.array(z.string()).default([]) }),
);

export const COMPONENT_SCHEMAS = {
  "planner-response": PlannerResponseSchema,
  "todo-list": TodoListSchema,
  "child-list": ChildListSchema,
  "executor-response": ExecutorResponseSchema,
  "verifier-response": VerifierResponseSchema,
  "summary-response": SummaryResponseSchema,
} as const;

export type FlowFields = Pick<
  z.infer<typeof ExecutorResponseSchema>["props"],
  "taskCompleted" | "shouldContinue" | "nextAction" | "status"
>;

/** If the fields contradict each other, `nextAction` wins, then `taskCompleted`, then `shouldContinue`, then `status`. */
export function resolveNextAction(answer: FlowFields): Pick<Assessment, "taskCompleted" | "shouldContinue" | "nextAction"> {
  const wanted = answer.nextAction ?? inferNextAction(answer);
  const nextAction = wanted === "skip" && answer.taskCompleted === true ? "complete" : wanted;
  return { nextAction, taskCompleted: nextAction === "complete", shouldContinue: nextAction === "continue" || nextAction === "retry" };
}

function inferNextAction({ taskCompleted, shouldContinue, status }: FlowFields): NextAction {
  if (taskCompleted === true) return "complete";
  const byStatus = status === undefined ? null : ACTIONS[status];
  if (shouldContinue === true) return byStatus === "retry" ? "retry" : "continue";
  if (shouldContinue === false) return taskCompleted === undefined && (byStatus ?? "complete") === "complete" ? "complete" : "skip";
  if (taskCompleted === false && byStatus === "complete") return "continue";
  return byStatus ?? "continue";
}

const ACTIONS: Readonly<Record<TodoStatus, NextAction>> = {
  pending: "continue",
  executing: "continue",
  completed: "complete",
  failed: "retry",
  skipped: "skip",
};
