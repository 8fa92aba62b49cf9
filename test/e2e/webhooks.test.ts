import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import type { Delivery, Webhook as Registered } from "../../src/domain/webhooks.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { startService } from "../helpers/start-service.ts";
import { withStorage } from "../helpers/with-storage.ts";
import { DATABASES } from "../storage/open-store.ts";

interface Message {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver that answers with these statuses in turn, then 200. */
async function startReceiver(...statuses: number[]) {
  const messages: Message[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = await startLoopback(async (request, response) => {
    messages.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.writeHead(statuses.shift() ?? 200).end();
    for (const { count, resolve } of waiting) if (messages.length >= count) resolve();
  });
  onTestFinished(() => server.close());
  const received = (count: number): Promise<void> =>
    new Promise((resolve) => (messages.length >= count ? resolve() : void waiting.push({ count, resolve })));
  return { url: `${server.url}/hook`, host: new URL(server.url).host, messages, received };
}

async function keyFile(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-keys-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = join(dir, "keys");
  await writeFile(file, `${randomBytes(32).toString("base64")}\n`);
  return file;
}

interface Open {
  readonly database?: (typeof DATABASES)[number];
  readonly hosts?: readonly string[];
}

async function open({ database = "SQLite", hosts = [] }: Open) {
  const time = { now: Date.UTC(2026, 0, 1) };
  const environment = {
    ...{ SECRET_KEY_FILE: await keyFile(), ALLOWED_PRIVATE_HOSTS: hosts.join(",") },
    ...(database === "PostgreSQL" && { DATABASE_URL: await createDatabase() }),
  };
  const service = await startService({ environment, parts: { clock: () => time.now, graphs: withStorage().graphs } });
  const as = async (name: string, tenant = "acme") => {
    const { secret } = await service.keys.create({ name, tenant, scopes: ["ask"], expiresAt: null });
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json", prefer: "wait=60" };
    const send = (method: string, path: string, body?: object) =>
      fetch(service.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return {
      send,
      ask: async (body: object) => (await (await send("POST", "/research", body)).json()) as Run,
      register: async (body: object) => (await (await send("POST", "/webhooks", body)).json()) as Registered & { secret: string },
      deliveries: async (id: string) =>
        ((await (await send("GET", `/webhooks/${id}/deliveries`)).json()) as { deliveries: Delivery[] }).deliveries,
    };
  };
  return { service, time, as };
}

const QUESTION = { question: "灯塔的灯里烧什么？", sources: ["corpus"] };

describe.each(DATABASES)("webhooks in %s", (database) => {
  it("tell the owner of a run, signed, how it ended or that it waits, and nobody else", async () => {
    const [mine, theirs] = [await startReceiver(), await startReceiver()];
    const { as } = await open({ database, hosts: [mine.host, theirs.host] });
    const [alice, bob] = [await as("李雷"), await as("韩梅梅")];
    const registered = await alice.register({ url: mine.url });
    await bob.register({ url: theirs.url, events: ["run.failed"] });
    const run = await alice.ask(QUESTION);
    const waiting = await alice.ask({ question: "where?", graph: "waiting" });
    expect(waiting.status).toBe("waiting");
    await bob.ask(QUESTION);
    await mine.received(2);
    const verified = mine.messages.map(({ headers, body }) =>
      new Webhook(registered.secret).sign(headers["webhook-id"] ?? "", new Date(Number(headers["webhook-timestamp"]) * 1_000), body),
    );
    expect(mine.messages.map(({ headers }) => headers["webhook-signature"])).toEqual(verified);
    const bodies = mine.messages.map(({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: unknown });
    expect(bodies.toSorted((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
      { type: "run.succeeded", timestamp: "2026-01-01T00:00:00.000Z", data: { run: { id: run.id, threadId: run.id, graph: "executor" } } },
      {
        type: "run.waiting",
        timestamp: "2026-01-01T00:00:00.000Z",
        data: { run: { id: waiting.id, threadId: waiting.id, graph: "waiting" } },
      },
    ]);
    expect(theirs.messages).toEqual([]);
    expect(JSON.stringify(await (await alice.send("GET", "/webhooks")).json())).not.toContain(registered.secret);
    expect(await (await bob.send("GET", `/webhooks/${registered.id}/deliveries`)).json()).toMatchObject({ code: "not_found" });
    expect((await bob.send("DELETE", `/webhooks/${registered.id}`)).status).toBe(404);
    expect((await alice.send("DELETE", `/webhooks/${registered.id}`)).status).toBe(204);
  });

  it("send a message again under its id until it is taken, with growing waits, and stop at 410", async () => {
    const receiver = await startReceiver(500, 503, 200, 410);
    const { service, as, time } = await open({ database, hosts: [receiver.host] });
    const alice = await as("a");
    const { id } = await alice.register({ url: receiver.url, events: ["run.succeeded"] });
    await alice.ask(QUESTION);
    await receiver.received(1);
    await expect
      .poll(() => alice.deliveries(id))
      .toMatchObject([{ status: "waiting", tries: 1, lastStatus: 500, nextTryAt: "2026-01-01T00:00:05.000Z" }]);
    time.now += 5_000;
    await receiver.received(2);
    await service.webhooks.send();
    expect(await alice.deliveries(id)).toMatchObject([{ status: "waiting", tries: 2, lastStatus: 503 }]);
    time.now += 300_000;
    await receiver.received(3);
    await service.webhooks.send();
    expect(await alice.deliveries(id)).toMatchObject([{ status: "delivered", tries: 3, lastStatus: 200, failure: null }]);
    expect(new Set(receiver.messages.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    await alice.ask(QUESTION);
    await receiver.received(4);
    await service.webhooks.send();
    expect(await alice.deliveries(id)).toMatchObject([{ status: "failed", lastStatus: 410 }, { status: "delivered" }]);
    await alice.ask(QUESTION);
    expect(await alice.deliveries(id)).toHaveLength(2);
    expect(await (await alice.send("GET", "/webhooks")).json()).toMatchObject({ webhooks: [{ id, disabledAt: expect.any(String) }] });
  });
});

it("rest while nobody has a key of their owner's name, and follow no redirect", async () => {
  const receiver = await startReceiver(302);
  const { service, as } = await open({ hosts: [receiver.host] });
  const alice = await as("a");
  const { id } = await alice.register({ url: receiver.url, events: ["run.cancelled", "run.succeeded"] });
  await alice.ask(QUESTION);
  await receiver.received(1);
  await service.webhooks.send();
  expect(await alice.deliveries(id)).toMatchObject([{ status: "waiting", lastStatus: 302 }]);
  const waiting = await alice.ask({ question: "where?", graph: "waiting" });
  await service.keys.revoke("a");
  await service.runs.cancel("acme", waiting.id);
  const again = await as("a");
  expect(await again.deliveries(id)).toHaveLength(1);
});

it("are refused for addresses in a private network, and where the operator has set no key for secrets", async () => {
  const { as } = await open({});
  const alice = await as("a");
  for (const url of ["http://127.0.0.1:8080/", "http://intranet/", "https://10.0.0.1/x"]) {
    const response = await alice.send("POST", "/webhooks", { url });
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ path: "/url" }] }]);
  }
  const service = await startService({});
  const body = JSON.stringify({ url: "https://example.com/hook" });
  const response = await fetch(`${service.url}/webhooks`, { method: "POST", headers: { "content-type": "application/json" }, body });
  expect([response.status, await response.json()]).toMatchObject([422, { code: "secret_key_missing" }]);
});
