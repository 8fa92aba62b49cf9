import { createHash } from "node:crypto";
import type { StoredDocument } from "../../src/domain/document.ts";
import type { Estimate } from "../../src/domain/estimate.ts";
import type { EventBody, RunEvent } from "../../src/domain/events.ts";
import type { Tenant } from "../../src/domain/owners.ts";
import type { OriginalFile } from "../../src/domain/ports/originals.ts";
import type { RunFilter, RunPage, RunService } from "../../src/domain/ports/run-service.ts";
import type { AnswerRequest, ForkRequest, ResearchRequest } from "../../src/domain/request.ts";
import { isEnded, type Run } from "../../src/domain/run.ts";
import { DossierError } from "../../src/errors.ts";

interface Call {
  readonly method: keyof RunService;
  readonly args: readonly unknown[];
}

interface Kept {
  run: Run;
  readonly events: RunEvent[];
  readonly documents: Map<string, StoredDocument>;
}

/** An in-memory run service that does only what a test scripts. It records every call; `failNext` makes one call of a method throw. */
export class FakeRunService implements RunService {
  readonly calls: Call[] = [];
  /** The most events per page of `follow`, the pages handed out, and the current number of readers. */
  pageSize = 100;
  pagesTaken = 0;
  followers = 0;
  recordingLines: readonly string[] = ["{}\n"];
  bundlePieces: readonly string[] = ["{", "}"];
  originalFile: OriginalFile = { bytes: Buffer.from("file"), mediaType: "text/plain", name: "file.txt" };
  readonly #kept = new Map<string, Kept>();
  readonly #keys = new Map<string, { body: string; id: string }>();
  readonly #failures = new Map<keyof RunService, unknown>();
  readonly #changes = new Set<() => void>();

  async estimate(): Promise<Estimate> {
    const none = { from: 0, to: 0 };
    const sizes = { modelCalls: none, documents: none, tokens: none, costUsd: null, seconds: { to: 1 } };
    const limits = { optionalToolLoops: 0, steps: 1, modelCalls: 0, tokens: 0, costUsd: null, seconds: 1, downloads: 0 };
    return { graph: "executor", depth: null, ...sizes, limits, sent: null, lowered: [] };
  }

  failNext(method: keyof RunService, error: unknown): void {
    this.#failures.set(method, error);
  }

  /** Adds a run as if it had been started before. */
  add(run: Partial<Run> = {}): Run {
    const id = run.id ?? `run-${this.#kept.size + 1}`;
    const whole = { ...blankRun(id), ...run, id };
    this.#kept.set(id, { run: whole, events: [], documents: new Map() });
    return whole;
  }

  say(id: string, ...bodies: EventBody[]): void {
    const { events } = this.#find(id);
    for (const body of bodies) events.push({ seq: events.length + 1, runId: id, at: "2026-08-01T10:00:00.000Z", path: "", ...body });
    this.#tell();
  }

  /** Ends the run: sets its status and emits its last event. */
  end(id: string, change: Partial<Run> = {}): void {
    const termination = { reason: "completed" as const, node: null, detail: null };
    this.change(id, { status: "succeeded", termination, ...change });
    this.say(id, { type: "run-ended", status: "succeeded", termination });
  }

  change(id: string, change: Partial<Run>): void {
    const kept = this.#find(id);
    kept.run = { ...kept.run, ...change };
    this.#tell();
  }

  keep(id: string, text: string): string {
    const contentHash = createHash("sha256").update(text).digest("hex");
    const document = { text, contentHash, title: "", url: "", language: null, publishedAt: null, author: null, blocks: [] };
    this.#find(id).documents.set(contentHash, document);
    return contentHash;
  }

  async start(tenant: Tenant, request: ResearchRequest, options: { idempotencyKey?: string } = {}): Promise<Run> {
    this.#record("start", tenant, request, options);
    const body = JSON.stringify(request);
    const earlier = options.idempotencyKey === undefined ? undefined : this.#keys.get(options.idempotencyKey);
    if (earlier && earlier.body !== body) throw new DossierError("idempotency_mismatch", "Another body.");
    if (earlier) return this.#find(earlier.id).run;
    const run = this.add({ question: request.question, metadata: request.metadata ?? {} });
    if (options.idempotencyKey !== undefined) this.#keys.set(options.idempotencyKey, { body, id: run.id });
    this.say(run.id, { type: "run-queued" });
    return run;
  }

  async get(tenant: Tenant, runId: string): Promise<Run> {
    this.#record("get", tenant, runId);
    return this.#find(runId).run;
  }

