import { z } from "zod";
import { type NextAction, NextActionSchema, ProposedTodoSchema, TodoSchema, type TodoStatus, TodoStatusSchema } from "./plan.ts";
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
const TodoListSchema = component("todo-list", z.object({ todos: z.array(TodoSchema) }));

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

/** What was said of a task that was executed; each may be missing. */
export interface SaidOfTask {
  readonly taskCompleted?: boolean | undefined;
  readonly shouldContinue?: boolean | undefined;
  readonly nextAction?: NextAction | undefined;
  readonly status?: TodoStatus | undefined;
}

interface Flow {
  readonly taskCompleted: boolean;
  readonly shouldContinue: boolean;
  readonly nextAction: NextAction;
}

/**
 * What comes next, without contradictions: `nextAction` counts most, then `taskCompleted`, then `shouldContinue`; what these leave open
 * the status says. What is completed is not skipped. A task that is neither completed nor to be continued is skipped. Where nothing is said it goes on.
 */
export function resolveNextAction(said: SaidOfTask): Flow {
  const wanted = said.nextAction ?? inferred(said);
  const nextAction = wanted === "skip" && said.taskCompleted === true ? "complete" : wanted;
  return {
    nextAction,
    taskCompleted: nextAction === "complete",
    shouldContinue: nextAction === "continue" || nextAction === "retry",
  };
}

function inferred({ taskCompleted, shouldContinue, status }: SaidOfTask): NextAction {
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
