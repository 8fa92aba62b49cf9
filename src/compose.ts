import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { LRUCache } from "lru-cache";
import { type Logger, pino } from "pino";
import { createExtractiveAnalyst } from "./analyst/extractive/analyst.ts";
import { createModelAnalyst } from "./analyst/model/analyst.ts";
import type { JudgingRole } from "./analyst/model/research/roles.ts";
import { defineGraphs } from "./compose/define-graphs.ts";
import { openModel, recordedModel } from "./compose/open-model.ts";
import { openSemantic } from "./compose/open-semantic.ts";
import { openTeams } from "./compose/open-teams.ts";
import { checkGraphs, openToolServers, RECORDED_SERVERS } from "./compose/open-tool-servers.ts";
import { operationsOf } from "./compose/operations.ts";
import { PROGRAM, VERSION } from "./compose/program.ts";
import { type Config, serviceSettings } from "./config.ts";
import { createExtractor } from "./documents/extract.ts";
import { createIsolatedExtractor } from "./documents/isolation/isolated-extractor.ts";
import { createWebReader } from "./documents/web/web-reader.ts";
import type { DomainEvent } from "./domain/events.ts";
import { hashJson } from "./domain/json.ts";
import type { Analyst, Decision } from "./domain/ports/analyst.ts";
import type { ChatModel } from "./domain/ports/chat-model.ts";
import type { DocumentExtractor, DocumentReader } from "./domain/ports/document-reader.ts";
import type { HttpFetch } from "./domain/ports/http-fetch.ts";
import type { Operations } from "./domain/ports/operations.ts";
import type { RenderPrompt } from "./domain/ports/prompts.ts";
import type { ReportFiles } from "./domain/ports/report-files.ts";
import type { ResearchAnalyst } from "./domain/ports/research-analyst.ts";
import type { RunService, Tenant } from "./domain/ports/run-service.ts";
import type { ClaimedRun } from "./domain/ports/run-store.ts";
import type { SearchSource } from "./domain/ports/search-source.ts";
import type { SemanticRanker } from "./domain/ports/semantic-ranker.ts";
import type { Tool } from "./domain/ports/tool.ts";
import type { Recording } from "./domain/recording.ts";
import type { Limits, ResearchRequest } from "./domain/request.ts";
import { ROLES, type Roles } from "./domain/roles.ts";
import { DossierError } from "./errors.ts";
import type { ExecutorDeps } from "./graphs/executor/graph.ts";
import type { GraphDefinition, GraphRegistry } from "./graphs/registry.ts";
import { exportRecording } from "./journal/export-recording.ts";
import { openJournal } from "./journal/segment-journal.ts";
import { readAllowedHosts } from "./network/allowed-hosts.ts";
import { createNetwork, type Network } from "./network/network.ts";
import type { Resolve } from "./network/resolve-names.ts";
import type { TimeLimits } from "./network/time-limits.ts";
import { loadPrompts } from "./prompts/load-prompts.ts";
import { rankHits } from "./ranking/rank.ts";
import { exportBundle } from "./reports/bundle/export-bundle.ts";
import { renderMarkdown } from "./reports/render-markdown.ts";
import { createReportFiles } from "./reports/report-files.ts";
import { explainByPrompts, type ReplayWithPrompts } from "./runs/changed-prompts.ts";
import { Engine } from "./runs/engine.ts";
import { expireWaiting } from "./runs/expire-waiting.ts";
import { logLineOf } from "./runs/log-line.ts";
import { replayRecording } from "./runs/replay.ts";
import { resolveTask } from "./runs/resolve-task.ts";
import { createRunService } from "./runs/run-service.ts";
import { Wakeups } from "./runs/wakeups.ts";
import { createMemoryDocumentStore } from "./storage/memory-document-store.ts";
import { openStorage, type Storage } from "./storage/sqlite/open-storage.ts";
import type { OnRefusal } from "./storage/sqlite/write-refusals.ts";
import { type Corpus, createCorpus } from "./tools/corpus/corpus.ts";
import type { OpenToolServers } from "./tools/mcp/tool-servers.ts";
import { observeSource, observeTool } from "./tools/observe-source.ts";
import { openSources } from "./tools/open-sources.ts";
import { SOURCES } from "./tools/sources.ts";
import { createToolbox } from "./tools/toolbox.ts";
import { TOOLS } from "./tools/tools.ts";

