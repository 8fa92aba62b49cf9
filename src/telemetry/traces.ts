import { createHash } from "node:crypto";
import { type Attributes, context, type Span, type SpanContext, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { DomainEvent } from "../domain/events.ts";
import type { ClaimedRun } from "../domain/ports/run-store.ts";
import type { JournalRecord, LoggedEvent } from "../domain/recording.ts";
import { fieldsOf, textOf } from "../util/json-fields.ts";
import { parseTraceparent } from "../util/trace-context.ts";
import { outcomeOf, subjectOf, taskOf } from "./effects.ts";

type Traced = Pick<ClaimedRun, "runId" | "graph" | "startedAt" | "segment" | "traceparent">;

interface SpanParts {
  /** What the span is of, from which its id is made. */
  readonly place: string;
  readonly parent: SpanContext | undefined;
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes: Attributes;
  readonly from: number;
  readonly to: number;
  readonly failure?: string | null;
}

/** `ExportResultCode.SUCCESS` of OpenTelemetry, whose package with the name is not ours. */
const SENT = 0;
/** How long the last spans have at a shutdown. */
const FLUSH_MS = 2_000;

/**
 * Sends a trace of each run to an OTLP endpoint: a span of the run, of each node, and of each search, download, call of a tool and of a model,
 * which follow the conventions for generative AI. Ids are made from the run, so that the spans of several processes form one trace.
 */
export class Traces {
  readonly #provider: BasicTracerProvider;
  /** The ids of the span that is being made. */
  #ids: Pick<SpanContext, "traceId" | "spanId"> = { traceId: "", spanId: "" };

  /** `onFailed` is called when spans could not be sent, and not again before some were. */
  constructor(endpoint: string, version: string, onFailed: (error: Error | undefined) => void) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` });
    const send = exporter.export.bind(exporter);
    let hasFailed = false;
    exporter.export = (spans, done) =>
      send(spans, (result) => {
        const isFailure = result.code !== SENT;
        if (isFailure && !hasFailed) onFailed(result.error);
        hasFailed = isFailure;
        done(result);
      });
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ "service.name": "dossier", "service.version": version }),
      idGenerator: { generateTraceId: () => this.#ids.traceId, generateSpanId: () => this.#ids.spanId },
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
  }

  onEvent(run: Traced, event: DomainEvent, { origin, at }: LoggedEvent): void {
    if (event.type === "node-ended") {
      const place = origin.slice(0, origin.lastIndexOf("@"));
      const attributes = { "dossier.node": event.node, "dossier.step": event.step };
      this.#add(run, { place, parent: this.#taskAbove(run, place), name: event.node, attributes, from: at - event.durationMs, to: at });
    }
    if (event.type !== "run-ended") return;
    const { status, termination } = event;
    const attributes = { "dossier.run.id": run.runId, "dossier.status": status, "dossier.termination": termination.reason };
    const failure = status === "failed" ? (termination.detail ?? "failed") : null;
    const parent = parentOf(run.traceparent);
    this.#add(run, { place: "", parent, name: `run ${run.graph}`, attributes, from: run.startedAt, to: at, failure });
  }

  onEffect(run: Traced, record: JournalRecord, ms: number): void {
    const subject = subjectOf(record);
    if (subject === null) return;
    const parent = this.#spanOf(run, taskIn(run, record));
    const name = `${OPERATIONS[record.kind] ?? record.kind} ${subject}`;
    const to = record.at;
    const failure = record.ok ? null : outcomeOf(record);
    this.#add(run, {
      ...{ place: effectIn(run, record.key), parent, name, kind: SpanKind.CLIENT, attributes: attributesOf(record, subject), failure },
      ...{ from: to - ms, to },
    });
  }

  /** The `traceparent` for what the effect of this key sends. */
  traceparentOf(run: Traced, key: string): string {
    const { traceId, spanId } = this.#spanOf(run, effectIn(run, key));
    return `00-${traceId}-${spanId}-${flagsOf(run).toString(16).padStart(2, "0")}`;
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_MS);
    });
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }

  #add(run: Traced, { place, parent, name, kind = SpanKind.INTERNAL, attributes, from, to, failure = null }: SpanParts): void {
    this.#ids = this.#spanOf(run, place);
    const within = parent === undefined ? context.active() : trace.setSpanContext(context.active(), parent);
    const options = { kind, attributes: { ...attributes, "dossier.graph": run.graph }, startTime: from, root: parent === undefined };
    const span: Span = this.#provider.getTracer("dossier").startSpan(name, options, within);
    if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    span.end(Math.max(from, to));
  }

  /** The span of the task that contains another one, or of the run. */
  #taskAbove(run: Traced, place: string): SpanContext {
    const [segment = "", ...path] = place.split("/");
    return this.#spanOf(run, path.length <= 1 ? "" : [segment, ...path.slice(0, -1)].join("/"));
  }

  #spanOf(run: Traced, place: string): SpanContext {
    const traceId = parentOf(run.traceparent)?.traceId ?? hash(run.runId).slice(0, 32);
    return { traceId, spanId: hash(`${run.runId} ${place}`).slice(0, 16), traceFlags: flagsOf(run) };
  }
}

const OPERATIONS: Readonly<Record<string, string>> = { model: "chat", tool: "execute_tool" };

function attributesOf({ kind, ok, result }: JournalRecord, subject: string): Attributes {
  const failed = ok ? {} : { "error.type": outcomeOf({ ok, result }) };
  if (kind === "tool") return { ...failed, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": subject };
  if (kind !== "model") return { ...failed, [`dossier.${kind}`]: subject };
  const { model, usage, costUsd, finishReason } = fieldsOf(ok ? result : null);
  const { inputTokens, outputTokens } = fieldsOf(usage);
  return {
    ...failed,
    ...{ "gen_ai.operation.name": "chat", "gen_ai.request.model": subject },
    ...(ok && {
      ...{ "gen_ai.response.model": textOf(model), "gen_ai.response.finish_reasons": [textOf(finishReason)] },
      ...{ "gen_ai.usage.input_tokens": Number(inputTokens ?? 0), "gen_ai.usage.output_tokens": Number(outputTokens ?? 0) },
      "dossier.cost_usd": Number(costUsd ?? 0),
    }),
  };
}

/** A journal's keys have no segment, unlike the origins of its events. */
function effectIn({ segment: { index, epoch } }: Traced, key: string): string {
  return `${index}.${epoch}/${key}`;
}

function taskIn(run: Traced, record: JournalRecord): string {
  const task = taskOf(record);
  return task === "" ? "" : effectIn(run, task);
}

function parentOf(traceparent: string | null): SpanContext | undefined {
  const parent = parseTraceparent(traceparent);
  if (parent === null) return undefined;
  const { traceId, spanId, flags } = parent;
  return { traceId, spanId, traceFlags: flags & TraceFlags.SAMPLED, isRemote: true };
}

/** Whoever asked may not want a trace. */
function flagsOf({ traceparent }: Traced): TraceFlags {
  return parentOf(traceparent)?.traceFlags ?? TraceFlags.SAMPLED;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
