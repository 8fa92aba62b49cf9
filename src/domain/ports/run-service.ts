import { z } from "zod";
import type { StoredDocument } from "../document.ts";
import type { RunEvent } from "../events.ts";
import type { AnswerRequest, ResearchRequest } from "../request.ts";
import type { Run, RunStatus } from "../run.ts";
import { ToolKindSchema } from "../tool.ts";

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

export const GraphSummarySchema = z.object({ name: z.string(), description: z.string() });
type GraphSummary = z.infer<typeof GraphSummarySchema>;

/** A graph as compiled: the drawing is made from it, never beside it. */
export const GraphPictureSchema = GraphSummarySchema.extend({
  nodes: z.array(z.object({ id: z.string() })),
  edges: z.array(z.object({ source: z.string(), target: z.string(), conditional: z.boolean() })),
  mermaid: z.string(),
  /** Of the graph `team`: the teams that a request may name. */
  teams: z.array(z.object({ name: z.string(), pattern: z.string(), children: z.array(z.string()) })).optional(),
});
export type GraphPicture = z.infer<typeof GraphPictureSchema>;

export const SourceStateSchema = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  configured: z.boolean(),
  needsKey: z.boolean(),
  /** When it was last tried: whether it answered. Null before the first try. */
  lastTry: z.object({ at: z.string(), reachable: z.boolean(), failure: z.string().nullable() }).nullable(),
  /** Of a server of tools: whether there is a connection now, the graphs that may use it (null: all), and what it offered last. */
  server: z
    .object({
      connected: z.boolean(),
      graphs: z.array(z.string()).nullable(),
      tools: z.array(z.object({ name: z.string(), kind: ToolKindSchema })),
      message: z.string().nullable(),
    })
    .optional(),
});
export type SourceState = z.infer<typeof SourceStateSchema>;

/** What operators and pages ask about the service rather than about a run. */
export interface Operations {
  graphs(): GraphSummary[];
  /** @throws DossierError `not_found` */
  graph(name: string): GraphPicture;
  sources(): SourceState[];
  /** Resolves when runs can be taken; throws with what is missing otherwise. */
  ready(): Promise<void>;
}
