import type { Logger } from "pino";
import { acceptedBy } from "../domain/accepted.ts";
import type { DomainEvent } from "../domain/events.ts";
import type { Limits } from "../domain/limits.ts";
import type { Operations, SourceState, TenantView } from "../domain/ports/run-service.ts";
import type { ClaimedRun } from "../domain/ports/run-store.ts";
import type { JournalRecord, LoggedEvent } from "../domain/recording.ts";
import type { Team } from "../domain/team.ts";
import type { TenantSetting } from "../domain/tenant-settings.ts";
import { SERVER_PREFIX } from "../domain/tool.ts";
import { DossierError } from "../errors.ts";
import type { GraphRegistry } from "../graphs/registry.ts";
import type { Engine } from "../runs/engine.ts";
import { logLineOf } from "../runs/log-line.ts";
import type { Policy } from "../runs/policy.ts";
import type { Storage } from "../storage/storage.ts";
import type { OnRefusal } from "../storage/write-refusals.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Corpus } from "../tools/corpus/corpus.ts";
import type { Observed } from "../tools/source-health.ts";
import { stateOf } from "./models.ts";
import type { ObserverParts } from "./parts.ts";

interface OperationsDeps extends Pick<Operations, "of"> {
  readonly graphs: GraphRegistry;
  readonly observed: readonly Observed[];
  readonly unobserved: () => readonly SourceState[];
  readonly corpus: Pick<Corpus, "contents" | "indexing">;
  readonly storage: Storage;
  readonly engine: Engine;
  readonly dataState: () => ReturnType<Operations["ready"]>;
  readonly teams: ReadonlyMap<string, Team>;
  readonly models: Operations["models"];
  readonly offeredModels: Operations["offeredModels"];
  readonly limits: Limits;
  readonly ownFolder: boolean;
  readonly metrics: Metrics;
  readonly refusalOf: Operations["refusalOf"];
}

export function operationsOf(deps: OperationsDeps): Operations {
  const { graphs, corpus, engine } = deps;
  return {
    of: deps.of,
    graphs: () => [...graphs.values()].map(({ name, description }) => ({ name, description })),
    graph(name) {
      const definition = graphs.get(name);
      if (definition === undefined) throw new DossierError("not_found", `There is no graph ${name}. GET /graphs lists the graphs.`);
      if (name !== "team") return definition.picture;
      const listed = [...deps.teams].map(([name, { pattern, children }]) => ({ name, pattern, children: children.map(({ id }) => id) }));
      return { ...definition.picture, teams: listed };
    },
    sources: () => [...deps.observed.map((one) => one.state()), ...deps.unobserved()],
    corpus: (page) => corpus.contents(page),
    indexing: () => corpus.indexing(),
    models: deps.models,
    offeredModels: deps.offeredModels,
    accepted: () => acceptedBy(deps.limits, deps.ownFolder),
    async ready() {
      if (engine.draining) throw new DossierError("draining", "The server is shutting down.");
      await deps.storage.check();
      return deps.dataState();
    },
    work: () => engine.state,
    refusalOf: deps.refusalOf,
    metrics: async () => ({ contentType: deps.metrics.contentType, text: await deps.metrics.text() }),
    workers: () => deps.storage.workers(),
  };
}

/** How the deployment looks to a tenant that has set this. `policy` is that of the tenant. */
export function viewOfTenant(deployed: TenantView, set: readonly TenantSetting[], policy: Policy): TenantView {
  const { models, contextOf, serverOf } = policy;
  const hasModels = set.some(({ kind }) => kind === "models");
  const servers = set.filter(({ kind }) => kind === "mcp-servers").map(({ name }) => stateOfServer(name));
  const state = (): ReturnType<Operations["models"]> =>
    stateOf(models, { ranker: deployed.models().ranker, lastTry: null, contextOf, serverOf });
  return {
    sources: () => [...deployed.sources(), ...servers],
    corpus: (page) => deployed.corpus(page),
    models: () => (hasModels ? state() : deployed.models()),
    async offeredModels(signal) {
      if (!hasModels || models === null) return deployed.offeredModels(signal);
      return { models: [...new Set([models.default, ...Object.values(models.roles)])], failure: null };
    },
  };
}

function stateOfServer(name: string): SourceState {
  const title = `MCP server ${name} (of your tenant)`;
  return { id: `${SERVER_PREFIX}${name}`, kind: "mcp", title, configured: true, needsKey: false, lastTry: null };
}

export interface RunListener {
  onEvent(run: ClaimedRun, event: DomainEvent, logged: LoggedEvent): void;
  onEffect(run: ClaimedRun, record: JournalRecord, ms: number): void;
}

/** The number of runs that a line of the log names. */
const MAX_NAMED = 10;

/** Everything that hears what runs do. */
export function observers(logger: Logger, { onEvent }: ObserverParts, listeners: readonly RunListener[]) {
  return {
    onEvent(run: ClaimedRun, event: DomainEvent, node: string | null, logged: LoggedEvent): void {
      const line = logLineOf(event);
      if (line !== null) logger[line.level]({ runId: run.runId, ...(node === null ? {} : { node }), ...line.fields }, line.message);
      for (const listener of listeners) listener.onEvent(run, event, logged);
      onEvent?.(run, event, node);
    },
    onEffect(run: ClaimedRun, record: JournalRecord, ms: number): void {
      for (const listener of listeners) listener.onEffect(run, record, ms);
    },
    onError(message: string, run: ClaimedRun | null, error: DossierError): void {
      logger.error({ runId: run?.runId, code: error.code, err: error }, message);
    },
    onStartAlone(runIds: readonly string[]): void {
      const what = "the process crashed twice while these runs were in flight: they start one at a time, and the others wait";
      logger.warn({ runs: runIds.length, runIds: runIds.slice(0, MAX_NAMED) }, what);
    },
  };
}

export function refusalLog(logger: Logger): OnRefusal {
  return (refusal) => {
    if (refusal === null) logger.info("database accepts writes again");
    else logger.error({ code: refusal.code, err: refusal }, "database refuses writes; unfinished runs wait until it accepts them");
  };
}
