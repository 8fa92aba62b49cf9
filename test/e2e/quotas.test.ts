import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Allowance } from "../../src/domain/quota.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { startService } from "../helpers/start-service.ts";
import { DATABASES } from "../storage/open-store.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
const DAY_MS = 86_400_000;
/** In US dollars: 0.001 a token. */
async function pricesFile(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-prices-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = join(dir, "prices.json");
  await writeFile(file, JSON.stringify({ scripted: { inputPerMillion: 1_000, outputPerMillion: 1_000 } }));
  return file;
}

interface Open {
  readonly database?: (typeof DATABASES)[number];
  readonly settings?: Readonly<Record<string, string>>;
  readonly script?: Script;
}

/** A service with a model, whose day can be changed. */
async function open({ database = "SQLite", settings = {}, script = Array(40).fill(say.text("灯烧鲸油。")) }: Open = {}) {
  const time = { now: NOON };
  const model = await startModelServer(script);
  const environment = {
    ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted" },
    ...(database === "PostgreSQL" && { DATABASE_URL: await createDatabase() }),
    ...settings,
  };
  const service = await startService({ environment, parts: { clock: () => time.now } });
  const as = async (name: string, allowance: Partial<Allowance> = {}, tenant = "acme") => {
    const limits = { tokens: null, costUsd: null, ...allowance };
    const { secret } = await service.keys.create({ name, tenant, scopes: ["ask"], expiresAt: null, allowance: limits });
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json", prefer: "wait=60" };
    return {
      ask: (body: object = {}, more = {}) =>
        fetch(`${service.url}/research`, {
          method: "POST",
          headers: { ...headers, ...more },
          body: JSON.stringify({ question: "灯塔的灯里烧什么？", ...body }),
        }),
      session: async () => (await fetch(`${service.url}/session`, { headers })).json(),
    };
  };
  return { service, time, model, as };
}

async function runOf(response: Response): Promise<Run> {
  expect(response.status).toBe(200);
  return (await response.json()) as Run;
}

function tokensOf({ usage }: Run): number {
  return usage.inputTokens + usage.outputTokens;
}

describe.each(DATABASES)("what a key may spend in a day, in %s", (database) => {
  it("is what is left of it for a run, and then refused until midnight, for this key only", async () => {
    const { time, as } = await open({ database });
    const [alice, bob] = [await as("alice", { tokens: 20_000 }), await as("bob")];
    const first = await runOf(await alice.ask({ limits: { tokens: 50_000 } }));
    expect(first.limits?.tokens).toBe(20_000);
    expect(tokensOf(first)).toBeGreaterThan(0);
    const left = 20_000 - tokensOf(first);
    expect(await alice.session()).toMatchObject({ today: { tokensLeft: left, costUsdLeft: null } });
    let last = await runOf(await alice.ask());
    expect(last.limits?.tokens).toBe(left);
    let refused: Response | null = null;
    for (let asked = 0; asked < 40 && refused === null; asked += 1) {
      const response = await alice.ask();
      if (response.status === 200) last = await runOf(response);
      else refused = response;
    }
    expect(refused?.status).toBe(429);
    expect(refused?.headers.get("retry-after")).toBe(String(12 * 3_600));
    expect(await refused?.json()).toMatchObject({ code: "budget_exhausted", detail: expect.stringContaining("2026-01-02T00:00:00.000Z") });
    await runOf(await bob.ask());
    time.now += DAY_MS;
    await runOf(await alice.ask());
  });

  it("counts money, and is shared by the keys of a tenant where the operator limits it", async () => {
    const { as } = await open({ database, settings: { MODEL_PRICES: await pricesFile(), TENANT_USD_PER_DAY: "8" } });
    const [alice, bob, other] = [await as("alice", { costUsd: 6 }), await as("bob"), await as("carol", {}, "other")];
    const run = await runOf(await alice.ask());
    expect(run.limits?.costUsd).toBe(6);
    const next = await runOf(await bob.ask());
    expect(next.limits?.costUsd).toBeCloseTo(8 - run.usage.costUsd, 6);
    expect((await runOf(await other.ask())).limits?.costUsd).toBe(8);
    const { today } = (await alice.session()) as { today: { costUsdLeft: number } };
    expect(today.costUsdLeft).toBeCloseTo(Math.min(6 - run.usage.costUsd, 8 - run.usage.costUsd - next.usage.costUsd), 6);
  });
});

it("is no reason to refuse a run that spends nothing", async () => {
  const service = await startService({ environment: { TENANT_TOKENS_PER_DAY: "0" } });
  expect(await service.ask({ question: "What burns in the lamp of Aldermoor?" })).toMatchObject({ status: "succeeded" });
});

