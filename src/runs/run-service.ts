import { randomUUID } from "node:crypto";
import type { Estimate, EstimateTerms } from "../domain/estimate.ts";
import type { RunEvent } from "../domain/events.ts";
import { hashJson, type JsonValue } from "../domain/json.ts";
import type { LeftOutFile } from "../domain/left-out.ts";
import { planFaults } from "../domain/normalize-plan.ts";
import type { Tenant } from "../domain/owners.ts";
import { PlanSchema } from "../domain/plan.ts";
import type { ThreadDocument } from "../domain/ports/material.ts";
import type { Originals } from "../domain/ports/originals.ts";
import type { RunPage, RunService } from "../domain/ports/run-service.ts";
import type { NewRun, PendingInterrupt, RunStore } from "../domain/ports/run-store.ts";
import type { DocumentStore } from "../domain/ports/sources.ts";
import { type Admission, type Allowance, type Quotas, type RunsAtOnce, UNLIMITED } from "../domain/quota.ts";
import type { AnswerRequest, ResearchRequest } from "../domain/request.ts";
import { isEnded, type Run } from "../domain/run.ts";
import { type UploadedFile, uploadedHash } from "../domain/upload.ts";
import { DossierError } from "../errors.ts";
import type { GraphRegistry } from "../graphs/registry.ts";
import { sha256Of } from "../util/sha256.ts";
import { isBlank } from "../util/visible-text.ts";
import { leftToday, reservationOf, resolveShare, resolveWithin, withinBudget } from "./daily-budget.ts";
import type { Engine } from "./engine.ts";
import { followEvents, type Wakeups } from "./follow-events.ts";
import { forkOf } from "./fork-run.ts";
import type { Policy } from "./policy.ts";
import { resolveTask } from "./resolve-task.ts";
import type { MaterialService } from "./thread-material.ts";

const MAX_FAULTS = 50;
const EVENTS_READ = 200;

interface RunServiceDeps {
  readonly store: RunStore;
  readonly documents: DocumentStore;
  /** The local files that the runs of a tenant read. */
  readonly originalsOf: (tenant: Tenant) => Originals;
  readonly threads: Pick<MaterialService, "list" | "read" | "keep" | "original">;
  readonly engine: Engine;
  readonly wakeups: Wakeups;
  /** Tells readers and other processes that a run has changed. */
  readonly onChanged: (runId: string) => void;
  readonly graphs: GraphRegistry;
  /** What holds for the runs of a tenant. */
  readonly policyOf: (tenant: Tenant) => Promise<Policy>;
  readonly quotas: Quotas;
  readonly clock: () => number;
  readonly maxQueued: number;
  readonly runsAtOnce: RunsAtOnce;
  readonly onDeleted: () => void;
  readonly estimate: (terms: EstimateTerms) => Estimate;
  readonly exportRecording: RunService["recording"];
  readonly exportBundle: RunService["bundle"];
}

interface Asked extends Omit<NewRun, "task" | "at" | "startAfter" | "onBusyThread"> {
  readonly admission: Admission;
  readonly policy: Policy;
  /** What the run may spend today. */
  readonly left: Allowance;
  /** Whether the thread is new and was given nothing. */
  readonly isEmpty: boolean;
}

/** Stands for a file of which only the name is known. */
function unreadDocument(name: string, at: number): ThreadDocument {
  const unknown = { language: null, publishedAt: null, characters: 0, bytes: 0, incomplete: null, addedAt: "", otherNames: [] };
  return { ...unknown, name, title: name, contentHash: String(at), sourceId: `unread:${at}` };
}

