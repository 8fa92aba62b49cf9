import { describe, expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { startService } from "../helpers/start-service.ts";
import { DATABASES } from "../storage/open-store.ts";

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\n"])*)"/g;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? ([Nn]a[Nn]|[+-]?Inf|-?[\d.]+(?:e[+-]?\d+)?)$/;

/** Reads the text format of Prometheus (version 0.0.4), and refuses what is not in it. Go, which reads the values, takes NaN in any case. */
function parse(text: string): Sample[] {
  expect(text.endsWith("\n")).toBe(true);
  const types = new Map<string, string>();
  return text.split("\n").flatMap((line): Sample[] => {
    const [, name, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) types.set(name, type);
    if (line === "" || line.startsWith("# HELP ") || name !== undefined) return [];
    const sample = SAMPLE.exec(line);
    expect(sample, line).not.toBeNull();
    const family = (sample?.[1] ?? "").replace(/_(?:bucket|sum|count)$/, "");
    expect(types.has(family) || types.has(sample?.[1] ?? ""), line).toBe(true);
    const labels = Object.fromEntries([...(sample?.[2] ?? "").matchAll(LABEL)].map(([, key, value]) => [key ?? "", value ?? ""]));
    return [{ name: sample?.[1] ?? "", labels, value: Number(sample?.[3]?.replace("Inf", "Infinity")) }];
  });
}

const QUESTION = "灯塔的灯里烧什么？";
const search = say.toolCalls([{ name: "search", arguments: { query: "灯塔 灯" } }]);
const text = say.text('灯塔的灯使用鲸油。[S1: "灯塔的灯使用鲸油"]');

describe.each(DATABASES)("the metrics of a service on %s", (database) => {
  it("are in the format of Prometheus, and agree with the receipts of the runs", async () => {
    const model = await startModelServer([search, say.repeat(text)]);
    const environment = {
      ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted" },
      ...(database === "PostgreSQL" && { DATABASE_URL: await createDatabase() }),
    };
    const service = await startService({ environment });
    const runs: Run[] = [];
    for (const graph of ["agent", "executor"]) runs.push((await service.ask({ graph, question: QUESTION })) as Run);
    runs.push((await service.ask({ question: QUESTION, limits: { modelCalls: 0 } })) as Run);
    const response = await fetch(`${service.url}/metrics`);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const samples = parse(await response.text());
    const sum = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      samples
        .filter((one) => one.name === `dossier_${name}` && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
        .reduce((total, { value }) => total + value, 0);
    const used = (key: "inputTokens" | "outputTokens" | "modelCalls" | "sourceRequests" | "toolCalls" | "downloads"): number =>
      runs.reduce((total, { usage }) => total + usage[key], 0);
    expect(used("outputTokens")).toBeGreaterThan(0);
    expect(sum("model_tokens_total", { direction: "input" })).toBe(used("inputTokens"));
    expect(sum("model_tokens_total", { direction: "output", model: "scripted" })).toBe(used("outputTokens"));
    expect(sum("effect_seconds_count", { kind: "model" })).toBe(used("modelCalls"));
    expect(sum("effect_seconds_count", { kind: "search", of: "corpus" })).toBe(used("sourceRequests"));
    expect(sum("effect_seconds_count", { kind: "tool" })).toBe(used("toolCalls"));
    expect(sum("runs_total", { status: "succeeded" })).toBe(runs.filter(({ status }) => status === "succeeded").length);
    expect(sum("run_seconds_count", { graph: "executor" })).toBe(2);
    expect(sum("node_seconds_count", { node: "summarize" })).toBeGreaterThan(0);
    expect(sum("loop_endings_total")).toBeGreaterThan(0);
    expect(sum("queued_runs") + sum("active_runs") + sum("queue_oldest_seconds")).toBe(0);
    expect(samples.some(({ name }) => name === "nodejs_eventloop_lag_p99_seconds")).toBe(true);
    expect(samples.some(({ name }) => name === "process_resident_memory_bytes")).toBe(true);
  });
});

it("are for administrators of the default tenant, as they tell of all tenants", async () => {
  const service = await startService({});
  const create = async (name: string, scope: "admin" | "ask", tenant: string) =>
    (await service.keys.create({ name, tenant, scopes: [scope], expiresAt: null })).secret;
  const [admin, user, other] = [
    await create("监控", "admin", "default"),
    await create("b", "ask", "default"),
    await create("c", "admin", "t"),
  ];
  const statusFor = async (key: string) => (await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect([await statusFor(admin), await statusFor(user), await statusFor(other)]).toEqual([200, 403, 403]);
  expect((await fetch(`${service.url}/metrics`)).status).toBe(401);
});

it("tell how many runs could start, and how long the oldest of them has waited", async () => {
  const queue = async () => ({ queued: 3, oldestAt: 40_000 });
  const text = await new Metrics({ version: "1", active: () => 2, queue, clock: () => 100_000 }).text();
  const values = parse(text).filter(({ name }) => /active|queue/.test(name) && name.startsWith("dossier_"));
  expect(Object.fromEntries(values.map(({ name, value }) => [name, value]))).toEqual({
    dossier_active_runs: 2,
    dossier_queued_runs: 3,
    dossier_queue_oldest_seconds: 60,
  });
});
