import { json } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { Traces } from "../../src/telemetry/traces.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { startService } from "../helpers/start-service.ts";

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface Batch {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

/** A server that speaks OTLP over HTTP. */
async function startCollector() {
  const spans: Span[] = [];
  const server = await startLoopback(async (request, response) => {
    expect(request.url).toBe("/v1/traces");
    const { resourceSpans } = (await json(request)) as Batch;
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  onTestFinished(() => server.close());
  return { spans, url: server.url };
}

const QUESTION = "灯塔的灯里烧什么？";
const search = say.toolCalls([{ name: "search", arguments: { query: "灯塔 灯" } }]);
const text = say.text('灯塔的灯使用鲸油。[S1: "灯塔的灯使用鲸油"]');
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

function attributeOf({ attributes }: Span, key: string): unknown {
  const found = attributes.find((attribute) => attribute.key === key)?.value as Record<string, unknown> | undefined;
  return found && Object.values(found)[0];
}

/** The spans of a trace, after each was found to have its parent in it. */
function connected(spans: readonly Span[], traceId: string, parentOfRoot?: string): { own: Span[]; root: Span } {
  const own = spans.filter((span) => span.traceId === traceId);
  const ids = new Set(own.map(({ spanId }) => spanId));
  expect(ids.size).toBe(own.length);
  const [root, ...others] = own.toSorted((a, b) => Number(b.name.startsWith("run ")) - Number(a.name.startsWith("run ")));
  expect(root?.parentSpanId || undefined).toBe(parentOfRoot);
  for (const { name, parentSpanId = "" } of others) expect(ids.has(parentSpanId), name).toBe(true);
  return { own, root: root as Span };
}

describe("the trace of a run", () => {
  it.each(["agent", "executor", "research", "team"])(
    "of the graph %s is connected, joins that of its request, and goes on at the model's server",
    async (graph) => {
      const collector = await startCollector();
      const model = await startModelServer([search, say.repeat(text)]);
      const environment = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted" };
      const service = await startService({ environment: { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
      const team = graph === "team" ? { team: { pattern: "sequential", children: [{ id: "甲", prompt: "灯？", tools: [] }] } } : {};
      const response = await fetch(`${service.url}/research`, {
        method: "POST",
        headers: { "content-type": "application/json", prefer: "wait=60", traceparent: `00-${TRACE}-${PARENT}-01` },
        body: JSON.stringify({ graph, question: QUESTION, ...team }),
      });
      const run = (await response.json()) as Run;
      await service.close(1_000);
      const { own, root } = connected(collector.spans, TRACE, PARENT);
      expect(root.name).toBe(`run ${graph}`);
      expect(attributeOf(root, "dossier.run.id")).toBe(run.id);
      const calls = own.filter((span) => attributeOf(span, "gen_ai.operation.name") === "chat");
      expect(calls).toHaveLength(run.usage.modelCalls);
      const tokens = calls.reduce((sum, span) => sum + Number(attributeOf(span, "gen_ai.usage.output_tokens") ?? 0), 0);
      expect(tokens).toBe(run.usage.outputTokens);
      const sent = model.requests.map(({ headers }) => headers["traceparent"]);
      expect(sent.toSorted()).toEqual(calls.map(({ spanId }) => `00-${TRACE}-${spanId}-01`).toSorted());
      expect(JSON.stringify(own)).not.toContain("鲸油");
    },
  );

  it("has a root of its own without one, one for each run; a request that is not sampled leaves none", async () => {
    const collector = await startCollector();
    const service = await startService({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    for (let asked = 0; asked < 2; asked += 1) await service.ask({ question: QUESTION });
    await fetch(`${service.url}/research`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "wait=60", traceparent: `00-${TRACE}-${PARENT}-00` },
      body: JSON.stringify({ question: QUESTION }),
    });
    await service.close(1_000);
    const traces = [...new Set(collector.spans.map(({ traceId }) => traceId))];
    expect(traces).toHaveLength(2);
    for (const id of traces) {
      const { own, root } = connected(collector.spans, id);
      expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(["search", "search corpus", "summarize"]));
      expect(BigInt(root.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root.startTimeUnixNano));
    }
  });

  it("delays and fails no run when nobody receives it", async () => {
    const service = await startService({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" } });
    expect(await service.ask({ question: QUESTION })).toMatchObject({ status: "succeeded" });
  });
});

it("tells once that nobody takes the traces, not for each batch", async () => {
  // A server that cannot be reached fails in the same way, after it was tried for seconds.
  const refusing = await startLoopback((request, response) => void request.resume().on("end", () => response.writeHead(400).end()));
  onTestFinished(() => refusing.close());
  const failures: unknown[] = [];
  const traces = new Traces(refusing.url, "0", (error) => failures.push(error));
  const segment = { index: 0, epoch: 0, fingerprint: "", input: { type: "continue" } } as const;
  const run = { runId: "R", graph: "agent", startedAt: 0, segment, traceparent: null };
  const ended = { type: "run-ended", status: "succeeded", termination: { reason: "completed", node: null, detail: null } } as const;
  // More than two batches hold.
  for (let at = 0; at < 1_200; at += 1) traces.onEvent(run, ended, { origin: `life/${at}`, at, path: "", body: "" });
  await traces.close();
  expect(refusing.requests.length).toBeGreaterThan(1);
  expect(failures).toHaveLength(1);
});
