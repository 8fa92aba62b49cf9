import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import type { ClaimedRun, NewRun } from "../../src/domain/ports/run-store.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import type { OnRefusal } from "../../src/storage/write-refusals.ts";
import { createDatabase, expireLeases } from "../helpers/postgres.ts";

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

export interface ContractStore extends Storage {
  /** The process dies. Returns the storage of the next one. */
  crash(): Promise<Storage>;
}

export async function openStoreIn(name: (typeof DATABASES)[number]): Promise<ContractStore> {
  if (name === "SQLite") {
    const storage = await openStore();
    return { ...storage, crash: () => storage.runs.recover().then(() => storage) };
  }
  const url = await createDatabase();
  const storage = await openProcess(url);
  const crash = async () => {
    await expireLeases(url);
    return openProcess(url);
  };
  return { ...storage, crash };
}

/** The storage of one of several processes. */
export async function openProcess(url: string): Promise<Storage> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-store-"));
  const storage = await openStorage(dir, { postgres: { url, connections: 4 } });
  onTestFinished(async () => {
    await storage.close();
    await rm(dir, { recursive: true, force: true });
  });
  return storage;
}

/** Claims runs in place of the engine. */
export async function claim(
  { runs }: Pick<Storage, "runs">,
  { at = 1, limit = 1, fingerprint = "1" }: { at?: number; limit?: number; fingerprint?: string } = {},
): Promise<ClaimedRun[]> {
  return (await runs.claim({ at, limit, fingerprintOf: () => fingerprint, isIdle: true })).runs;
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
    today: "2026-01-05",
    unsupported: "show" as const,
    metadata: {},
  };
  return {
    id,
    tenant: "t",
    threadId,
    owner: null,
    request,
    task,
    idempotencyKey: null,
    requestHash: "h",
    onBusyThread: "enqueue",
    startAfter: null,
    at: 1,
  };
}