export function createRunService(deps: RunServiceDeps): RunService {
  const { store, documents, engine, wakeups, clock, onDeleted } = deps;

  const get = async (tenant: Tenant, runId: string): Promise<Run> => (await store.get(tenant, runId)) ?? notFound(runId);

  const refuseFull = async (tenant: Tenant): Promise<void> => {
    if ((await store.countQueued(tenant)) < deps.maxQueued) return;
    throw new DossierError("queue_full", `${deps.maxQueued} of your runs are queued. Nothing was stored; try again later.`);
  };

  const admissionOf = (ofKey: Allowance, reserved: Admission["reserved"]): Admission => {
    return { runsAtOnce: deps.runsAtOnce, ofKey, ofTenant: deps.quotas.ofTenant, reserved };
  };

  /** Call it when the cancel of a run is stored. */
  const stopped = (runId: string): void => {
    engine.cancel(runId);
    deps.onChanged(runId);
  };

  const create = async (asked: Asked, leftOut: readonly LeftOutFile[]) => {
    const run = await newRun(deps, asked, leftOut);
    const storing = store.create(run);
    // Before the await: with a free slot, one transaction of SQLite stores and claims the run.
    if (!engine.hasOthers) engine.poke();
    const stored = await storing;
    for (const runId of stored.stopped) stopped(runId);
    engine.poke();
    return stored;
  };

  return {
    async start(tenant, request, options = {}) {
      if (engine.draining) throw new DossierError("draining", "Nothing was stored: the server is shutting down. Try again in a moment.");
      const {
        owner = null,
        allowance = UNLIMITED,
        isWatched = false,
        traceparent = null,
        documents: files = [],
        leftOut: missed = [],
        signal = new AbortController().signal,
      } = options;
      const idempotencyKey = ownKey(owner, options.idempotencyKey);
      const requestHash = await hashOf(request, files);
      const first = idempotencyKey === null ? null : await store.findByKey(tenant, idempotencyKey);
      if (first !== null) return first.requestHash === requestHash ? get(tenant, first.id) : throwMismatch(first.id);
      const policy = await deps.policyOf(tenant);
      const isFree = policy.models === null || request.limits?.modelCalls === 0;
      const remaining = () => leftToday(deps, { tenant, owner }, allowance, isFree);
      const left = await remaining();
      // Reading them takes time.
      if (files.length > 0) resolveWithin({ ...deps, policy }, request, left, clock());
      await refuseFull(tenant);
      const id = newRunId(clock());
      const place = { tenant, threadId: request.threadId ?? id, owner };
      const { documents: read, leftOut } = await deps.threads.read(place, files, signal);
      const undo = await deps.threads.keep(place, read);
      const isEmpty = request.threadId === undefined && read.length === 0;
      const asked = { id, ...place, isWatched, traceparent, request, policy, isEmpty, idempotencyKey, requestHash };
      const attempt = (rest: Allowance) =>
        create({ ...asked, left: rest, admission: admissionOf(allowance, null) }, [...missed, ...leftOut]);
      const stored = await withinBudget(left, attempt, remaining).catch(async (error: unknown) => {
        await undo().catch(() => undefined);
        throw error;
      });
      // An equal request came first at the same time. Its run has a thread of its own.
      if (!stored.created && request.threadId === undefined) await undo();
      if (stored.requestHash !== requestHash) throwMismatch(stored.id);
      return get(tenant, stored.id);
    },

    async estimate(tenant, request, names = []) {
      const { threadId, graph } = request;
      const kept = threadId === undefined ? { documents: [], urls: [] } : await deps.threads.list(tenant, threadId);
      const material = { ...kept, documents: [...kept.documents, ...names.map(unreadDocument)] };
      // Files may still come with the request itself.
      const given = material.documents.length + material.urls.length > 0 ? material : null;
      const policy = await deps.policyOf(tenant);
      const task = resolveTask(request, policy, deps.graphs, clock(), given);
      return deps.estimate({ task, graph, caps: policy.limits, inThread: threadId !== undefined || names.length > 0 });
    },
    get,
    list: (tenant, filter): Promise<RunPage> => store.list(tenant, filter),

    async *follow(tenant, runId, options): AsyncIterable<readonly RunEvent[] | null> {
      await headOf(store, tenant, runId);
      yield* followEvents(store, wakeups, { tenant, runId, ...options });
    },

    async hasEventsAfter(tenant, runId, after) {
      const head = await headOf(store, tenant, runId);
      // A stream that has begun cannot say why the first page cannot be read.
      return !isEnded(head.status) || (await store.events(runId, after, EVENTS_READ)).length > 0;
    },

    async wait(tenant, runId, { timeoutMs, signal }) {
      const until = performance.now() + timeoutMs;
      const subscription = wakeups.subscribe(runId);
      try {
        for (;;) {
          const { status } = await headOf(store, tenant, runId);
          const leftMs = until - performance.now();
          if (isEnded(status) || status === "waiting" || signal.aborted || leftMs <= 0) return get(tenant, runId);
          await subscription.next(leftMs, signal);
        }
      } finally {
        subscription.close();
      }
    },

    async fork(tenant, runId, request, { owner = null, allowance = UNLIMITED } = {}) {
      if (engine.draining) throw new DossierError("draining", "Nothing was stored: the server is shutting down. Try again in a moment.");
      const run = await get(tenant, runId);
      const policy = await deps.policyOf(tenant);
      const left = await leftToday(deps, { tenant, owner }, allowance, policy.models === null);
      await refuseFull(tenant);
      const material = await deps.threads.list(tenant, run.threadId);
      const id = newRunId(clock());
      const fork = { ...forkOf(run, request, { ...deps, policy, material, at: clock() }), tenant, id, owner };
      await store.fork({ ...fork, admission: admissionOf(allowance, reservationOf(left, run.limits ?? policy.limits)) });
      engine.poke();
      return get(tenant, id);
    },

    async cancel(tenant, runId) {
      await headOf(store, tenant, runId);
      const outcome = await store.requestCancel(tenant, runId, clock());
      stopped(runId);
      if (outcome === "unknown") notFound(runId);
      if (outcome === "ended") throw new DossierError("run_finished", `The run ${runId} has already ended, so it was not cancelled.`);
      return get(tenant, runId);
    },

    async answer(tenant, runId, answer) {
      const run = await get(tenant, runId);
      const question = choosePending(await store.pending(runId), run, answer.pendingId);
      const stored = await store.answer(runId, question.id, answerTo(question, answer), clock());
      if (!stored) throw new DossierError("run_not_waiting", "This answer was not stored: the question was answered in the meantime.");
      deps.onChanged(runId);
      engine.poke();
      return get(tenant, runId);
    },

    async rename(tenant, runId, title) {
      if (!(await store.rename(tenant, runId, title))) notFound(runId);
      return get(tenant, runId);
    },

    async delete(tenant, runId) {
      await headOf(store, tenant, runId);
      if (await store.delete(tenant, runId)) return onDeleted();
      throw new DossierError("run_not_finished", "Nothing was deleted: the run is queued or running. Cancel it first.");
    },

    async document(tenant, runId, contentHash) {
      await headOf(store, tenant, runId);
      return documents.get(runId, contentHash);
    },

    async original(tenant, runId, contentHash, signal) {
      await headOf(store, tenant, runId);
      const document = await documents.get(runId, contentHash);
      if (uploadedHash(document.url) !== null) return deps.threads.original(runId, contentHash);
      return deps.originalsOf(tenant).original(document, signal);
    },

    recording: deps.exportRecording,
    bundle: deps.exportBundle,
  };
}

