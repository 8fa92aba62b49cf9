import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { DomainEvent } from "../domain/events.ts";
import type { ClaimedRun } from "../domain/ports/run-store.ts";
import type { JournalRecord, LoggedEvent } from "../domain/recording.ts";
import { fieldsOf, textOf } from "../util/json-fields.ts";
import { nodeOf, outcomeOf, subjectOf } from "./effects.ts";

export interface MetricsOptions {
  readonly version: string;
  /** The runs that this process executes. */
  readonly active: () => number;
  /** The queue of all processes: how many runs may start now, and when the oldest one was created. */
  readonly queue: () => Promise<{ readonly queued: number; readonly oldestAt: number | null }>;
  readonly clock: () => number;
}

/** More values of a label count as one. Names of models and tools come from outside. */
const MAX_VALUES = 100;
const OTHERS = "other";
/** In seconds. */
const EFFECT_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const RUN_BUCKETS = [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600];

let ofProcess: Registry | null = null;

/** Memory, processor time and the like. There is one registry for all services of a process, because what measures is never freed. */
function processRegistry(): Registry {
  if (ofProcess !== null) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

/** Counts what the runs of this process do. Every event and effect is heard once, where it happens, and not where it is repeated after a crash. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #process = processRegistry();
  readonly #known = new Map<string, Set<string>>();
  readonly #runs = this.#counter("runs_total", "Runs that ended.", ["graph", "status", "termination"]);
  readonly #runSeconds = this.#histogram("run_seconds", "Time of a run from its first start to its end.", ["graph"], RUN_BUCKETS);
  readonly #nodeSeconds = this.#histogram("node_seconds", "Time of a node.", ["graph", "node"], EFFECT_BUCKETS);
  readonly #loops = this.#counter("loop_endings_total", "How loops of optional tools ended.", ["reason"]);
  readonly #effects = this.#histogram(
    "effect_seconds",
    "Time of searches, downloads, calls of tools and of models, by their source, tool or model and by outcome: ok or the code of the error.",
    ["kind", "of", "outcome"],
    EFFECT_BUCKETS,
  );
  readonly #tokens = this.#counter("model_tokens_total", "Tokens of model calls.", ["model", "node", "direction"]);
  readonly #cost = this.#counter("model_cost_usd_total", "Cost of model calls in US dollars.", ["model", "node"]);

  constructor({ version, active, queue, clock }: MetricsOptions) {
    const registers = [this.#registry];
    new Gauge({ name: "dossier_build_info", help: "The version of the program.", labelNames: ["version"], registers }).set({ version }, 1);
    const gauge = (name: string, help: string, read: () => number | Promise<number>): void => {
      new Gauge({
        ...{ name: `dossier_${name}`, help, registers },
        async collect() {
          this.set(await read());
        },
      });
    };
    gauge("active_runs", "Runs that this process executes.", active);
    gauge("queued_runs", "Runs of all processes that could start now.", async () => (await queue()).queued);
    gauge("queue_oldest_seconds", "How long the oldest of them has waited.", async () => {
      const { oldestAt } = await queue();
      return oldestAt === null ? 0 : Math.max(0, clock() - oldestAt) / 1_000;
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** In the text format of Prometheus. */
  async text(): Promise<string> {
    return (await Promise.all([this.#process.metrics(), this.#registry.metrics()])).join("");
  }

  onEvent({ graph, startedAt }: ClaimedRun, event: DomainEvent, { at }: LoggedEvent): void {
    if (event.type === "node-ended")
      this.#nodeSeconds.observe({ graph, node: this.#bounded("node", event.node) }, event.durationMs / 1_000);
    if (event.type === "loop-ended") this.#loops.inc({ reason: event.reason });
    if (event.type !== "run-ended") return;
    this.#runs.inc({ graph, status: event.status, termination: event.termination.reason });
    this.#runSeconds.observe({ graph }, Math.max(0, at - startedAt) / 1_000);
  }

  onEffect(_run: ClaimedRun, record: JournalRecord, ms: number): void {
    const subject = subjectOf(record);
    if (subject === null) return;
    const of = this.#bounded(record.kind, subject);
    this.#effects.observe({ kind: record.kind, of, outcome: outcomeOf(record) }, ms / 1_000);
    if (record.kind !== "model" || !record.ok) return;
    const { usage, costUsd, model } = fieldsOf(record.result);
    const { inputTokens, outputTokens } = fieldsOf(usage);
    const who = { model: this.#bounded("model", textOf(model)), node: this.#bounded("node", nodeOf(record)) };
    this.#tokens.inc({ ...who, direction: "input" }, Number(inputTokens ?? 0));
    this.#tokens.inc({ ...who, direction: "output" }, Number(outputTokens ?? 0));
    this.#cost.inc(who, Number(costUsd ?? 0));
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name: `dossier_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #histogram<Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]): Histogram<Label> {
    return new Histogram({ name: `dossier_${name}`, help, labelNames, buckets, registers: [this.#registry] });
  }

  #bounded(label: string, value: string): string {
    const known = this.#known.get(label) ?? new Set();
    this.#known.set(label, known);
    if (!known.has(value) && known.size >= MAX_VALUES) return OTHERS;
    known.add(value);
    return value;
  }
}
