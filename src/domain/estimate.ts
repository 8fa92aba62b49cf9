import { z } from "zod";
import { DepthSchema, limitsOf } from "./depth.ts";
import { URLS_SOURCE } from "./hit.ts";
import { type Limits, LimitsSchema } from "./limits.ts";
import type { Models, Task } from "./request.ts";

const RangeSchema = z.object({ from: z.number().nonnegative(), to: z.number().nonnegative() });
type Range = z.infer<typeof RangeSchema>;

export const EstimateSchema = z.object({
  graph: z.string(),
  depth: DepthSchema.nullable(),
  modelCalls: RangeSchema,
  documents: RangeSchema,
  tokens: RangeSchema,
  /** Null if a model has no price. */
  costUsd: RangeSchema.nullable(),
  seconds: z.object({ to: z.number().positive() }).describe("The run ends at the latest after this time, waiting for its user apart."),
  limits: LimitsSchema.describe("What the run may use: the limits of the request, of its depth and of the server."),
  lowered: z.array(z.string()).describe("The limits of the depth that a setting of the server lowers."),
});
export type Estimate = z.infer<typeof EstimateSchema>;

/** In tokens: a short request with a short answer, and the passages of a long one. */
const SHORT_CALL = 500;
const LONG_INPUT = 16_000;
const DOCUMENTS_OF_A_REPORT = 12;
/** The writing, its correction and the check of its sentences. */
const WRITING_CALLS = 3;

/** The range of what a run takes, from its limits and the shape of its graph. Nothing is asked of a model or a source. */
export function estimateOf(task: Task, graph: string, caps: Limits): Estimate {
  const { limits, depth = null, models } = task;
  const modelCalls = callsOf(task, graph);
  const most = Math.min(limits.downloads, documentsOf(task, graph));
  // An agent or a team reads of them what it chooses.
  const fewest = graph === "executor" || graph === "research" ? Math.min(most, urlsOf(task)) : 0;
  const longCall = models === null ? 0 : Math.min(models.contextTokens, LONG_INPUT + models.maxOutputTokens);
  const tokens = { from: Math.min(limits.tokens, modelCalls.from * SHORT_CALL), to: Math.min(limits.tokens, modelCalls.to * longCall) };
  return {
    ...{ graph, depth, modelCalls, documents: { from: fewest, to: most }, tokens, costUsd: costOf(models, tokens, limits.costUsd) },
    seconds: { to: limits.seconds },
    limits,
    lowered: depth === null ? [] : limitsOf(depth, caps).lowered,
  };
}

/** An executor reads all addresses that it was given, and the best documents of the thread and of what it finds. */
function documentsOf({ sources, tools, given = [] }: Task, graph: string): number {
  const urls = urlsOf({ given });
  const searched = sources.length + tools.length > 0;
  if (graph !== "executor") return searched ? Number.POSITIVE_INFINITY : urls;
  return urls + Math.min(DOCUMENTS_OF_A_REPORT, given.length - urls) + (searched ? DOCUMENTS_OF_A_REPORT : 0);
}

function urlsOf({ given = [] }: Pick<Task, "given">): number {
  return given.filter(({ foundBy }) => foundBy === URLS_SOURCE).length;
}

/** The fewest are those of a run that finds nothing: an executor then only decides, and the other graphs ask once. */
function callsOf({ models, sources, sourceFacts = {}, history, tools, limits }: Task, graph: string): Range {
  if (models === null) return { from: 0, to: 0 };
  const decisions = tools.length === 0 ? 0 : 1;
  const isExecutor = graph === "executor";
  const fewest = isExecutor ? decisions : 1;
  // Without tools a model is asked for queries only if the question cannot stand alone.
  const mayNeedQueries = history.length > 0 || sources.some((source) => (sourceFacts[source]?.languages ?? []).length > 0);
  const queryCalls = sources.length > 0 && mayNeedQueries ? 1 : 0;
  const rewritings = sources.length === 0 ? 0 : 1;
  const most = isExecutor ? (decisions * (limits.optionalToolLoops + 1) || queryCalls) + rewritings + WRITING_CALLS : limits.modelCalls;
  return { from: Math.min(fewest, limits.modelCalls), to: Math.min(most, limits.modelCalls) };
}

/** All tokens at the price of input of the cheapest model, and at the price of output of the dearest. */
function costOf(models: Models | null, tokens: Range, limit: number | null): Range | null {
  if (models === null) return { from: 0, to: 0 };
  const prices = [models.default, ...Object.values(models.roles)].map((name) => models.prices[name]);
  const known = prices.filter((price) => price !== undefined);
  if (known.length < prices.length) return null;
  const cheapest = Math.min(...known.map(({ inputPerMillion }) => inputPerMillion));
  const dearest = Math.max(...known.flatMap(({ inputPerMillion, outputPerMillion }) => [inputPerMillion, outputPerMillion]));
  const most = (tokens.to * dearest) / 1e6;
  return { from: (tokens.from * cheapest) / 1e6, to: limit === null ? most : Math.min(limit, most) };
}