async function newRun(deps: RunServiceDeps, { policy, left, isEmpty, ...asked }: Asked, leftOut: readonly LeftOutFile[]): Promise<NewRun> {
  const { tenant, threadId, request } = asked;
  const at = deps.clock();
  const material = isEmpty ? { documents: [], urls: [] } : await deps.threads.list(tenant, threadId);
  const resolved = resolveShare({ ...deps, policy }, request, left, at, material);
  const admission = { ...asked.admission, reserved: reservationOf(left, resolved.limits) };
  const task = leftOut.length === 0 ? resolved : { ...resolved, leftOut: [...leftOut] };
  const { messages: _, context: __, ...stored } = request;
  const startAfter = request.startAfter === undefined ? null : Date.parse(request.startAfter);
  const when = { startAfter, onBusyThread: request.onBusyThread ?? "enqueue" } as const;
  return { ...asked, admission, ...when, request: { ...stored, metadata: task.metadata }, task, at };
}

/** Two people in a tenant may choose the same key. */
function ownKey(owner: string | null, idempotencyKey: string | undefined): string | null {
  if (idempotencyKey === undefined) return null;
  return owner === null ? idempotencyKey : `${owner}\n${idempotencyKey}`;
}

/** Covers the content of the files, so that a repeated request with other files is another request. */
async function hashOf(request: ResearchRequest, files: readonly UploadedFile[]): Promise<string> {
  if (files.length === 0) return hashJson(request);
  const documents: { name: string; sha256: string }[] = [];
  for (const { name, bytes } of files) documents.push({ name, sha256: await sha256Of(bytes) });
  return hashJson({ request, documents } as JsonValue);
}

