import { resolve } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { type Logger, pino } from "pino";
import type { JudgingRole } from "./analyst/model/research-roles.ts";
import { defineGraphs, executorDeps, toolsOf } from "./compose/graphs.ts";
import { openModel, openSemantic, recordedModel } from "./compose/models.ts";
import { type OnEvent, observers, operationsOf, refusalLog } from "./compose/operations.ts";
import { limitsOf, openTeams, widestScope } from "./compose/policy.ts";
import { PROGRAM, VERSION } from "./compose/program.ts";
import { checkGraphs, type OnIndexed, openCorpus, openNetwork, openToolServers, RECORDED_SERVERS, readerOf } from "./compose/sources.ts";
import type { Config } from "./config.ts";
import { createExtractor } from "./documents/extract.ts";
import { createIsolatedExtractor } from "./documents/isolation/isolated-extractor.ts";
import { createWebReader } from "./documents/web-reader.ts";
import { hashJson } from "./domain/json.ts";
import type { Analyst } from "./domain/ports/analyst.ts";
import type { DocumentExtractor, DocumentReader } from "./domain/ports/documents.ts";
import type { ReportFiles } from "./domain/ports/reports.ts";
import type { ResearchAnalyst } from "./domain/ports/research-analyst.ts";
import type { Operations, RunService, Tenant } from "./domain/ports/run-service.ts";
import type { HttpFetch, SearchSource } from "./domain/ports/sources.ts";
import type { Tool } from "./domain/ports/tools.ts";
import type { Recording } from "./domain/recording.ts";
import type { ResearchRequest } from "./domain/request.ts";
import { ROLES, type Roles } from "./domain/roles.ts";
import { DossierError } from "./errors.ts";
import type { GraphDefinition, GraphRegistry } from "./graphs/registry.ts";
import { exportRecording } from "./journal/recording-file.ts";
import { openJournal } from "./journal/segment-journal.ts";
import { loadPrompts } from "./models/prompts.ts";
import type { Resolve } from "./network/guarded-connector.ts";
import type { TimeLimits } from "./network/send-request.ts";
import { exportBundle } from "./reports/bundle/export-bundle.ts";
import { createReportFiles } from "./reports/report-files.ts";
import { Engine, expireWaiting } from "./runs/engine.ts";
import { Wakeups } from "./runs/follow-events.ts";
import { explainByPrompts, type ReplayWithPrompts, replayRecording } from "./runs/replay.ts";
import { resolveTask } from "./runs/resolve-task.ts";
import { createRunService } from "./runs/run-service.ts";
import { createMemoryDocumentStore, openStorage, type Storage } from "./storage/storage.ts";
import { observeSource, observeTool } from "./tools/source-health.ts";
import { openSources, SOURCES } from "./tools/sources/sources.ts";
import { TOOLS } from "./tools/tools.ts";

/** The sources and tools that come along; SOURCES may name these. */
export const SOURCE_NAMES: readonly string[] = ["corpus", ...SOURCES.map(({ endpoint }) => endpoint.id), ...TOOLS.map(({ name }) => name)];

/** How many corpus files that cannot be read the log names. */
const MAX_FAILED_FILES = 50;

/** Parts that stand in for the configured ones: another analyst or reader of documents, further tools, sources and graphs. */
export interface Parts {
  readonly analyst?: Analyst;
  readonly research?: ResearchAnalyst;
  /** Further roles that judge what todos have found, and what they are told by. */
  readonly judges?: readonly JudgingRole[];
  readonly roles?: Roles;
  readonly tools?: readonly Tool[];
  readonly sources?: readonly SearchSource[];
  /** Reads documents; whoever hands it in closes it. */
  readonly extractor?: DocumentExtractor;
  readonly graphs?: readonly ((storage: Storage) => GraphDefinition)[];
  /** Told of every event when it is said, before it is committed. */
  readonly onEvent?: OnEvent;
  readonly clock?: () => number;
  /** The prompts in force instead of the configured ones. */
  readonly promptsDir?: string;
  readonly roundTimeoutMs?: number;
  /** How long a request over the network may take. */
  readonly timeLimits?: TimeLimits;
  /** Answers for the system's resolver of names, where links of content are followed. */
  readonly resolve?: Resolve;
  /** Told of every corpus file that is looked into. */
  readonly onIndexed?: OnIndexed;
}

