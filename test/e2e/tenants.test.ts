import { once } from "node:events";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Scope } from "../../src/domain/keys.ts";
import type { ThreadMaterial } from "../../src/domain/ports/material.ts";
import type { Run } from "../../src/domain/run.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { startService, type TestService } from "../helpers/start-service.ts";
import { withStorage } from "../helpers/with-storage.ts";
import { DATABASES } from "../storage/open-store.ts";

const SCOPES = ["ask", "read", "admin"] as const;

async function open(database: (typeof DATABASES)[number]) {
  const environment = database === "SQLite" ? {} : { DATABASE_URL: await createDatabase() };
  const service = await startService({ environment, parts: { graphs: withStorage().graphs } });
  const as = async (name: string, tenant: string, scopes: readonly Scope[] = SCOPES) => {
    const { secret } = await service.keys.create({ name, tenant, scopes, expiresAt: null });
    return (path: string, init: RequestInit = {}) =>
      fetch(service.url + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${secret}` } });
  };
  return { service, as };
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", prefer: "wait=60" },
  body: JSON.stringify(body),
});

/** Asks, with a file in the thread `T`. Returns the run and the hash of the file's text. */
async function answered(ask: Ask, { finish }: TestService): Promise<{ run: Run; contentHash: string; sourceId: string }> {
  const form = new FormData();
  form.append("request", new Blob([JSON.stringify({ urls: ["https://a.example/x"] })], { type: "application/json" }));
  form.append("documents", new Blob(["奥尔德穆尔的密码是四十二。The code of Aldermoor is forty-two."]), "secret.txt");
  const material = (await (await ask("/threads/T/documents", { method: "POST", body: form })).json()) as ThreadMaterial;
  const started = (await (await ask("/research", post({ question: "奥尔德穆尔灯塔是谁设计的？", threadId: "T" }))).json()) as Run;
  if (started.endedAt === null) await finish(started.id).catch(() => undefined);
  const run = (await (await ask(`/research/${started.id}`)).json()) as Run;
  return { run, contentHash: material.documents[0]?.contentHash ?? "", sourceId: material.urls[0]?.sourceId ?? "" };
}

/** Bodies that these operations accept. */
const BODIES: Readonly<Record<string, unknown>> = {
  answerResearch: { answer: "是" },
  forkResearch: { afterSeq: 1 },
  renameResearch: { title: "我的" },
};

describe.each(DATABASES)("two tenants in %s", (database) => {
  it("reach nothing of each other by any route", async () => {
    const { service, as } = await open(database);
    const [ours, theirs] = [await as("ours", "a"), await as("theirs", "b")];
    const { run, contentHash, sourceId } = await answered(ours, service);
    expect(run.status).toBe("succeeded");
    const { paths } = (await (await theirs("/openapi.json")).json()) as { paths: Record<string, Record<string, { operationId: string }>> };
    const ids = { id: run.id, threadId: "T", contentHash, sourceId };
    const outcomes: Record<string, string> = {};
    for (const [path, operations] of Object.entries(paths)) {
      if (!path.includes("{") || path.startsWith("/graphs")) continue;
      for (const [method, { operationId }] of Object.entries(operations)) {
        if (operationId === "addThreadDocuments") continue;
        const body = BODIES[operationId];
        const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
        const address = path.replace(/\{(\w+)\}/g, (_, name: keyof typeof ids) => ids[name]);
        const response = await theirs(address, { method: method.toUpperCase(), ...(body !== undefined && json) });
        outcomes[operationId] = `${response.status} ${response.status === 200 ? await response.text() : ""}`.trim();
      }
    }
    expect(outcomes["listThreadDocuments"]).toBe('200 {"documents":[],"urls":[]}');
    const { listThreadDocuments: _, ...others } = outcomes;
    expect(Object.keys(others)).toHaveLength(15);
    expect(new Set(Object.values(others))).toEqual(new Set(["404"]));
    expect(await (await theirs("/research")).json()).toEqual({ runs: [], nextCursor: null });
    expect(await (await ours("/research")).json()).toMatchObject({ runs: [{ id: run.id }] });
  });

  it("may use the same thread and idempotency key, and get answers of their own", async () => {
    const { service, as } = await open(database);
    const [ours, theirs] = [await as("ours", "a"), await as("theirs", "b")];
    const request = post({ question: "奥尔德穆尔的密码是多少？ What is the code of Aldermoor?", threadId: "T", sources: ["corpus"] });
    const keyed = { ...request, headers: { ...request.headers, "idempotency-key": "1" } };
    await answered(ours, service);
    const [mine, other] = (await Promise.all([ours, theirs].map(async (ask) => (await ask("/research", keyed)).json()))) as [Run, Run];
    expect(mine.id).not.toBe(other.id);
    expect(JSON.stringify(await (await ours(`/research/${mine.id}`)).json())).toContain("forty-two");
    expect(JSON.stringify(await (await theirs(`/research/${other.id}`)).json())).not.toContain("forty-two");
  });

  it("are asked for a key from the first one on, also in streams that were opened before", async () => {
    const { service } = await open(database);
    const { id } = (await (await fetch(`${service.url}/research`, post({ question: "waits?", graph: "waiting" }))).json()) as Run;
    const { body } = await fetch(`${service.url}/research/${id}/events`);
    const stream = Readable.fromWeb(body as never).resume();
    await service.keys.create({ name: "first", tenant: "a", scopes: ["ask"], expiresAt: null });
    await expect(once(stream, "end")).rejects.toThrow();
  });

  it("lose their streams when their key is revoked, and only theirs", async () => {
    const { service, as } = await open(database);
    const [ours, theirs] = [await as("ours", "a"), await as("theirs", "b")];
    const streams = await Promise.all(
      [ours, theirs].map(async (ask) => {
        const { id } = (await (await ask("/research", post({ question: "waits?", graph: "waiting" }))).json()) as Run;
        return { id, stream: Readable.fromWeb((await ask(`/research/${id}/events`)).body as never).resume() };
      }),
    );
    const [cut, kept] = streams;
    await service.keys.revoke("ours");
    await expect(once(cut?.stream as Readable, "end")).rejects.toThrow();
    expect((await ours("/research")).status).toBe(401);
    // It goes on to the end of its run.
    const ended = once(kept?.stream as Readable, "end");
    expect((await theirs(`/research/${kept?.id}/cancel`, { method: "POST" })).status).toBe(202);
    await ended;
  });
});
