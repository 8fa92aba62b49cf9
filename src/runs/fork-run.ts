import { hashJson, type JsonValue } from "../domain/json.ts";
import type { ThreadMaterial } from "../domain/ports/material.ts";
import type { Fork } from "../domain/ports/run-store.ts";
import type { TaskChanges } from "../domain/recording.ts";
import { type ForkRequest, ResearchRequestSchema } from "../domain/request.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { GraphRegistry } from "../graphs/registry.ts";
import type { Policy } from "./policy.ts";
import { resolveTask } from "./resolve-task.ts";

interface Surroundings {
  readonly policy: Policy;
  readonly graphs: GraphRegistry;
  readonly material: ThreadMaterial;
  readonly at: number;
}

/** Resolves what a fork changes as the same request with these fields would be. @throws DossierError as `resolveTask` does */
export function forkOf(
  run: Run,
  { afterSeq, prompts, ...asked }: ForkRequest,
  { policy, graphs, material, at }: Surroundings,
): Pick<Fork, "runId" | "afterSeq" | "question" | "request" | "requestHash" | "changes" | "at"> {
  const before = ResearchRequestSchema.parse(run.request);
  const given = prompts === undefined ? asked : { ...asked, prompts: { ...before.prompts, ...prompts } };
  const request = ResearchRequestSchema.parse({ ...before, ...given });
  const task = resolveTask(request, policy, graphs, at, material);
  const requestHash = hashJson({ fork: run.id, afterSeq, request } as unknown as JsonValue);
  return { runId: run.id, afterSeq, question: request.question, request, requestHash, changes: changesOf(given, task), at };
}

function changesOf({ question, systemContext, prompts, model }: Omit<ForkRequest, "afterSeq">, task: Task): TaskChanges {
  return {
    ...(question !== undefined && { question: task.question }),
    ...(systemContext !== undefined && { systemContext: task.systemContext }),
    ...(model !== undefined && task.models !== null && { models: task.models }),
    ...(prompts !== undefined && { prompts: task.prompts, promptTexts: task.promptTexts }),
  };
}
