import { describe, expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { startService } from "../helpers/start-service.ts";
import { withStorage } from "../helpers/with-storage.ts";
import { DATABASES } from "../storage/open-store.ts";

const QUESTION = "奥尔德穆尔灯塔是谁设计的？";
const WAIT = { prefer: "wait=60" };
const FILE = "托尔米尔的守塔人是林。";

async function open(database: (typeof DATABASES)[number]) {
  const environment = database === "SQLite" ? {} : { DATABASE_URL: await createDatabase() };
  const { graphs, stored } = withStorage();
  const service = await startService({ environment, parts: { graphs, clock: () => Date.UTC(2026, 0, 1) } });
  const as = async (name: string, tenant: string) => {
    const { secret } = await service.keys.create({ name, tenant, scopes: ["ask", "admin"], expiresAt: null });
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    return (method: string, path: string, body?: object, more = {}) =>
      fetch(service.url + path, { method, headers: { ...headers, ...more }, ...(body !== undefined && { body: JSON.stringify(body) }) });
  };
  const give = (tenant: string) =>
    service.threads.add(
      { tenant, threadId: "T" },
      { files: [{ name: "塔.txt", bytes: new TextEncoder().encode(FILE), mediaType: "text/plain" }], urls: ["https://a.example/x"] },
      new AbortController().signal,
    );
  return { service, stored, as, give };
}

describe.each(DATABASES)("the data of a tenant in %s", (database) => {
  it("is exported as a whole: runs with recordings, files, and no secrets", async () => {
    const { as, give } = await open(database);
    const ask = await as("研究", "acme");
    await (await as("other", "else"))("POST", "/research", { question: "Who built the lighthouse of Aldermoor?" }, WAIT);
    await give("acme");
    const run = (await (await ask("POST", "/research", { question: QUESTION }, WAIT)).json()) as Run;
    await ask("POST", `/research/${run.id}/share-links`);
    expect((await ask("PUT", "/tenant/prompts/writer", { text: "你写报告。" })).status).toBe(200);
    const exported = await ask("GET", "/tenant/export");
    expect([exported.status, exported.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    const text = await exported.text();
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const types = ["tenant", "run", "recording", "url", "document", "threadOwner", "shareLink", "key", "setting"];
    expect([...new Set(lines.map(({ type }) => type))]).toEqual(types);
    expect(lines.filter(({ type }) => type === "run").map((line) => line.run.id)).toEqual([run.id]);
    expect(lines.find(({ type }) => type === "recording")?.line).toMatchObject({ type: "recording", version: 1, run: { id: run.id } });
    const document = lines.find(({ type }) => type === "document");
    expect([document.threadId, document.name, Buffer.from(document.file, "base64").toString()]).toEqual(["T", "塔.txt", FILE]);
    expect(lines.filter(({ type }) => type === "key").map(({ name }) => name)).toEqual(["研究"]);
    expect(lines.find(({ type }) => type === "shareLink")).toMatchObject({ runId: run.id, createdBy: "研究" });
    expect(text).not.toMatch(/secret|hash"/);
  });

  it("is deleted as a whole, also what runs and waits, and nothing of others", async () => {
    const { service, as, give, stored } = await open(database);
    const [admin, colleague, other] = [await as("a", "acme"), await as("b", "acme"), await as("c", "else")];
    for (const tenant of ["acme", "else"]) await give(tenant);
    const kept = (await (await other("POST", "/research", { question: QUESTION }, WAIT)).json()) as Run;
    await colleague("POST", "/research", { question: QUESTION }, WAIT);
    expect((await admin("POST", "/research", { question: QUESTION, startAfter: "2026-01-02T00:00:00Z" })).status).toBe(202);
    expect((await admin("DELETE", "/tenant", { tenant: "else" })).status).toBe(400);
    for (const ask of [admin, other]) await ask("PUT", "/tenant/prompts/writer", { text: "你写报告。" });
    const deleted = await admin("DELETE", "/tenant", { tenant: "acme" });
    expect([deleted.status, await deleted.json()]).toEqual([200, { runs: 2 }]);
    for (const ask of [admin, colleague]) expect((await ask("GET", "/research")).status).toBe(401);
    expect((await stored().runs.list("acme", { limit: 10 })).runs).toEqual([]);
    expect(await stored().threads.list({ tenant: "acme", threadId: "T" })).toEqual({ documents: [], urls: [] });
    expect(await service.tenancy.settings.list("acme")).toEqual([]);
    expect(await service.tenancy.settings.list("else")).toHaveLength(1);
    expect((await other("GET", `/research/${kept.id}`)).status).toBe(200);
    expect((await stored().threads.list({ tenant: "else", threadId: "T" })).documents).toHaveLength(1);
  });
});