async function headOf(store: RunStore, tenant: Tenant, runId: string) {
  return (await store.head(tenant, runId)) ?? notFound(runId);
}

function notFound(runId: string): never {
  throw new DossierError("not_found", `There is no run ${runId}.`);
}

function throwMismatch(runId: string): never {
  const message = `This Idempotency-Key started run ${runId} with another body. Nothing was stored; use a new key.`;
  throw new DossierError("idempotency_mismatch", message);
}

function choosePending(pending: readonly PendingInterrupt[], run: Run, pendingId: string | undefined): PendingInterrupt {
  if (run.status !== "waiting" || pending.length === 0)
    throw new DossierError("run_not_waiting", `This answer was not stored: the run is ${run.status} and asks no question.`);
  const advice = `Set pendingId to one of ${pending.map(({ id }) => id).join(", ")}.`;
  if (pendingId === undefined && pending.length > 1)
    throw new DossierError("invalid_request", `This answer was not stored: the run asks several questions. ${advice}`);
  const question = pendingId === undefined ? pending[0] : pending.find(({ id }) => id === pendingId);
  if (question === undefined)
    throw new DossierError("run_not_waiting", `This answer was not stored: there is no open question with the id ${pendingId}. ${advice}`);
  return question;
}

function answerTo({ kind }: PendingInterrupt, { answer, approve, reason, plan }: AnswerRequest): JsonValue {
  if (kind === "question") {
    if (answer != null && !(typeof answer === "string" && isBlank(answer))) return answer;
    const fault = answer === undefined ? "is missing" : "is empty";
    throw invalidAnswer("Nothing was stored. Answer a question with {answer}.", "/answer", fault);
  }
  if (kind === "plan" && plan !== undefined) {
    if (approve !== false) return { approve: true, plan: checkedPlan(plan) };
    const message = "A plan cannot be rejected and replaced at once. Nothing was stored, and the run continues to wait.";
    throw invalidAnswer(message, "/approve", "is false, but a plan is given; leave out one of the two");
  }
  if (approve !== undefined) return { approve, reason: reason ?? "" };
  const ways = kind === "plan" ? "{approve} or {plan}" : "{approve}";
  throw invalidAnswer(`Nothing was stored. Answer a ${kind} with ${ways}.`, "/approve", "is missing");
}

function invalidAnswer(message: string, path: string, fault: string): DossierError {
  return new DossierError("invalid_request", message, { faults: [{ path, message: fault }] });
}

function checkedPlan(plan: JsonValue): JsonValue {
  const faults = planFaults(plan).slice(0, MAX_FAULTS);
  if (faults.length === 0) return PlanSchema.parse(plan) as unknown as JsonValue;
  const message = "The plan cannot be executed as it is. Nothing was stored, and the run continues to wait.";
  throw new DossierError("invalid_request", message, {
    faults: faults.map((fault) => ({ path: `/plan${fault.path}`, message: fault.message })),
  });
}

/** Returns a UUID version 7 (RFC 9562). `at` is in ms since 1970. Ids grow with time, so a transaction touches few database pages. */
export function newRunId(at: number): string {
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
