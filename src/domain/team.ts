import { z } from "zod";

export const CHILD_TIMEOUT_MS = 30_000;
const DEFAULT_ITERATIONS = 10;
const MAX_CHILDREN = 8;
export const MAX_PROMPT_LENGTH = 8_000;

const ChildIdSchema = z.string().regex(/^[\p{L}\p{N}_-]{1,40}$/u, "must be 1 to 40 letters, digits, _ or -");

const MaxIterationsSchema = z.int().min(1).max(100).optional();

const ChildSpecSchema = z
  .strictObject({
    id: ChildIdSchema,
    prompt: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(MAX_PROMPT_LENGTH)
      .describe("The instructions for this agent. They follow the request's systemContext."),
    tools: z
      .array(z.string().min(1).max(100))
      .max(50)
      .optional()
      .describe("The names of the agent's tools; all tools of the run if absent."),
    critical: z.boolean().default(false).describe("Whether the run fails if this agent fails."),
    timeoutMs: z.int().min(1).max(86_400_000).optional().describe("Running time; 30,000 if absent. Waiting for the user does not count."),
    timeout: z.number().min(0.001).max(86_400).optional().describe("`timeoutMs` in seconds."),
    maxIterations: MaxIterationsSchema.describe("The maximum number of the agent's model calls; 10 if absent."),
    max_iterations: MaxIterationsSchema.describe("Another name of `maxIterations`."),
    model: z.string().trim().min(1).max(200).optional().describe("The agent's model; the run's model if absent."),
  })
  .transform(({ timeout, max_iterations: iterations, ...child }, context) => {
    const ms = timeout === undefined ? child.timeoutMs : Math.round(timeout * 1_000);
    const { timeoutMs = ms, maxIterations = iterations ?? DEFAULT_ITERATIONS } = child;
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (ms !== timeoutMs) refuse("timeout", "differs from timeoutMs; give one of them");
    if ((iterations ?? maxIterations) !== maxIterations) refuse("max_iterations", "differs from maxIterations; give one of them");
    return { ...child, ...(ms !== undefined && { timeoutMs: ms }), maxIterations };
  });
export type ChildSpec = z.infer<typeof ChildSpecSchema>;

const StageSchema = z.strictObject({
  children: z.array(z.string().max(40)).min(1).max(MAX_CHILDREN),
  concurrent: z.boolean().default(false).describe("Whether the children of this stage run at the same time."),
});

export const TeamSchema = z
  .strictObject({
    pattern: z.enum(["sequential", "concurrent", "hybrid"]),
    children: z.array(ChildSpecSchema).min(1).max(MAX_CHILDREN),
    stages: z
      .array(StageSchema)
      .min(1)
      .max(MAX_CHILDREN)
      .optional()
      .describe("The stages in order, only for hybrid teams. Each child is in exactly one stage."),
  })
  .superRefine((team, context) => {
    for (const { path, message } of faultsOf(team)) context.addIssue({ code: "custom", path: [...path], message });
  });
export type Team = z.infer<typeof TeamSchema>;

type Shape = { readonly pattern: string; readonly children: readonly { id: string }[]; readonly stages?: readonly Stage[] | undefined };
type Stage = z.infer<typeof StageSchema>;
type TeamFault = { readonly path: readonly (string | number)[]; readonly message: string };

function faultsOf({ pattern, children, stages }: Shape): TeamFault[] {
  const ids = children.map(({ id }) => id);
  const twice = ids.flatMap((id, at): TeamFault[] =>
    ids.indexOf(id) === at ? [] : [{ path: ["children", at, "id"], message: `${id} is already the id of another child` }],
  );
  if (pattern !== "hybrid")
    return stages === undefined ? twice : [...twice, { path: ["stages"], message: "only a hybrid team has stages" }];
  if (stages === undefined) return [...twice, { path: ["stages"], message: "is missing; a hybrid team has stages" }];
  return [...twice, ...stageFaults(stages, ids)];
}

function stageFaults(stages: readonly Stage[], ids: readonly string[]): TeamFault[] {
  const placed = new Set<string>();
  const wrong = stages.flatMap(({ children }, stage) =>
    children.flatMap((id, at): TeamFault[] => {
      const path = ["stages", stage, "children", at];
      if (!ids.includes(id)) return [{ path, message: `there is no child ${id}; the children are: ${ids.join(", ")}` }];
      if (placed.has(id)) return [{ path, message: `${id} is already in a stage` }];
      placed.add(id);
      return [];
    }),
  );
  const missing = [...new Set(ids)].filter((id) => !placed.has(id));
  return missing.length === 0 ? wrong : [...wrong, { path: ["stages"], message: `no stage has ${missing.join(", ")}` }];
}

export function teamSteps({ pattern, children, stages }: Team) {
  const ids = children.map(({ id }) => id);
  if (pattern === "concurrent") return [{ stage: 1, children: ids }];
  if (pattern === "sequential") return ids.map((id, at) => ({ stage: at + 1, children: [id] }));
  return (stages ?? []).flatMap((stage, at) => {
    if (stage.concurrent) return [{ stage: at + 1, children: stage.children }];
    return stage.children.map((id) => ({ stage: at + 1, children: [id] }));
  });
}

export const ChildSchema = z.object({
  id: z.string(),
  critical: z.boolean(),
  stage: z.int().positive(),
  /** A `skipped` child never started, because a critical child failed. */
  status: z.enum(["pending", "running", "waiting", "completed", "failed", "skipped"]),
  success: z.boolean().nullable(),
  output: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** The running time, without waiting for the user. Null until the child ends. */
  executionTimeMs: z.number().nonnegative().nullable(),
  iterations: z.int().nonnegative(),
  unknownTools: z.array(z.string()),
  path: z.string(),
});
export type Child = z.infer<typeof ChildSchema>;

export function pendingChildren(team: Team): Child[] {
  const steps = teamSteps(team);
  return team.children.map(({ id, critical }) => ({
    id,
    critical,
    stage: steps.find(({ children }) => children.includes(id))?.stage ?? 1,
    status: "pending",
    success: null,
    output: null,
    error: null,
    executionTimeMs: null,
    iterations: 0,
    unknownTools: [],
    path: `child:${id}`,
  }));
}
