import type { StoredDocument } from "../document.ts";
import type { RunEvent } from "../events.ts";
import type { AnswerRequest, ResearchRequest } from "../request.ts";
import type { Run, RunStatus } from "../run.ts";

/** Whose runs a caller may see; every method is confined to it. */
export type Tenant = string;

export interface RunPage {
  readonly runs: Run[];
  readonly nextCursor: string | null;
}

/** The one engine behind every route. Unknown run ids throw `not_found`, and whatever writes `storage_unavailable` while the database refuses. */
export interface RunService {
  /**
   * Stores and queues a run before it resolves. With an idempotency key a repeat gives the first run back.
   * @throws DossierError `unknown_graph`, `unknown_source`, `limit_too_high`, `idempotency_mismatch`, `queue_full`, `draining`
   */
  start(tenant: Tenant, request: ResearchRequest, options?: { idempotencyKey?: string }): Promise<Run>;
  get(tenant: Tenant, runId: string): Promise<Run>;
  list(tenant: Tenant, filter: { status?: RunStatus; threadId?: string; limit: number; cursor?: string }): Promise<RunPage>;
  /**
   * The events after `after`, page by page as the reader takes them, then those to come; ends after `run-ended`, or when
   * `signal` is aborted. A `null` is yielded every `heartbeatMs` without an event. Never holds more than one page.
   */
  follow(
    tenant: Tenant,
    runId: string,
    options: { after: number; signal: AbortSignal; heartbeatMs: number },
  ): AsyncIterable<readonly RunEvent[] | null>;
  /** Whether an event with a `seq` above `after` exists or may still come. */
  hasEventsAfter(tenant: Tenant, runId: string, after: number): Promise<boolean>;
  /** The run as soon as it has ended or waits, or as it stands after `timeoutMs` or when `signal` is aborted. */
  wait(tenant: Tenant, runId: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<Run>;
  /** @throws DossierError `run_finished` */
  cancel(tenant: Tenant, runId: string): Promise<Run>;
  /** @throws DossierError `run_not_waiting`, `invalid_request` */
  answer(tenant: Tenant, runId: string, answer: AnswerRequest): Promise<Run>;
  /** @throws DossierError `run_not_finished` */
  delete(tenant: Tenant, runId: string): Promise<void>;
  /** A document the run uses. @throws DossierError `not_found` */
  document(tenant: Tenant, runId: string, contentHash: string): Promise<StoredDocument>;
  /** The recording, line by line, each with its line end. @throws DossierError `run_not_finished` while it is queued or runs */
  recording(tenant: Tenant, runId: string): AsyncIterable<string>;
  /** The evidence bundle as one JSON text, piece by piece. @throws DossierError `no_report` while there is none */
  bundle(tenant: Tenant, runId: string): AsyncIterable<string>;
}
