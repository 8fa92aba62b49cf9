import { existsSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { type Logger, pino } from "pino";
import { Corpora } from "./compose/corpora.ts";
import { defineGraphs, EVERY_AGENTS_TOOLS, executorDeps, toolsOf } from "./compose/graphs.ts";
import { openLineFormat, openLogSink } from "./compose/log-sink.ts";
import { connectionsOf, modelTerms, openModel, openSemantic, recordedModel } from "./compose/models.ts";
import { observers, operationsOf, refusalLog, viewOfTenant } from "./compose/operations.ts";
import type { AnalystParts, Parts, SourceParts } from "./compose/parts.ts";
import { corpusRole, policyOf, widestScope } from "./compose/policy.ts";
import { PROGRAM, VERSION } from "./compose/process.ts";
import { secretsOf, withoutSecrets } from "./compose/secrets.ts";
import { readSettingsFiles } from "./compose/settings.ts";
import { folderOf, missingCorpus, openCorpus, openLater, openNetwork, openToolServers, proxiesOf, readerOf } from "./compose/sources.ts";
import { TenantParts } from "./compose/tenant-parts.ts";
import { checkSettings, policyOfTenant } from "./compose/tenant-policy.ts";
import { createWorkerPool } from "./compose/worker-pool.ts";
import type { Config } from "./config.ts";
import { withAnalyses } from "./documents/analysis/analyzed-documents.ts";
import { createExtractor } from "./documents/extract.ts";
import { createIsolatedExtractor } from "./documents/isolation/isolated-extractor.ts";
import { readUpload } from "./documents/read-upload.ts";
import { createWebReader } from "./documents/web-reader.ts";
import type { EstimateTerms } from "./domain/estimate.ts";
import { hashJson } from "./domain/json.ts";
import { kindsOf } from "./domain/left-out.ts";
import type { Tenant } from "./domain/owners.ts";
import type { OpenJournal } from "./domain/ports/journal.ts";
import type { ThreadMaterialService } from "./domain/ports/material.ts";
import type { Operations, ReportFiles, RunService } from "./domain/ports/run-service.ts";
import type { Recording } from "./domain/recording.ts";
import type { ResearchRequest } from "./domain/request.ts";
import { ROLES } from "./domain/roles.ts";
import type { Tenancy } from "./domain/tenancy.ts";
import type { OpenSetting } from "./domain/tenant-settings.ts";
import { DossierError } from "./errors.ts";
import { estimateOf } from "./graphs/estimate.ts";
import type { Compiling, GraphRegistry } from "./graphs/registry.ts";
import type { StandaloneDeps } from "./graphs/standalone.ts";
import { exportRecording } from "./journal/recording-file.ts";
import { openJournal } from "./journal/segment-journal.ts";
import { loadPrompts } from "./models/prompts.ts";
import { readAllowedHosts } from "./network/check-link.ts";
import { openOidcProvider } from "./network/oidc-provider.ts";
import { ANALYSIS_VERSION } from "./ranking/analyze-text.ts";
import { exportBundle } from "./reports/bundle/export-bundle.ts";
import { createReportFiles } from "./reports/report-files.ts";
import { Engine } from "./runs/engine.ts";
import { Wakeups } from "./runs/follow-events.ts";
import type { Policy } from "./runs/policy.ts";
import { explainByPrompts, type ReplayWithPrompts, replayRecording } from "./runs/replay.ts";
import { resolveTask } from "./runs/resolve-task.ts";
import { expireWaiting, Retention } from "./runs/retention.ts";
import { createRunService } from "./runs/run-service.ts";
import { createThreadMaterial } from "./runs/thread-material.ts";
import { createMemoryDocumentStore } from "./storage/document-store.ts";
import { openStorage } from "./storage/storage.ts";
import { openTenancy } from "./storage/tenancy.ts";
import { Metrics } from "./telemetry/metrics.ts";
import type { Traces } from "./telemetry/traces.ts";
import { createThreadDocuments } from "./tools/documents/thread-documents.ts";
import { observeSource, observeTool } from "./tools/source-health.ts";
import { openSources } from "./tools/sources/sources.ts";
import { maskJson, maskValues } from "./util/mask-values.ts";
import { withTraceparent } from "./util/trace-context.ts";
import { WebhookSender } from "./webhooks/webhook-sender.ts";

export interface Dossier {
  readonly runs: RunService;
  readonly threads: ThreadMaterialService;
  readonly operations: Operations;
  readonly reports: ReportFiles;
  readonly tenancy: Tenancy;
  readonly webhooks: Pick<WebhookSender, "send">;
  readonly logger: Logger;
  readonly version: string;
  /** Aborted with DossierError `storage_damaged` when the database is damaged: close the service. */
  readonly damaged: AbortSignal;
  /** Throws what `runs.start` would throw for this request, such as DossierError `unknown_graph`. Starts nothing. */
  check(request: ResearchRequest): void;
  /** Everything that a graph needs to run without the engine. */
  readonly standalone: StandaloneDeps & { readonly graphs: GraphRegistry };
  /** Cancels the runs that an earlier process left queued or running. Call it before starting a run. */
  abandon(tenant: Tenant): Promise<void>;
  /** Queues the runs that an earlier process left running. Returns their number. */
  recover(): Promise<number>;
  /** Indexes the corpus. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Starts no more runs. Waits at most `timeoutMs` for the current step of each run and for files being rendered. */
  drain(timeoutMs: number): Promise<void>;
  close(timeoutMs: number): Promise<void>;
}

const MAX_THREADS = 4;
const BYTES_PER_GB = 1_000_000_000;

/** Opens all parts of the service. If one fails, closes those already open. @throws DossierError `data_dir_in_use`, `config_invalid` */
export async function compose(config: Config, parts: Parts = {}): Promise<Dossier> {
  await using opening = new AsyncDisposableStack();
  const closeLater = <Part extends { close(): void | Promise<void> }>(part: Part): Part => opening.adopt(part, (one) => one.close());
  const clock = parts.clock ?? Date.now;
  const { prompts, teams, prices, servers: serversFile, secretKeys } = await readSettingsFiles(config, parts);
  const secrets = secretsOf(config, serversFile);
  const format = await openLineFormat(config.LOG_FORMAT);
  const allowedHosts = readAllowedHosts(config.ALLOWED_PRIVATE_HOSTS);
  const tenants = new TenantParts({
    ...{ version: VERSION, clock, connections: connectionsOf(config), proxies: proxiesOf(config) },
    guard: { allowed: allowedHosts, resolve: parts.network?.resolve },
    onFailed: (server, error) => logger.warn({ server, code: error.code, err: error }, "MCP server of a tenant not connected"),
  });
  const secretsOfRun = (runId: string): string[] => [...secrets, ...tenants.secretsOf(runId)];
  const sink = openLogSink((line) => maskValues(format(line), [...secrets, ...tenants.secrets]));
  const logger = pino({ level: config.LOG_LEVEL, base: null }, sink);
  for (const { name, appended } of prompts.inForce.filter((prompt) => prompt.appended.length > 0))
    logger.info({ prompt: name, appended }, "a prompt lacks placeholders that its role needs; they are appended to it");
  const extractor = parts.extractor ?? closeLater(createIsolatedExtractor());
  const workers = parts.workers ?? closeLater(createWorkerPool(MAX_THREADS));
  const damaged = new AbortController();
  const storage = closeLater(
    await openStorage(resolvePath(config.DATA_DIR), {
      ...{ onRefusal: refusalLog(logger), onDamage: (damage) => damaged.abort(damage), workers },
      ...(config.DATABASE_URL !== undefined && {
        postgres: { url: config.DATABASE_URL, connections: config.DATABASE_CONNECTIONS, role: config.ROLE, onRefusal: refusalLog(logger) },
      }),
    }),
  );
  const network = closeLater(openNetwork(config, storage.limits, parts));
  const webSources = openSources(config.SOURCES, { fetch: network, contactEmail: config.CONTACT_EMAIL, services: config.services });
  const documents = withAnalyses(withoutSecrets(storage.documents, secretsOfRun), workers, storage.analyses);
  const openOwn = (CORPUS_DIR: string, tenant: Tenant) =>
    openCorpus({ ...config, CORPUS_DIR }, parts, { extractor, workers, logger, tenant });
  const shared = closeLater(
    openLater(
      config,
      () => openCorpus(config, parts, { extractor, workers, logger }),
      (error) => logger.warn({ code: error.code, err: error }, "corpus index not opened; each search tries again"),
    ),
  );
  const { TENANT_CORPUS_DIR: ofTenants = null } = config;
  const hasShared = config.CORPUS_DIR !== undefined || existsSync(folderOf(config));
  const hasCorpus = hasShared || ofTenants !== null;
  const tenantOf = (runId: string | undefined) => tenants.tenantOf(runId);
  const corpora = closeLater(new Corpora({ shared, hasShared, folder: ofTenants, open: openOwn, tenantOf }));
  const corpus = corpora.source();
  const missing = [...webSources.missing, ...(hasCorpus ? [] : [missingCorpus(shared, config)])];
  const opened = [...(hasCorpus ? [corpus] : []), ...webSources.sources, ...(parts.sources ?? [])];
  const sources = opened.map((source) => observeSource(source, clock));
  const given = createThreadDocuments({ store: storage.threads, analyze: documents.analyze });
  const tools = toolsOf(parts, network, extractor, config).map((tool) => observeTool(tool, clock));
  const servers = closeLater(openToolServers(config, serversFile, { version: VERSION, clock, logger }));
  const { model, models, modelsState, offeredModels, priceOf, contextOf, serverOf } = closeLater(
    await openModel(config, {
      ...{ prices, shared: storage.limits, clock },
      tenantsServer: (runId, setting) => tenants.modelServer(runId, setting),
    }),
  );
  const { ranker } = closeLater(openSemantic(config));
  const asked = { model, prompts: prompts.render };
  const executor = {
    ...executorDeps(parts, tools, { ...asked, semantic: ranker, roundTimeoutMs: config.ROUND_SECONDS * 1_000 }),
    documents,
    sources: new Map([given, ...sources].map((source) => [source.id, source])),
    servers: tenants.serversWith(servers),
    reader: readerOf({ corpus, given }, createWebReader(network, extractor)),
  };
  const childrenOf = (runId: string) => storage.runs.childrenOf(runId);
  const defined = await defineGraphs(parts, { executor, tools, model, prompts, childrenOf }, compiling(storage.checkpoints));
  const further = (parts.graphs ?? []).map((define) => define(storage));
  const graphs: GraphRegistry = new Map([...defined, ...further].map((graph) => [graph.name, graph]));
  const policy: Policy & ReturnType<typeof policyOf> = {
    ...widestScope(config.SOURCES, sources, tools, servers),
    ...policyOf(config),
    ...(hasCorpus && { corpus: corpusRole(config, parts) }),
    agentTools: EVERY_AGENTS_TOOLS.map(({ name }) => name),
    ...{ models, semantic: ranker?.name ?? null, promptsOf: prompts.hashesOf, teams, priceOf, contextOf, serverOf },
  };
  const resolve = (request: ResearchRequest) => resolveTask(request, policy, graphs, clock());
  const wakeups = new Wakeups();
  const onCommit = (runId: string): void => {
    wakeups.notify(runId);
    storage.peers.tell(runId);
  };
  const openMasked: OpenJournal = (options) =>
    openJournal({ ...options, workers, mask: (result) => maskJson(result, secretsOfRun(options.runId)) });
  const metrics = new Metrics({
    ...{ version: VERSION, clock, active: () => engine.state.active },
    queue: () => storage.runs.queueAt(clock()),
  });
  const traces =
    config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? null : closeLater(await openTraces(config.OTEL_EXPORTER_OTLP_ENDPOINT, logger));
  const engine: Engine = new Engine(
    {
      ...{ store: storage.runs, graphs, clock, onCommit, ...observers(logger, parts, traces === null ? [metrics] : [metrics, traces]) },
      openJournal: openMasked,
      enter: (run) => tenants.enter(run, tenancy.settings),
      traced: traces === null ? undefined : (run, key, work) => withTraceparent(traces.traceparentOf(run, key), work),
      hasOthers: config.DATABASE_URL !== undefined,
    },
    config.ROLE === "api" ? 0 : config.RUN_CONCURRENCY,
  );
  storage.peers.listen(({ runs, queued }) => {
    for (const runId of runs) {
      wakeups.notify(runId);
      engine.heard(runId);
    }
    if (queued) engine.poke();
  });
  const cancelExpired = expireWaiting({ store: storage.runs, days: config.MAX_WAITING_DAYS, clock, onEnded: onCommit });
  const retention = closeLater(
    new Retention({
      ...{ store: storage.runs, threads: storage.threads, days: config.RETENTION_DAYS ?? null, clock },
      daysOf: config.TENANT_RETENTION_DAYS,
      deleteOutdated: (signal) => storage.analyses.deleteOlder(ANALYSIS_VERSION, signal),
      maxBytes: config.MAX_DATA_GB === undefined ? null : config.MAX_DATA_GB * BYTES_PER_GB,
      onDeleted: (deleted) => logger.info(deleted, "ended runs deleted (RETENTION_DAYS, MAX_DATA_GB)"),
      onTooLarge: (size) =>
        logger.warn(
          size,
          "the data is larger than MAX_DATA_GB, and everything that may be deleted for it is: raise it, or delete runs and documents of threads",
        ),
    }),
  );
  const reports = closeLater(createReportFiles({ program: PROGRAM }));
  const stores = { runs: storage.runs, documents };
  const threads = createThreadMaterial({
    ...{
      store: storage.threads,
      clock,
      readsUrls: policy.readsUrls !== false,
      refusalOf: policy.refusalOf,
      onDeleted: retention.cleanSoon,
    },
    read: (file, signal) => readUpload(file, extractor, signal),
    onAdded(place, contentHash) {
      const analyzed = storage.threads.document(place, contentHash).then((document) => document && documents.analyze(document));
      // A failure is met by the search.
      analyzed.catch(() => undefined);
    },
  });
  const { OIDC_ISSUER } = config;
  const tenancy = openTenancy(storage.database, {
    clock,
    signIn: OIDC_ISSUER === undefined ? null : closeLater(openOidcProvider(new URL(OIDC_ISSUER), config, proxiesOf(config))),
    secretKeys,
    checkSetting: checkSettings({
      allowed: allowedHosts,
      servers: servers.known.map(({ id }) => id),
      models: [policy.models?.default ?? [], Object.values(policy.models?.roles ?? {})].flat(),
      isOnline: policy.readsUrls !== false,
    }),
    ofTenant: { tokens: config.TENANT_TOKENS_PER_DAY ?? null, costUsd: config.TENANT_USD_PER_DAY ?? null },
  });
  const webhooks = closeLater(
    new WebhookSender({
      ...{ outbox: tenancy.webhooks.outbox, fetch: network, clock },
      onError: (error) => logger.warn({ code: error.code, err: error }, "webhooks are not sent; trying again"),
    }),
  );
  const roleOfOwn = corpusRole({ ...config, CORPUS_DIR: ofTenants ?? undefined }, parts);
  const policyFor = (tenant: Tenant, set: readonly OpenSetting[]): Policy =>
    policyOfTenant(corpora.policyOf(policy, tenant, roleOfOwn), tenant, set, modelTerms(config));
  const runs = createRunService({
    ...{ store: storage.runs, documents, threads, engine, wakeups, graphs, clock, quotas: tenancy.quotas },
    originalsOf: (tenant) => corpora.of(tenant),
    policyOf: async (tenant) => policyFor(tenant, await tenancy.settings.open(tenant)),
    ...{ onChanged: onCommit, maxQueued: config.MAX_QUEUED_RUNS },
    runsAtOnce: { ofKey: config.KEY_RUNS_AT_ONCE ?? null, ofTenant: config.TENANT_RUNS_AT_ONCE ?? null },
    ...{ estimate: (terms: EstimateTerms) => estimateOf(terms, executor.sources), onDeleted: retention.cleanSoon },
    exportRecording: (tenant, runId) => exportRecording(tenant, runId, stores, PROGRAM),
    exportBundle: (tenant, runId) => exportBundle(tenant, runId, stores, PROGRAM),
  });
  const observed = [...sources.filter(({ id }) => policy.sources.includes(id)), ...tools.filter(({ name }) => policy.tools.includes(name))];
  const unobserved = () => [...missing, ...servers.states()];
  const drain = async (timeoutMs: number) => void (await Promise.all([engine.drain(timeoutMs), reports.drain(timeoutMs)]));
  const everything = opening.move();
  const operations: Operations = operationsOf({
    ...{ graphs, observed, unobserved, corpus: shared, storage, engine, metrics, teams, offeredModels },
    dataState: retention.state,
    refusalOf: policy.refusalOf,
    models: () => modelsState(ranker?.name ?? null),
    limits: policy.limits,
    ownFolder: policy.corpus === "own",
    async of(tenant) {
      const set = await tenancy.settings.list(tenant);
      const shown = set.map((one) => ({ ...one, shown: one.value }));
      return viewOfTenant({ ...operations, corpus: (page) => corpora.of(tenant).contents(page) }, set, policyFor(tenant, shown));
    },
  });
  return {
    runs,
    threads,
    operations,
    reports,
    tenancy,
    webhooks,
    logger,
    version: VERSION,
    damaged: damaged.signal,
    check: (request) => void resolve(request),
    standalone: { graphs, resolve, openJournal: openMasked },
    async abandon(tenant) {
      await storage.runs.recover();
      const queued = () => runs.list(tenant, { status: "queued", limit: 100 });
      for (let page = await queued(); page.runs.length > 0; page = await queued())
        for (const { id } of page.runs) await runs.cancel(tenant, id);
    },
    async recover() {
      await storage.schedule("expiry", "hour", async () => {
        await cancelExpired();
        await tenancy.quotas.clean();
        await tenancy.webhooks.outbox.clean();
        await tenancy.settings.clean();
      });
      // In the background, because it may take long.
      storage
        .schedule("retention", "minute", retention.clean)
        .catch((error: unknown) => logger.error({ err: error }, "retention is not scheduled; nothing is deleted until the next start"));
      return engine.recover();
    },
    async prepare(signal) {
      if (!hasShared) return;
      const { failed, leftOut, ...counts } = await shared.sync(signal);
      logger.info({ ...counts, failed: failed.length, leftOut: kindsOf(leftOut) }, "corpus indexed");
    },
    drain,
    async close(timeoutMs) {
      await drain(timeoutMs);
      await everything.disposeAsync();
    },
  };
}

/** The packages of OpenTelemetry are loaded only where they are used. */
async function openTraces(endpoint: string, logger: Logger): Promise<Traces> {
  const { Traces } = await import("./telemetry/traces.ts");
  return new Traces(endpoint, VERSION, (error) =>
    logger.warn({ err: error }, "the collector of OTEL_EXPORTER_OTLP_ENDPOINT takes no traces; they are dropped until it does"),
  );
}

/** Replays a recording without storage, network or clock. @throws DossierError `unknown_graph` */
export async function replay(recording: Recording, parts: AnalystParts & SourceParts = {}): Promise<ReplayWithPrompts> {
  const prompts = await loadPrompts({ folder: parts.promptsDir, roles: { ...ROLES, ...parts.roles } });
  const tools = toolsOf(parts, { ask: refuse, follow: refuse }, createExtractor());
  const model = recordedModel();
  await using opened = new AsyncDisposableStack();
  const workers = opened.adopt(createWorkerPool(MAX_THREADS), (pool) => pool.close());
  const executor = {
    ...executorDeps(parts, tools, { model, prompts: prompts.render, semantic: null }),
    documents: withAnalyses(createMemoryDocumentStore(recording.documents), workers, null),
    sources: new Map(),
    servers: { list: refuse, call: refuse },
    reader: { read: refuse },
  };
  const defined = await defineGraphs(parts, { executor, tools, model, prompts, childrenOf: refuse }, compiling(new MemorySaver()));
  const graph = defined.find(({ name }) => name === recording.run.graph);
  if (graph === undefined)
    throw new DossierError(
      "unknown_graph",
      `This version has no graph ${recording.run.graph}. Replay the recording with ${recording.program}, which made it.`,
    );
  return explainByPrompts(await replayRecording(recording, graph, openJournal), recording, prompts.hashesOf(graph.roles));
}

async function refuse(): Promise<never> {
  throw new DossierError("internal", "A replay uses recorded results only.");
}

function compiling(checkpointer: Compiling["checkpointer"]): Compiling {
  return { checkpointer, fingerprintOf: (drawing) => hashJson({ version: VERSION, drawing }) };
}
