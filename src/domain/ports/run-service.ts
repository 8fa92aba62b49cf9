import { z } from "zod";
import type { Accepted } from "../accepted.ts";
import type { StoredDocument } from "../document.ts";
import type { Estimate } from "../estimate.ts";
import type { RunEvent } from "../events.ts";
import type { LeftOutFile } from "../left-out.ts";
import type { Tenant } from "../owners.ts";
import type { Allowance } from "../quota.ts";
import type { Report } from "../report.ts";
import type { AnswerRequest, ForkRequest, ResearchRequest } from "../request.ts";
import type { Run, RunStatus } from "../run.ts";
import { ToolKindSchema } from "../tool.ts";
import type { UploadedFile } from "../upload.ts";
import type { OriginalFile } from "./originals.ts";

export interface RunFilter {
  readonly status?: RunStatus;
  readonly threadId?: string;
  readonly graph?: string;
  /** Each part between its spaces must be in the question or the title, in upper or lower case. */
  readonly text?: string;
  /** Only runs that this owner may see; null: somebody without a key. Default: all of the tenant. */
  readonly visibleTo?: string | null;
  readonly limit: number;
  readonly cursor?: string;
}

/** A page may have fewer runs than its limit and still have a next one. */
export interface RunPage {
  readonly runs: Run[];
  readonly nextCursor: string | null;
}

export interface StartOptions {
  /** Who asks: the name of a key. Default: somebody without a key. */
  readonly owner?: string | null;
  /** What the key of the owner may spend in a day. Default: without limit. */
  readonly allowance?: Allowance;
  readonly idempotencyKey?: string;
  /** The W3C `traceparent` of the request. */
  readonly traceparent?: string | null;
  /** Whether somebody waits for the answer, so that the run starts before those that nobody watches. */
  readonly isWatched?: boolean;
  readonly documents?: readonly UploadedFile[];
  /** Files that the caller wanted to give and could not, to be named in the report. */
  readonly leftOut?: readonly LeftOutFile[];
  /** Ends the reading of `documents`. */
  readonly signal?: AbortSignal;
}