/** What a replay has of the network. */
const NO_NETWORK: HttpFetch = { ask: refuse, follow: refuse };

/** The service without its HTTP side. */
export interface Dossier {
  readonly runs: RunService;
  readonly operations: Operations;
  readonly reports: ReportFiles;
  readonly logger: Logger;
  readonly version: string;
  /** @throws DossierError what `runs.start` would refuse about the request: `unknown_graph`, `unknown_source`, `limit_too_high` */
  check(request: ResearchRequest): void;
  /** Cancels what an earlier process left unfinished, instead of going on with it; to be called before anything is started. */
  abandon(tenant: Tenant): Promise<void>;
  /** Goes on with what an earlier process left unfinished; returns how many runs that are. */
  recover(): Promise<number>;
  /** Brings the corpus index in line with its folder ahead of the first search; it says so when there is much to do. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Lets runs come to the end of their step, within `timeoutMs`, then closes `front` (what serves readers) and all stores. */
  close(timeoutMs: number, front?: () => Promise<unknown>): Promise<void>;
}

/** @throws DossierError `data_dir_in_use`, `config_invalid` */
export async function compose(config: Config, parts: Parts = {}): Promise<Dossier> {
  const clock = parts.clock ?? Date.now;
  const logger = pino({ level: config.LOG_LEVEL, base: null }, pino.destination({ dest: 2, sync: true }));
  const prompts = await loadPrompts({ folder: parts.promptsDir ?? config.PROMPTS_DIR, roles: rolesOf(parts) });
  const teams = openTeams(config.TEAMS);
  const storage = await openStorage(resolve(config.DATA_DIR), refusalLog(logger));
  const ownExtractor = createIsolatedExtractor();
  const extractor = parts.extractor ?? ownExtractor;
  const corpus = openCorpus(config, parts, extractor);
  const network = openNetwork(config, parts);
  const opened = openSources(config.SOURCES, { fetch: network, contactEmail: config.CONTACT_EMAIL, services: config.services });
  const sources = [corpus, ...opened.sources, ...(parts.sources ?? [])].map((source) => observeSource(source, clock));
  const tools = toolsOf(parts, network, extractor, config).map((tool) => observeTool(tool, clock));
  const servers = openToolServers(config, { version: VERSION, clock, logger });
  const own = openModel(config);
  const semantic = openSemantic(config);
  const executor = {
    ...executorDeps({ roundTimeoutMs: config.ROUND_SECONDS * 1_000, ...parts }, tools, {
      model: own.model,
      prompts: prompts.render,
      semantic: semantic.ranker,
    }),
    documents: storage.documents,
    sources: byId(sources),
    servers,
    reader: readerOf(corpus, createWebReader(network, extractor)),
  };
  const childrenOf = (runId: string) => storage.runs.childrenOf(runId);
  const defined = await defineGraphs(
    { executor, tools, model: own.model, prompts, childrenOf, ...researchOf(parts) },
    { checkpointer: storage.checkpoints, fingerprintOf },
  );
  const graphs: GraphRegistry = new Map(
    [...defined, ...(parts.graphs ?? []).map((define) => define(storage))].map((graph) => [graph.name, graph]),
  );
  checkGraphs(servers, [...graphs.keys()]);
  const wakeups = new Wakeups();
  const engine = new Engine(
    { store: storage.runs, graphs, openJournal, clock, onCommit: (runId) => wakeups.notify(runId), ...observers(logger, parts) },
    { concurrency: config.RUN_CONCURRENCY },
  );
  const expiry = expireWaiting({ store: storage.runs, days: config.MAX_WAITING_DAYS, clock, onEnded: (id) => wakeups.notify(id) });
  const policy = {
    ...widestScope(config.SOURCES, sources, tools, servers),
    limits: limitsOf(config),
    parallelTodos: config.MAX_PARALLEL_TODOS,
    unsupported: config.UNSUPPORTED_SENTENCES,
    reuseSeconds: config.REUSE_TOOL_RESULTS_SECONDS,
    termination: { policy: config.TERMINATION_POLICY, phrases: config.STOCK_PHRASES },
    models: own.models,
    semantic: semantic.ranker?.name ?? null,
    promptsOf: prompts.hashesOf,
    teams,
    priceOf: own.priceOf,
  };
  const reports = createReportFiles({ program: PROGRAM });
  const stores = { runs: storage.runs, documents: storage.documents };
  const runs = createRunService({
    store: storage.runs,
    documents: storage.documents,
    engine,
    wakeups,
    graphs,
    policy,
    clock,
    exportRecording: (tenant, runId) => exportRecording(tenant, runId, stores, PROGRAM),
    exportBundle: (tenant, runId) => exportBundle(tenant, runId, stores, PROGRAM),
  });
  return {
    runs,
    operations: operationsOf(
      graphs,
      [...sources.filter(({ id }) => policy.sources.includes(id)), ...tools.filter(({ name }) => policy.tools.includes(name))],
      () => [...opened.missing, ...servers.states()],
      storage,
      engine,
      teams,
    ),
    reports,
    logger,
    version: VERSION,
    check: (request) => void resolveTask(request, policy, graphs),
    async abandon(tenant) {
      await storage.runs.requeueUnfinished();
      const queued = () => runs.list(tenant, { status: "queued", limit: 100 });
      for (let page = await queued(); page.runs.length > 0; page = await queued())
        for (const { id } of page.runs) await runs.cancel(tenant, id);
    },
    async recover() {
      await expiry.look();
      return engine.recover();
    },
    async prepare(signal) {
      const { failed, ...counts } = await corpus.sync(signal);
      logger.info({ ...counts, failed: failed.length }, "corpus indexed");
      for (const failure of failed.slice(0, MAX_FAILED_FILES)) logger.warn(failure, "corpus file not indexed");
    },
    async close(timeoutMs, front) {
      expiry.close();
      await engine.drain(timeoutMs);
      await front?.();
      await reports.close();
      await corpus.close();
      await network.close();
      await servers.close();
      await own.close();
      await semantic.close();
      await ownExtractor.close();
      storage.close();
    },
  };
}