it("keeps the sum of a run that is deleted", async () => {
  const { service, as } = await open();
  const alice = await as("alice", { tokens: 1_000_000 });
  const run = await runOf(await alice.ask());
  const { today } = (await alice.session()) as { today: { tokensLeft: number } };
  expect(today.tokensLeft).toBe(1_000_000 - tokensOf(run));
  await service.runs.delete("acme", run.id);
  expect(await alice.session()).toMatchObject({ today });
});

it("counts the prompt of a call that is cancelled, and of an answer that breaks off", async () => {
  const asked = Promise.withResolvers<void>();
  const cut = say.breakOff({ after: 1, of: say.text("灯烧鲸油，而且。") });
  let calls = 0;
  const script = (): Behavior => {
    calls += 1;
    asked.resolve();
    return calls === 1 ? say.hang() : cut;
  };
  const { service, as } = await open({ script });
  const alice = await as("alice", { tokens: 1_000_000 });
  const left = async () => ((await alice.session()) as { today: { tokensLeft: number } }).today.tokensLeft;
  const running = alice.ask();
  await asked.promise;
  const { runs } = await service.runs.list("acme", { limit: 1 });
  await service.runs.cancel("acme", runs[0]?.id ?? "");
  expect(await runOf(await running)).toMatchObject({ status: "cancelled", usage: { inputTokens: 0 } });
  const afterCancel = await left();
  expect(afterCancel).toBeLessThan(1_000_000);
  await runOf(await alice.ask());
  expect(await left()).toBeLessThan(afterCancel);
});

describe.each(DATABASES)("runs that start at once, in %s", (database) => {
  it("share what is left of a day: ten cannot spend more than one could", async () => {
    const open10 = Promise.withResolvers<void>();
    const { as } = await open({ database, script: Array(40).fill(say.held(say.text("灯烧鲸油。"), { at: 0, until: open10.promise })) });
    const alice = await as("李雷", { tokens: 100_000 });
    const starts = await Promise.all(Array.from({ length: 10 }, () => alice.ask({}, { prefer: "wait=0" })));
    const bodies = (await Promise.all(starts.map((response) => response.json()))) as (Run & { code?: string })[];
    const started = bodies.filter(({ code }) => code === undefined);
    const refused = starts.filter(({ status }) => status === 429);
    expect(started.length + refused.length).toBe(10);
    const limits = started.map((run) => run.limits?.tokens ?? Number.POSITIVE_INFINITY);
    expect(limits.reduce((sum, limit) => sum + limit, 0)).toBeLessThanOrEqual(100_000);
    for (const response of refused) expect(response.headers.get("retry-after")).toBe("10");
    open10.resolve();
    await expect.poll(async () => ((await alice.session()) as { today: { tokensLeft: number } }).today.tokensLeft).toBeGreaterThan(50_000);
    expect(await runOf(await alice.ask())).toMatchObject({ status: "succeeded" });
  });

  it("are as many as a key and a tenant may have, and others go on", async () => {
    const forever = say.repeat(say.held(say.text("灯烧鲸油。"), { at: 0, until: new Promise(() => undefined) }));
    const { as } = await open({ database, settings: { KEY_RUNS_AT_ONCE: "2", TENANT_RUNS_AT_ONCE: "3" }, script: [forever] });
    const [alice, bob, other] = [await as("a"), await as("b"), await as("c", {}, "other")];
    const later = { startAfter: new Date(NOON + DAY_MS).toISOString() };
    expect((await alice.ask(later, { prefer: "wait=0" })).status).toBe(202);
    const statuses = async (who: typeof alice, times: number) => {
      const answers = [];
      for (let asked = 0; asked < times; asked += 1) answers.push(await who.ask({}, { prefer: "wait=0" }));
      return answers;
    };
    const own = await statuses(alice, 3);
    expect(own.map(({ status }) => status)).toEqual([202, 202, 429]);
    expect(own[2]?.headers.get("retry-after")).toBe("10");
    expect(await own[2]?.json()).toMatchObject({ code: "too_many_runs", detail: expect.stringContaining("KEY_RUNS_AT_ONCE") });
    const others = await statuses(bob, 2);
    expect(others.map(({ status }) => status)).toEqual([202, 429]);
    expect(await others[1]?.json()).toMatchObject({ detail: expect.stringContaining("TENANT_RUNS_AT_ONCE") });
    expect((await statuses(other, 1))[0]?.status).toBe(202);
  });
});
