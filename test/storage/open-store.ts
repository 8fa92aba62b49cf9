import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { NewRun } from "../../src/domain/ports/run-store.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import type { OnRefusal } from "../../src/storage/write-refusals.ts";

const LIMITS = { optionalToolLoops: 3, steps: 50, modelCalls: 40, tokens: 1, costUsd: null, seconds: 600, downloads: 12 };

/** The storage in a temporary folder, closed when the test has finished. */
export async function openStore(onRefusal?: OnRefusal): Promise<Storage> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-store-"));
  const storage = await openStorage(dir, onRefusal === undefined ? {} : { onRefusal });
  onTestFinished(async () => {
    storage.close();
    await rm(dir, { recursive: true, force: true });
  });
  return storage;
}

/** A run of the tenant `t`, ready to be stored. */
export function newRun(id: string, threadId = id, systemContext = ""): NewRun {
  const request = ResearchRequestSchema.parse({ question: `问题 ${id}` });
  const { question } = request;
  const task = {
    question,
    language: "zh",
    systemContext,
    sources: [],
    tools: [],
    limits: LIMITS,
    history: [],
    models: null,

    metadata: {},
  };
  return { id, tenant: "t", threadId, request, task, idempotencyKey: null, requestHash: "h", at: 1 };
}