/** Replays a recording with the journal alone: no storage, no source, no tool, no clock. */
export async function replay(recording: Recording, parts: Parts = {}): Promise<ReplayWithPrompts> {
  const documents = createMemoryDocumentStore(recording.documents);
  const checkpointer = new MemorySaver();
  const reader: DocumentReader = {
    async read() {
      throw new DossierError("internal", "A replay reads nothing.");
    },
  };
  const tools = toolsOf(parts, NO_NETWORK, createExtractor());
  const prompts = await loadPrompts({ folder: parts.promptsDir, roles: rolesOf(parts) });
  const asked = { model: recordedModel(), prompts: prompts.render };
  const executor = {
    ...executorDeps(parts, tools, { ...asked, semantic: null }),
    documents,
    sources: new Map(),
    servers: RECORDED_SERVERS,
    reader,
  };
  const defined = await defineGraphs(
    { executor, tools, ...asked, prompts, childrenOf: refuse, ...researchOf(parts) },
    { checkpointer, fingerprintOf },
  );
  const graph = defined.find(({ name }) => name === recording.run.graph);
  if (graph === undefined)
    throw new DossierError("unknown_graph", `The recording is of the graph ${recording.run.graph}, which is not here.`);
  return explainByPrompts(await replayRecording(recording, graph, openJournal), recording, prompts.hashesOf(graph.roles));
}

function rolesOf({ roles }: Parts): Roles {
  return { ...ROLES, ...roles };
}

function researchOf({ research, judges }: Parts): Pick<Parts, "research" | "judges"> {
  return { ...(research && { research }), ...(judges && { judges }) };
}

async function refuse(): Promise<never> {
  throw new DossierError("internal", "A replay reaches nothing.");
}

function fingerprintOf(drawing: string): string {
  return hashJson({ version: VERSION, drawing });
}

function byId<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}