  async list(tenant: Tenant, filter: RunFilter): Promise<RunPage> {
    this.#record("list", tenant, filter);
    const runs = [...this.#kept.values()].map(({ run }) => run).reverse();
    const wanted = runs.filter((run) => filter.status === undefined || run.status === filter.status);
    return { runs: wanted.slice(0, filter.limit), nextCursor: wanted.length > filter.limit ? "more" : null };
  }

  async *follow(
    tenant: Tenant,
    runId: string,
    options: { after: number; signal: AbortSignal; heartbeatMs: number },
  ): AsyncGenerator<readonly RunEvent[] | null> {
    this.#record("follow", tenant, runId, options);
    this.followers += 1;
    try {
      for (let seq = options.after; !options.signal.aborted; ) {
        const page = this.#find(runId).events.slice(seq, seq + this.pageSize);
        seq += page.length;
        this.pagesTaken += 1;
        if (page.length > 0) yield page;
        if (page.at(-1)?.type === "run-ended") return;
        if (page.length === 0 && !(await this.#changed(options.signal, options.heartbeatMs))) yield null;
      }
    } finally {
      this.followers -= 1;
    }
  }

  async hasEventsAfter(tenant: Tenant, runId: string, after: number): Promise<boolean> {
    this.#record("hasEventsAfter", tenant, runId, after);
    const { run, events } = this.#find(runId);
    return events.length > after || !isEnded(run.status);
  }

  async wait(tenant: Tenant, runId: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<Run> {
    this.#record("wait", tenant, runId, options);
    const settled = () => isEnded(this.#find(runId).run.status) || this.#find(runId).run.status === "waiting";
    let isLate = false;
    while (!settled() && !isLate && !options.signal.aborted) isLate = !(await this.#changed(options.signal, options.timeoutMs));
    return this.#find(runId).run;
  }

  async cancel(tenant: Tenant, runId: string): Promise<Run> {
    this.#record("cancel", tenant, runId);
    if (isEnded(this.#find(runId).run.status)) throw new DossierError("run_finished", "The run has ended already.");
    this.change(runId, { status: "cancelled" });
    return this.#find(runId).run;
  }

  async answer(tenant: Tenant, runId: string, answer: AnswerRequest): Promise<Run> {
    this.#record("answer", tenant, runId, answer);
    if (this.#find(runId).run.status !== "waiting") throw new DossierError("run_not_waiting", "The run waits for nothing.");
    this.change(runId, { status: "running" });
    return this.#find(runId).run;
  }

  async fork(tenant: Tenant, runId: string, request: ForkRequest): Promise<Run> {
    this.#record("fork", tenant, runId, request);
    return this.add({ threadId: this.#find(runId).run.threadId });
  }

  async rename(tenant: Tenant, runId: string, title: string | null): Promise<Run> {
    this.#record("rename", tenant, runId, title);
    const { title: _, ...unnamed } = this.#find(runId).run;
    this.#find(runId).run = title === null ? unnamed : { ...unnamed, title };
    return this.#find(runId).run;
  }

  async delete(tenant: Tenant, runId: string): Promise<void> {
    this.#record("delete", tenant, runId);
    if (!isEnded(this.#find(runId).run.status)) throw new DossierError("run_not_finished", "The run is still under way.");
    this.#kept.delete(runId);
  }

  async document(tenant: Tenant, runId: string, contentHash: string): Promise<StoredDocument> {
    this.#record("document", tenant, runId, contentHash);
    const document = this.#find(runId).documents.get(contentHash);
    if (document === undefined) throw new DossierError("not_found", "The run uses no such document.");
    return document;
  }

  async original(tenant: Tenant, runId: string, contentHash: string): Promise<OriginalFile> {
    this.#record("original", tenant, runId, contentHash);
    this.#find(runId);
    return this.originalFile;
  }

  async *recording(tenant: Tenant, runId: string): AsyncGenerator<string> {
    this.#record("recording", tenant, runId);
    if (!isEnded(this.#find(runId).run.status)) throw new DossierError("run_not_finished", "The run is still under way.");
    yield* this.recordingLines;
  }

  async *bundle(tenant: Tenant, runId: string): AsyncGenerator<string> {
    this.#record("bundle", tenant, runId);
    if (this.#find(runId).run.report === null) throw new DossierError("no_report", "The run has no report.");
    yield* this.bundlePieces;
  }

  #record(method: keyof RunService, ...args: unknown[]): void {
    this.calls.push({ method, args });
    if (!this.#failures.has(method)) return;
    const failure = this.#failures.get(method);
    this.#failures.delete(method);
    throw failure;
  }

  #find(id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw new DossierError("not_found", "There is no run of that id.");
    return kept;
  }

  #tell(): void {
    for (const change of [...this.#changes]) change();
  }

  /** Resolves with true if something happens or the signal is aborted within this many milliseconds, and with false otherwise. */
  #changed(signal: AbortSignal, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (changed: boolean) => {
        clearTimeout(timer);
        this.#changes.delete(onChange);
        signal.removeEventListener("abort", onChange);
        resolve(changed);
      };
      const onChange = () => settle(true);
      const timer = setTimeout(() => settle(false), withinMs);
      this.#changes.add(onChange);
      signal.addEventListener("abort", onChange);
    });
  }
}

function blankRun(id: string): Run {
  return {
    id,
    threadId: `thread-of-${id}`,
    graph: "executor",
    question: "What is a dossier?",
    language: "auto",
    status: "running",
    createdAt: "2026-08-01T10:00:00.000Z",
    startedAt: null,
    endedAt: null,
    termination: null,
    pending: [],
    usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, toolCalls: 0, sourceRequests: 0, downloads: 0, costUsd: 0, models: [] },
    report: null,
    todos: null,
    children: null,
    error: null,
    metadata: {},
    links: { self: `/research/${id}` },
  };
}
