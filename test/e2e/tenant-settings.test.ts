import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { replay } from "../../src/compose.ts";
import type { Run } from "../../src/domain/run.ts";
import type { TenantSetting } from "../../src/domain/tenant-settings.ts";
import { readRecording, splitLines } from "../../src/journal/recording-file.ts";
import { startHttpServer } from "../fakes/mcp/http-server.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { startService } from "../helpers/start-service.ts";
import { DATABASES } from "../storage/open-store.ts";

const KEY = 'sk-Gray/Wolf+ "88"';
const TOKEN = "tok-Red-Fox/31-88";
const QUESTION = { question: "灯塔的灯里烧什么？", graph: "agent" };

async function keyFile(...keys: readonly Buffer[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-keys-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  await writeFile(join(dir, "keys"), keys.map((key) => `${key.toString("base64")}\n`).join(""));
  return join(dir, "keys");
}

interface Open {
  readonly environment?: Readonly<Record<string, string>>;
  readonly dir?: string;
}

async function open({ environment = {}, dir }: Open = {}) {
  const service = await startService({ environment, ...(dir !== undefined && { dir }) });
  const as = async (tenant: string, name = tenant) => {
    const { secret } = await service.keys.create({ name, tenant, scopes: ["ask", "admin"], expiresAt: null });
    const headers = { authorization: `Bearer ${secret}`, prefer: "wait=60" };
    const send = (method: string, path: string, body?: object) =>
      fetch(service.url + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const settings = async () => ((await (await send("GET", "/tenant/settings")).json()) as { settings: TenantSetting[] }).settings;
    return { send, settings, ask: async (body: object) => (await (await send("POST", "/research", body)).json()) as Run };
  };
  return { service, as };
}

const host = (url: string): string => new URL(url).host;

async function environmentOf(database: (typeof DATABASES)[number], hosts: readonly string[], keys = [randomBytes(32)]) {
  return {
    ...{ SECRET_KEY_FILE: await keyFile(...keys), ALLOWED_PRIVATE_HOSTS: hosts.join(",") },
    ...(database === "PostgreSQL" && { DATABASE_URL: await createDatabase() }),
  };
}

describe.each(DATABASES)("what a tenant sets, in %s", (database) => {
  it("is used by its own runs alone, and its key is in nothing that anybody can read", async () => {
    const search = say.toolCalls([{ name: "search", arguments: { query: `灯塔 ${KEY}` } }]);
    const [own, deployed] = await Promise.all([
      startModelServer([search, say.text(`鲸油。 The key is ${KEY} or ${encodeURIComponent(KEY)}.`)]),
      startModelServer([say.text("灯塔的答案。"), say.text("别人的答案。")]),
    ]);
    const more = { OPENAI_BASE_URL: deployed.url, OPENAI_MODEL: "shared", OPENAI_API_KEY: "sk-of-the-operator-1" };
    const { service, as } = await open({ environment: { ...(await environmentOf(database, [host(own.url)])), ...more } });
    const [ours, theirs] = [await as("a"), await as("b")];
    await theirs.ask(QUESTION);
    const model = { model: "wolf", baseUrl: own.url, apiKey: KEY };
    const set = await ours.send("PUT", "/tenant/models/default", model);
    expect([set.status, await set.json()]).toMatchObject([200, { kind: "models", name: "default", value: { ...model, apiKey: "***" } }]);
    // Calls of other roles would go to it, too.
    expect((await ours.send("PUT", "/tenant/models/writer", { ...model, model: "shared" })).status).toBe(400);
    expect((await ours.send("PUT", "/tenant/prompts/agent", { text: "你是守塔人。" })).status).toBe(200);
    const run = await ours.ask(QUESTION);
    expect([run.status, run.report?.markdown]).toEqual(["succeeded", expect.stringContaining("***")]);
    await theirs.ask(QUESTION);
    expect(own.requests.map(({ headers }) => headers["authorization"])).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
    expect(deployed.requests.map(({ headers }) => headers["authorization"])).toEqual(Array(2).fill("Bearer sk-of-the-operator-1"));
    expect(JSON.stringify(own.requests[0]?.body)).toContain("你是守塔人。");
    expect(JSON.stringify(deployed.requests.map(({ body }) => body))).not.toContain("你是守塔人。");
    const paths = ["", "/events", "/report", "/recording", "/bundle"].map((path) => `/research/${run.id}${path}`);
    const all = ["/tenant/settings", "/tenant/export", "/models", "/models/offered", "/sources", ...paths];
    const read = async (path: string) => Buffer.from(await (await ours.send("GET", path)).arrayBuffer()).toString("utf8");
    const metrics = await (await (await as("default")).send("GET", "/metrics")).text();
    const shown = [...(await Promise.all(all.map(read))), metrics, JSON.stringify(service.logLines)];
    for (const form of [KEY, JSON.stringify(KEY).slice(1, -1), encodeURIComponent(KEY)])
      expect(shown.filter((text) => text.includes(form))).toEqual([]);
    expect(JSON.parse(await read("/models"))).toMatchObject({ default: "wolf", server: host(own.url), lastTry: null });
    expect(await (await theirs.send("GET", "/models")).json()).toMatchObject({ default: "shared", lastTry: { reachable: true } });
    expect(await theirs.settings()).toEqual([]);
    const recording = await readRecording(splitLines([await read(`/research/${run.id}/recording`)]));
    expect((await replay(recording)).difference).toBeNull();
  });

  it("gives its runs MCP servers, of which other tenants know nothing", async () => {
    const notes = await startHttpServer();
    const model = await startModelServer((request) =>
      JSON.stringify(request.body).includes("notes__notes") && !JSON.stringify(request.body).includes("鲸油")
        ? say.toolCalls([{ name: "notes__notes", arguments: { about: "灯" } }])
        : (say.text("完。") as Behavior),
    );
    const more = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "shared" };
    const { service, as } = await open({ environment: { ...(await environmentOf(database, [notes.host])), ...more } });
    const [ours, theirs] = [await as("a"), await as("b")];
    const entry = { url: notes.url, headers: { Authorization: `Bearer ${TOKEN}` }, graphs: ["agent"] };
    expect(await (await ours.send("PUT", "/tenant/mcp-servers/notes", entry)).json()).toMatchObject({
      value: { url: notes.url, headers: { Authorization: "***" } },
    });
    const run = await ours.ask({ ...QUESTION, otherSources: true });
    expect(run.report?.ledger).toContainEqual(expect.objectContaining({ source: "notes__notes", outcome: "found" }));
    expect(new Set(notes.authorizations)).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect((await theirs.ask({ ...QUESTION, sources: ["mcp:notes"] })) as unknown).toMatchObject({ code: "unknown_source" });
    expect(JSON.stringify(await (await theirs.send("GET", "/sources")).json())).not.toContain("notes");
    expect(JSON.stringify(await (await ours.send("GET", "/sources")).json())).toContain("mcp:notes");
    const recording = await (await ours.send("GET", `/research/${run.id}/recording`)).text();
    const told = JSON.stringify([model.requests.map(({ body }) => body), service.logLines, run, recording]);
    expect(told.includes(TOKEN)).toBe(false);
    expect(told).toContain("***");
    expect((await ours.send("DELETE", "/tenant/mcp-servers/notes")).status).toBe(204);
    expect((await ours.send("DELETE", "/tenant/mcp-servers/notes")).status).toBe(404);
    expect((await ours.ask({ ...QUESTION, sources: ["mcp:notes"] })) as unknown).toMatchObject({ code: "unknown_source" });
  });

  it("waits for its key, and is encrypted with the current one", async () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const own = await startModelServer([say.text("甲。"), say.text("乙。")]);
    const environment = await environmentOf(database, [host(own.url)], [first]);
    const { service, as } = await open({ environment });
    const { dir } = service;
    const mine = await as("a");
    await mine.send("PUT", "/tenant/models/default", { model: "wolf", baseUrl: own.url, apiKey: KEY });
    await service.close(0);
    const again = await open({ environment: { ...environment, SECRET_KEY_FILE: await keyFile(second) }, dir });
    const locked = await (await again.as("a", "b")).send("POST", "/research", QUESTION);
    expect([locked.status, await locked.json()]).toMatchObject([422, { code: "secret_key_missing" }]);
    await again.service.close(0);
    const both = await open({ environment: { ...environment, SECRET_KEY_FILE: await keyFile(second, first) }, dir });
    await both.service.tenancy.settings.clean();
    await both.service.close(0);
    const rotated = await open({ environment: { ...environment, SECRET_KEY_FILE: await keyFile(second) }, dir });
    expect(await (await rotated.as("a", "c")).ask(QUESTION)).toMatchObject({ status: "succeeded" });
    expect(own.requests.map(({ headers }) => headers["authorization"])).toEqual([`Bearer ${KEY}`]);
  });
});

