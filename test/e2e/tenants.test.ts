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

/** Calls each route whose path names something, and returns what it answers. */
async function walk(ask: Ask, ids: Readonly<Record<"id" | "threadId" | "contentHash" | "sourceId", string>>) {
  const { paths } = (await (await ask("/openapi.json")).json()) as { paths: Record<string, Record<string, { operationId: string }>> };
  const outcomes: Record<string, string> = {};
  for (const [path, operations] of Object.entries(paths)) {
    // Whoever has the secret of a link may read its report.
    if (!path.includes("{") || path.startsWith("/graphs") || path.startsWith("/shared")) continue;
    for (const [method, { operationId }] of Object.entries(operations)) {
      if (operationId === "addThreadDocuments" || operationId.startsWith("setTenant")) continue;
      const body = BODIES[operationId];
      const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      const address = path.replace(
        /\{(\w+)\}/g,
        (_, name: string) => ({ ...ids, linkId: "0123456789ab", webhookId: "0123456789ab", name: SETTING })[name] ?? "",
      );
      const response = await ask(address, { method: method.toUpperCase(), ...(body !== undefined && json) });
      outcomes[operationId] = `${response.status} ${response.status === 200 ? await response.text() : ""}`.trim();
    }
  }
  return outcomes;
}

/** A name that every kind of setting may have. */
const SETTING = "agent";
const SETTINGS = {
  "/tenant/models": { model: "m", baseUrl: "https://example.com/v1" },
  "/tenant/mcp-servers": { url: "https://example.com/mcp" },
  "/tenant/prompts": { text: "你是守塔人。" },
};

/** Bodies that these operations accept. */
const BODIES: Readonly<Record<string, unknown>> = {
  answerResearch: { answer: "是" },
  forkResearch: { afterSeq: 1 },
  renameResearch: { title: "我的" },
  shareThread: { shared: true },
  createShareLink: {},
};

describe.each(DATABASES)("two tenants in %s", (database) => {
  it("reach nothing of each other by any route", async () => {
    const { service, as } = await open(database);
    const [ours, theirs] = [await as("ours", "a"), await as("theirs", "b")];
    const { run, contentHash, sourceId } = await answered(ours, service);
    expect(run.status).toBe("succeeded");
    for (const [path, body] of Object.entries(SETTINGS))
      expect((await ours(`${path}/${SETTING}`, { ...post(body), method: "PUT" })).status).toBe(200);
    const outcomes = await walk(theirs, { id: run.id, threadId: "T", contentHash, sourceId });
    // The other tenant has no thread of this name.
    expect(outcomes["listThreadDocuments"]).toBe('200 {"documents":[],"urls":[]}');
    expect(outcomes["getThread"]).toBe('200 {"threadId":"T","owner":null,"shared":true}');
    const { listThreadDocuments: _, getThread: __, ...others } = outcomes;
    expect(Object.keys(others)).toHaveLength(24);
    expect(new Set(Object.values(others))).toEqual(new Set(["404"]));
    expect(await (await theirs("/research")).json()).toEqual({ runs: [], nextCursor: null });
    expect(await (await ours("/research")).json()).toMatchObject({ runs: [{ id: run.id }] });
    expect(await (await theirs("/tenant/settings")).json()).toEqual({ settings: [] });
    expect(await (await ours("/tenant/settings")).json()).toMatchObject({
      settings: [{ kind: "mcp-servers" }, { kind: "models" }, { kind: "prompts" }],
    });
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

describe.each(DATABASES)("two people of one tenant in %s", (database) => {
  it("see nothing of each other by any route, until a thread is shared for reading", async () => {
    const { service, as } = await open(database);
    const [mine, other] = [await as("李雷", "a"), await as("韩梅梅", "a")];
    const { run, contentHash, sourceId } = await answered(mine, service);
    const ids = { id: run.id, threadId: "T", contentHash, sourceId };
    const hidden = await walk(other, ids);
    expect(Object.keys(hidden)).toHaveLength(26);
    expect(new Set(Object.values(hidden))).toEqual(new Set(["404"]));
    for (const [path, body] of [
      ["/research", { question: "q?", threadId: "T" }],
      ["/research/estimate", { question: "q?", threadId: "T" }],
      ["/threads/T/documents", { urls: ["https://a.example/y"] }],
    ] as const)
      expect((await other(path, post(body))).status, path).toBe(404);
    expect(await (await other("/research")).json()).toEqual({ runs: [], nextCursor: null });

    expect((await mine("/threads/T", { ...post({ shared: true }), method: "PATCH" })).status).toBe(200);
    const shown = await walk(other, ids);
    expect(shown["getThread"]).toBe('200 {"threadId":"T","owner":"李雷","shared":true}');
    expect(shown["getResearch"]).toContain(run.id);
    const changing = [
      "cancelResearch",
      "answerResearch",
      "forkResearch",
      "renameResearch",
      "deleteResearch",
      "shareThread",
      "createShareLink",
    ];
    const deleting = ["deleteThreadDocument", "deleteThreadUrl", "revokeShareLink"];
    expect([...changing, ...deleting].map((operation) => shown[operation])).toEqual(Array(10).fill("403"));
    expect(await (await other("/research")).json()).toMatchObject({ runs: [{ id: run.id }] });
    expect(await (await other("/research", post({ question: "q?", threadId: "T" }))).json()).toMatchObject({ code: "not_owner" });
  });

  it("lose their streams when a thread is not shared any more, and its owner does not", async () => {
    const { as } = await open(database);
    const [mine, other] = [await as("李雷", "a"), await as("韩梅梅", "a")];
    const { id } = (await (await mine("/research", post({ question: "waits?", graph: "waiting", threadId: "T" }))).json()) as Run;
    const share = async (shared: boolean) => (await mine("/threads/T", { ...post({ shared }), method: "PATCH" })).status;
    expect(await share(true)).toBe(200);
    const [kept, cut] = await Promise.all(
      [mine, other].map(async (ask) => Readable.fromWeb((await ask(`/research/${id}/events`)).body as never).resume()),
    );
    expect(await share(false)).toBe(200);
    await expect(once(cut as Readable, "end")).rejects.toThrow();
    const ended = once(kept as Readable, "end");
    expect((await mine(`/research/${id}/cancel`, { method: "POST" })).status).toBe(202);
    await ended;
  });

  it("may use the same idempotency key, and a new key of the same name has the runs of the old one", async () => {
    const { service, as } = await open(database);
    const [mine, other] = [await as("a", "t"), await as("b", "t")];
    const request = post({ question: "奥尔德穆尔的密码是多少？", sources: ["corpus"] });
    const keyed = { ...request, headers: { ...request.headers, "idempotency-key": "1" } };
    const [own, others] = (await Promise.all([mine, other].map(async (ask) => (await ask("/research", keyed)).json()))) as [Run, Run];
    expect(own.id).not.toBe(others.id);
    await service.keys.revoke("a");
    const again = await as("a", "t");
    expect(await (await again("/research", keyed)).json()).toMatchObject({ id: own.id });
    expect((await again(`/research/${others.id}`)).status).toBe(404);
  });
});