export interface RunService {
  /**
   * Resolves after the run is stored and queued. A repeated idempotency key with the same files returns the first run. `documents` are kept
   * for the run's thread; if the request is refused, none of them is. Those that cannot be read are named in the report.
   * @throws DossierError `unknown_graph`, `unknown_source`, `limit_too_high`, `idempotency_mismatch`, `queue_full`, `budget_exhausted`, `draining`, and for
   * `documents` as `ThreadMaterialService.add`
   */
  start(tenant: Tenant, request: ResearchRequest, options?: StartOptions): Promise<Run>;
  /** `documents` are the names of files that come with the request. Reads and stores nothing. @throws DossierError as `start` does for a request that cannot be started */
  estimate(tenant: Tenant, request: ResearchRequest, documents?: readonly string[]): Promise<Estimate>;
  get(tenant: Tenant, runId: string): Promise<Run>;
  list(tenant: Tenant, filter: RunFilter): Promise<RunPage>;
  /** Yields events with `seq` above `after`, and null after `heartbeatMs` without an event. Ends after `run-ended` or an abort. */
  follow(
    tenant: Tenant,
    runId: string,
    options: { after: number; signal: AbortSignal; heartbeatMs: number },
  ): AsyncIterable<readonly RunEvent[] | null>;
  hasEventsAfter(tenant: Tenant, runId: string, after: number): Promise<boolean>;
  /** Resolves when the run ends or waits, after `timeoutMs`, or when `signal` is aborted. */
  wait(tenant: Tenant, runId: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<Run>;
  /**
   * Starts a run of the same thread that takes over what another one did before a step, and goes on from there with what is changed.
   * @throws DossierError `run_not_finished`, `invalid_request`, `queue_full`, and as `start` for what is changed
   */
  fork(tenant: Tenant, runId: string, request: ForkRequest, options?: Pick<StartOptions, "owner" | "allowance">): Promise<Run>;
  /** @throws DossierError `run_finished` */
  cancel(tenant: Tenant, runId: string): Promise<Run>;
  /** @throws DossierError `run_not_waiting`, `invalid_request` */
  answer(tenant: Tenant, runId: string, answer: AnswerRequest): Promise<Run>;
  /** Names a run, or takes its name away. */
  rename(tenant: Tenant, runId: string, title: string | null): Promise<Run>;
  /** @throws DossierError `run_not_finished` */
  delete(tenant: Tenant, runId: string): Promise<void>;
  /** @throws DossierError `not_found` */
  document(tenant: Tenant, runId: string, contentHash: string): Promise<StoredDocument>;
  /** Returns the file of the server's folder that a document was read from. @throws DossierError `not_found` if there is none, or it has changed */
  original(tenant: Tenant, runId: string, contentHash: string, signal: AbortSignal): Promise<OriginalFile>;
  /** Yields lines with their line ends. @throws DossierError `run_not_finished` while the run is queued or running */
  recording(tenant: Tenant, runId: string): AsyncIterable<string>;
  /** Yields one JSON text in pieces. @throws DossierError `no_report` */
  bundle(tenant: Tenant, runId: string): AsyncIterable<string>;
}

export const GraphSummarySchema = z.object({ name: z.string(), description: z.string() });
export type GraphSummary = z.infer<typeof GraphSummarySchema>;

export const GraphPictureSchema = GraphSummarySchema.extend({
  nodes: z.array(z.object({ id: z.string() })),
  edges: z.array(z.object({ source: z.string(), target: z.string(), conditional: z.boolean() })),
  mermaid: z.string(),
  teams: z.array(z.object({ name: z.string(), pattern: z.string(), children: z.array(z.string()) })).optional(),
});
export type GraphPicture = z.infer<typeof GraphPictureSchema>;

export const SourceStateSchema = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  configured: z.boolean(),
  needsKey: z.boolean(),
  /** The environment variable that must be set before it can be used. Absent if none is missing. */
  setting: z.string().optional(),
  lastTry: z.object({ at: z.string(), reachable: z.boolean(), failure: z.string().nullable() }).nullable(),
  /** Set for tool servers only. If `graphs` is null, all graphs may use the server. */
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

/** `reachable` is about the latest call of any model. Null before the first one. */
export const ModelsStateSchema = z.object({
  configured: z.boolean().describe("Whether there is a model. Without one, reports quote and sum up nothing."),
  server: z.string().nullable().describe("The host of the model server."),
  default: z.string().nullable(),
  roles: z.record(z.string(), z.string()).describe("The roles that have models of their own."),
  contextTokens: z.int().positive().nullable(),
  ranker: z.string().nullable().describe("What sorts passages by meaning, if anything does."),
  lastTry: SourceStateSchema.shape.lastTry,
});
export type ModelsState = z.infer<typeof ModelsStateSchema>;

export const OfferedModelsSchema = z.object({
  models: z.array(z.string()).describe("The names that the model server lists, at most 500."),
  failure: z.string().nullable().describe("Why the model server could not be asked."),
});
export type OfferedModels = z.infer<typeof OfferedModelsSchema>;

export const DataStateSchema = z.object({
  bytes: z.int().nonnegative().describe("The bytes of the files in the data folder."),
  tooLarge: z.boolean().describe("Whether the data takes more than MAX_DATA_GB although deleting ended runs cannot help."),
  cleaned: z.string().nullable().describe("When old runs were last looked for and deleted, or null."),
});
export type DataState = z.infer<typeof DataStateSchema>;

export const WorkStateSchema = z.object({
  active: z.int().nonnegative().describe("How many runs are being worked on."),
});
export type WorkState = z.infer<typeof WorkStateSchema>;

/** What a process does: everything, answer requests, or execute runs. */
export const RoleSchema = z.enum(["all", "api", "worker"]);
export type Role = z.infer<typeof RoleSchema>;

export const WorkerStateSchema = z.object({
  id: z.string(),
  role: RoleSchema,
  host: z.string(),
  pid: z.int(),
  startedAt: z.string().describe("When the process began, in ISO 8601."),
  spokeAt: z.string().describe("When it last reported, in ISO 8601."),
  runs: z.array(z.string()).describe("The ids of the runs that it executes."),
});
export type WorkerState = z.infer<typeof WorkerStateSchema>;

export const IndexingSchema = z
  .object({ done: z.int().nonnegative(), total: z.int().nonnegative() })
  .describe("While the corpus is being indexed: how many of its files the index has.");

export const CorpusContentsSchema = z.object({
  documents: z
    .array(z.object({ path: z.string(), title: z.string(), language: z.string().nullable(), publishedAt: z.string().nullable() }))
    .describe("One page of the indexed documents, by path."),
  nextCursor: z.string().nullable(),
  total: z.int().nonnegative().describe("The number of all indexed documents."),
  failed: z.int().nonnegative().describe("The number of files that could not be indexed."),
  languages: z
    .array(z.object({ language: z.string().nullable(), documents: z.int().positive() }))
    .describe("Most frequent first; null: unknown."),
  from: z.string().nullable().describe("The earliest date of a document."),
  to: z.string().nullable().describe("The latest date of a document."),
});
export type CorpusContents = z.infer<typeof CorpusContentsSchema>;

/** What a tenant may have of its own. */
export type TenantView = Pick<Operations, "sources" | "corpus" | "models" | "offeredModels">;

export interface Operations {
  /** How the deployment looks to a tenant. */
  of(tenant: Tenant): Promise<TenantView>;
  graphs(): GraphSummary[];
  /** @throws DossierError `not_found` */
  graph(name: string): GraphPicture;
  sources(): SourceState[];
  /** What of the corpus is indexed. `cursor` is the `nextCursor` of a page. @throws DossierError `unreachable` if the index cannot be read */
  corpus(page: { limit: number; cursor?: string }): CorpusContents;
  indexing(): z.infer<typeof IndexingSchema> | null;
  models(): ModelsState;
  /** Asks the model server for its models. */
  offeredModels(signal: AbortSignal): Promise<OfferedModels>;
  /** What requests may hold at most. */
  accepted(): Accepted;
  /** @throws DossierError `draining`, `storage_unavailable` or `storage_damaged` if runs are not accepted */
  ready(): Promise<DataState>;
  work(): WorkState;
  /** Says why an address is never reached, such as one in a private network; null if it may be. */
  refusalOf(url: string): string | null;
  /** In the text format of Prometheus. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** The processes that share the database, and what each executes. */
  workers(): Promise<WorkerState[]>;
}

export type FileFormat = "md" | "html" | "pdf" | "docx" | "bib";

export type ReportedRun = Run & { readonly report: Report };

export interface FileOptions {
  /** False leaves out where it looked, sentences left out, places of the quotes and receipt. */
  readonly appendix?: boolean;
  /** Of `html`: the content alone, for pasting into other programs. */
  readonly fragment?: boolean;
}

/** The same run always gives the same bytes. */
export interface ReportFiles {
  /**
   * @throws DossierError `timeout` if rendering takes too long, `draining` if the service closes
   */
  render(run: ReportedRun, format: FileFormat, signal: AbortSignal, options?: FileOptions): Promise<Uint8Array>;
  readonly htmlPolicy: string;
  /** Waits for the file that is being rendered. Files that wait are refused with `draining`. */
  drain(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