it("refuses what would reach the operator's machine, network or keys", async () => {
  const { as } = await open({ environment: await environmentOf("SQLite", []) });
  const mine = await as("a");
  const refused: [string, object, string][] = [
    ["/tenant/models/default", { model: "m", baseUrl: "http://127.0.0.1:11434/v1", apiKey: KEY }, "/baseUrl"],
    ["/tenant/models/default", { model: "m", baseUrl: "https://user:pass@example.com/v1", apiKey: KEY }, "/baseUrl"],
    ["/tenant/models/default", { model: "gpt-5" }, "/apiKey"],
    ["/tenant/models/default", { model: "anthropic:claude", baseUrl: "https://example.com" }, "/apiKey"],
    ["/tenant/models/default", { model: "bedrock:claude" }, "/model"],
    ["/tenant/mcp-servers/notes", { command: "node" }, ""],
    ["/tenant/mcp-servers/notes", { url: "http://10.0.0.1/mcp" }, "/url"],
    ["/tenant/mcp-servers/notes", { url: "https://example.com", headers: { Authorization: ["$", "{OPENAI_API_KEY}"].join("") } }, ""],
    ["/tenant/mcp-servers/notes", { url: "https://example.com", colour: 1 }, ""],
    ["/tenant/prompts/writer", { text: "Write {{secret}}." }, "/text"],
  ];
  for (const [path, body, at] of refused) {
    const response = await mine.send("PUT", path, body);
    expect([response.status, await response.json()], JSON.stringify(body)).toEqual([
      400,
      expect.objectContaining({ errors: expect.arrayContaining([expect.objectContaining({ path: at })]) }),
    ]);
  }
  for (const path of ["/tenant/models/nobody", "/tenant/prompts/nobody", "/tenant/mcp-servers/a%20b"])
    expect((await mine.send("PUT", path, { text: "x" })).status, path).toBe(404);
  expect(await mine.settings()).toEqual([]);
  const model = { model: "m", baseUrl: "https://example.com/v1" };
  expect((await mine.send("PUT", "/tenant/models/default", model)).status).toBe(200);
  expect(await (await mine.send("PUT", "/tenant/models/writer", { ...model, apiKey: KEY })).json()).toMatchObject({
    errors: [{ path: "/model" }],
  });
  const withoutKeys = await open();
  const locked = await (await withoutKeys.as("a")).send("PUT", "/tenant/models/default", { ...model, apiKey: KEY });
  expect([locked.status, await locked.json()]).toMatchObject([422, { code: "secret_key_missing" }]);
});
