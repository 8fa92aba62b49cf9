import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import type { NewRun } from "../../src/domain/ports/run-store.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import type { OnRefusal } from "../../src/storage/write-refusals.ts";
import { createDatabase } from "../helpers/postgres.ts";

const LIMITS = { optionalToolLoops: 3, steps: 50, modelCalls: 40, tokens: 1, costUsd: null, seconds: 600, downloads: 12 };

export interface TestStore extends Storage {
  readonly file: string;
  /** Another connection to the same file. */
  readonly raw: Database.Database;
}

/** The storage in a temporary folder, closed when the test has finished. */
export async function openStore(onRefusal?: OnRefusal): Promise<TestStore> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-store-"));
  const storage = await openStorage(dir, onRefusal === undefined ? {} : { onRefusal });
  const file = join(dir, "dossier.sqlite");
  const raw = new Database(file, { timeout: 5_000 });
  onTestFinished(async () => {
    raw.close();
    await storage.close();
    await rm(dir, { recursive: true, force: true });
  });
  return { ...storage, file, raw };
}

/** The same storage in each of the databases. */
export const DATABASES = ["SQLite", "PostgreSQL"] as const;

export async function openStoreIn(name: (typeof DATABASES)[number]): Promise<Storage> {
  if (name === "SQLite") return openStore();
  const dir = await mkdtemp(join(tmpdir(), "dossier-store-"));
  const storage = await openStorage(dir, { postgres: { url: await createDatabase(), connections: 4 } });
  onTestFinished(async () => {
    await storage.close();
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