/** The sources and tools that come along; SOURCES may name these. */
export const SOURCE_NAMES: readonly string[] = ["corpus", ...SOURCES.map(({ endpoint }) => endpoint.id), ...TOOLS.map(({ name }) => name)];

const MEMO_SIZE = 500;
/** How many corpus files that cannot be read the log names. */
const MAX_FAILED_FILES = 50;
const ROUND_TIMEOUT_MS = 60_000;
/** Longer than one request to a service that does not answer, and short enough for somebody who waits. */
const SEARCH_TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 60_000;

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
  readonly onEvent?: (run: ClaimedRun, event: DomainEvent, node: string | null) => void;
  readonly clock?: () => number;
  /** The prompts in force instead of the configured ones. */
  readonly promptsDir?: string;
  readonly roundTimeoutMs?: number;
  /** How long a request over the network may take. */
  readonly timeLimits?: TimeLimits;
  /** Answers for the system's resolver of names, where links of content are followed. */
  readonly resolve?: Resolve;
  /** Told of every corpus file that is looked into. */
  readonly onIndexed?: (progress: { readonly done: number; readonly total: number }) => void;
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
  const opened = openSources(config.SOURCES, {
    fetch: network,
    contactEmail: config.CONTACT_EMAIL,
    settingsOf: (id) => serviceSettings(config, id),
  });
  const sources = [corpus, ...opened.sources, ...(parts.sources ?? [])].map((source) => observeSource(source, clock));
  const tools = toolsOf(parts, network, extractor, config).map((tool) => observeTool(tool, clock));
  const servers = openToolServers(config, { version: VERSION, clock, logger });
  const own = openModel(config);
  const semantic = openSemantic(config);
  const executor = {
    ...executorDeps(parts, tools, { model: own.model, prompts: prompts.render, semantic: semantic.ranker }),
    documents: storage.documents,
    sources: byId(sources),
    servers,
    reader: readerOf(corpus, createWebReader(network, extractor)),
  };
  const childrenOf = (runId: string) => storage.runs.childrenOf(runId);
  const defined = await defineGraphs(
    { executor, tools, model: own.model, prompts, childrenOf, ...researchOf(parts) },
    storage.checkpoints,
    fingerprintOf,
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
    ...widestScope(config.SOURCES, sources, tools, servers.known),
    limits: limitsOf(config),
    parallelTodos: config.MAX_PARALLEL_TODOS,
    unsupported: config.UNSUPPORTED_SENTENCES,
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
    checkpointer,
    fingerprintOf,
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

/** Every optional tool there is; a replay needs them as well, as they are part of what an analyst was shown. */
function toolsOf(parts: Parts, fetch: HttpFetch, extractor: DocumentExtractor, config?: Config): readonly Tool[] {
  const contactEmail = config?.CONTACT_EMAIL;
  const ids = TOOLS.flatMap(({ endpoints }) => endpoints.map(({ id }) => id));
  const configured = new Set(ids.filter((id) => config !== undefined && serviceSettings(config, id).baseUrl !== undefined));
  const options = { fetch, extractor, configured, ...(contactEmail !== undefined && { contactEmail }) };
  return parts.tools ?? TOOLS.map((entry) => entry.create(options));
}

function executorDeps(
  parts: Parts,
  tools: readonly Tool[],
  { semantic, ...asked }: { model: ChatModel; prompts: RenderPrompt; semantic: SemanticRanker | null },
): Omit<ExecutorDeps, "documents" | "sources" | "servers" | "reader"> {
  return {
    analyst: parts.analyst ?? createModelAnalyst({ rules: createExtractiveAnalyst(), ...asked }),
    tools: createToolbox(tools),
    memo: new LRUCache<string, Decision>({ max: MEMO_SIZE }),
    roundTimeoutMs: parts.roundTimeoutMs ?? ROUND_TIMEOUT_MS,
    searchTimeoutMs: SEARCH_TIMEOUT_MS,
    ranker: rankHits,
    semantic,
    downloadTimeoutMs: DOWNLOAD_TIMEOUT_MS,
    renderMarkdown,
  };
}

function openCorpus(config: Config, { onIndexed }: Parts, extractor: DocumentExtractor): Corpus {
  const dir = resolve(config.CORPUS_DIR);
  const name = createHash("sha256").update(dir).digest("hex").slice(0, 12);
  return createCorpus({
    dir,
    databaseFile: join(resolve(config.DATA_DIR), `corpus-${name}.sqlite`),
    extractor,
    ...(onIndexed && { onProgress: onIndexed }),
  });
}

async function refuse(): Promise<never> {
  throw new DossierError("internal", "A replay reaches nothing.");
}

/** Files of the corpus are read for runs that may use it where the corpus found them; a page of the web that claims to be one is refused. */
function readerOf(corpus: DocumentReader, web: DocumentReader): DocumentReader {
  return {
    async read(hit, context) {
      if (!hit.url.startsWith("corpus:")) return web.read(hit, context);
      if (context.scope.includes("corpus")) return (hit.foundBy === "corpus" ? corpus : web).read(hit, context);
      throw new DossierError("out_of_scope", `${hit.url} was not read: the scope of the run is ${context.scope.join(", ")}.`);
    },
  };
}

function openNetwork(config: Config, { resolve, timeLimits }: Parts): Network {
  const contact = config.CONTACT_EMAIL === undefined ? "" : ` (mailto:${config.CONTACT_EMAIL})`;
  const endpoints = [...SOURCES.map(({ endpoint }) => endpoint), ...TOOLS.flatMap((tool) => tool.endpoints)];
  const baseUrls = endpoints.flatMap(({ id }) => {
    const { baseUrl } = serviceSettings(config, id);
    return baseUrl === undefined ? [] : [[id, baseUrl]];
  });
  return createNetwork({
    baseUrls: Object.fromEntries(baseUrls),
    allowedHosts: readAllowedHosts(config.ALLOWED_PRIVATE_HOSTS),
    userAgent: `dossier/${VERSION}${contact}`,
    ...(resolve && { resolve }),
    ...(timeLimits && { limits: timeLimits }),
  });
}

function fingerprintOf(drawing: string): string {
  return hashJson({ version: VERSION, drawing });
}

function byId<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

/** What a run may use at most: all there is, or what `named` names of it. */
function widestScope(
  named: readonly string[] | undefined,
  sources: readonly SearchSource[],
  tools: readonly Tool[],
  servers: OpenToolServers["known"],
) {
  const ids = sources.map(({ id }) => id);
  const names = [...tools.map(({ name }) => name), ...servers.map(({ id }) => id)];
  const unknown = named?.filter((id) => !ids.includes(id) && !names.includes(id)) ?? [];
  if (unknown.length > 0) {
    throw new DossierError("config_invalid", `SOURCES names ${unknown.join(", ")}; there are: ${[...ids, ...names].join(", ")}.`);
  }
  return {
    sources: named?.filter((id) => ids.includes(id)) ?? ids,
    tools: named?.filter((id) => names.includes(id)) ?? names,
    kept: Object.fromEntries(servers.flatMap(({ id, graphs }) => (graphs === null ? [] : [[id, graphs]]))),
  };
}

function limitsOf(config: Config): Limits {
  return {
    optionalToolLoops: config.MAX_OPTIONAL_TOOL_LOOPS,
    steps: config.MAX_STEPS,
    modelCalls: config.MAX_MODEL_CALLS,
    tokens: config.MAX_TOKENS,
    costUsd: config.MAX_COST_USD ?? null,
    seconds: config.MAX_SECONDS,
    downloads: config.MAX_DOWNLOADS,
  };
}

function observers(logger: Logger, parts: Parts) {
  return {
    onEvent(run: ClaimedRun, event: DomainEvent, node: string | null): void {
      const line = logLineOf(event);
      if (line !== null) logger[line.level]({ runId: run.runId, ...(node === null ? {} : { node }), ...line.fields }, line.message);
      parts.onEvent?.(run, event, node);
    },
    onError(run: ClaimedRun | null, error: DossierError): void {
      logger.error({ runId: run?.runId, code: error.code, err: error }, "run stopped");
    },
  };
}

function refusalLog(logger: Logger): OnRefusal {
  return (refusal) => {
    if (refusal === null) logger.info("database takes writes again");
    else logger.error({ code: refusal.code, err: refusal }, "database refuses writes");
  };
}
