import type { Config } from "../config.ts";
import { type ChatModel, DEFAULT_CONNECTIONS, type SemanticRanker } from "../domain/ports/models.ts";
import type { ModelsState, OfferedModels } from "../domain/ports/run-service.ts";
import type { SharedLimits } from "../domain/ports/shared-limits.ts";
import type { Models, Price } from "../domain/request.ts";
import { DossierError, invalidSettings, toDossierError } from "../errors.ts";
import { createChatModel } from "../models/chat-model.ts";
import type { ModelEndpoint } from "../models/exchange.ts";
import { KnownModels } from "../models/ladder.ts";
import { createFacts, fixedName, listModels } from "../models/model-facts.ts";
import { dividedName, isInstalled, OPENAI, PROVIDERS } from "../models/providers.ts";
import { createEmbeddingsEndpoint, createRerankEndpoint } from "../models/semantic-endpoints.ts";
import { createModelFetch } from "../network/configured-server.ts";
import { type SourceHealth, trackHealth } from "../tools/source-health.ts";
import { singleFlight } from "../util/single-flight.ts";
import { formsOfKey } from "./secrets.ts";
import { proxiesOf } from "./sources.ts";

/** The context that is counted on if neither the operator nor the server tells it. */
const DEFAULT_CONTEXT_TOKENS = 32_000;

/** The calls of models at the same time. */
export function connectionsOf(config: Config): number {
  return config.MODEL_CONNECTIONS ?? Math.max(DEFAULT_CONNECTIONS, config.RUN_CONCURRENCY);
}

interface ModelParts {
  readonly prices: Readonly<Record<string, Price>>;
  readonly shared: SharedLimits;
  readonly clock: () => number;
  readonly tenantsServer: (runId: string, setting: string) => ModelEndpoint;
}

export async function openModel(config: Config, { prices, shared, clock, tenantsServer }: ModelParts) {
  const connections = connectionsOf(config);
  await using opening = new AsyncDisposableStack();
  const open = (address: string, apiKey: string | undefined): ModelEndpoint => {
    // One more for the list of models.
    const transport = opening.adopt(createModelFetch(address, connections + 1, proxiesOf(config)), ({ close }) => close());
    return { baseUrl: address, apiKey, secrets: formsOfKey(apiKey), fetch: transport.fetch };
  };
  const endpoints = new Map(serversOf(config).map(([id, { baseUrl, apiKey }]) => [id, open(baseUrl, apiKey)]));
  const endpointOf = (id: string): ModelEndpoint | null => endpoints.get(id) ?? null;
  const endpoint = endpointOf("openai");
  const models = configuredModels(config);
  const known = new KnownModels();
  const ending = opening.adopt(new AbortController(), (one) => one.abort());
  const names = models === null ? [] : [models.default, ...Object.values(models.roles)];
  const settings = { contextTokens: config.MODEL_CONTEXT_TOKENS, prices, signal: ending.signal };
  const facts = models === null ? null : await installed(createFacts(names, { endpointOf, known, ...settings }));
  const health = trackHealth(clock, OWN_REFUSALS);
  const listing = singleFlight((signal) => offeredBy(endpoint, signal));
  const limits = {
    firstTokenMs: config.MODEL_FIRST_TOKEN_SECONDS * 1_000,
    betweenTokensMs: config.MODEL_TOKEN_SECONDS * 1_000,
    callMs: config.MODEL_CALL_SECONDS * 1_000,
  };
  const opened = opening.move();
  const contextOf = (model: string): number | null => facts?.contextOf(model) ?? null;
  const serverOf = (model: string): string | null => endpointOf(dividedName(model).id)?.baseUrl ?? null;
  return {
    model: observeModel(createChatModel({ endpoint, endpointOf, tenantsServer, known, limits, connections, shared }), health),
    models,
    modelsState: (ranker: string | null): ModelsState => stateOf(models, { ranker, lastTry: health.latest(), contextOf, serverOf }),
    offeredModels: (signal: AbortSignal): Promise<OfferedModels> => listing.join(signal),
    priceOf: (model: string): Price | null => facts?.priceOf(model) ?? null,
    contextOf,
    serverOf,
    close: () => opened.disposeAsync(),
  };
}

/** The providers that a call can be made to: their packages are installed, and they have a key or an address, or need none. */
function serversOf(config: Config): [string, { readonly baseUrl: string; readonly apiKey: string | undefined }][] {
  const own = { baseUrl: config.OPENAI_BASE_URL, apiKey: config.OPENAI_API_KEY };
  return Object.entries(PROVIDERS).flatMap(([id, provider]) => {
    const { baseUrl, apiKey } = id === "openai" ? own : (config.providers[id] ?? {});
    const isSet = baseUrl !== undefined || apiKey !== undefined || provider.keyless;
    return isSet && isInstalled(provider) ? [[id, { baseUrl: baseUrl ?? provider.baseUrl, apiKey }]] : [];
  });
}

/** A package that is missing at the start is a fault of the settings. @throws DossierError `config_invalid` */
async function installed<T>(loading: Promise<T>): Promise<T> {
  return loading.catch((error: unknown) => {
    const { code, message } = toDossierError(error);
    throw code === "model_refused" ? invalidSettings([{ path: "MODEL", message }], error) : error;
  });
}

async function offeredBy(endpoint: ModelEndpoint | null, signal: AbortSignal): Promise<OfferedModels> {
  if (endpoint === null) return { models: [], failure: null };
  try {
    return { models: (await listModels(endpoint, signal)).map(({ name }) => name), failure: null };
  } catch (error) {
    signal.throwIfAborted();
    return { models: [], failure: toDossierError(error, "model_unavailable").message };
  }
}

/** A call whose limit or budget is reached says nothing of the server. */
const OWN_REFUSALS: readonly string[] = ["model_call_cap", "token_budget", "cost_budget", "context_too_large"];

function observeModel(model: ChatModel, health: SourceHealth): ChatModel {
  return {
    complete(request, options, effects) {
      const call = () => model.complete(request, options, effects);
      // The calls of a tenant to its own server say nothing of the deployment's, and are shown to nobody else.
      return options.models.servers?.[request.model] === undefined ? health.track(call, effects.signal) : call();
    },
  };
}

interface StateParts extends Pick<ModelsState, "ranker" | "lastTry"> {
  readonly contextOf: (model: string) => number | null;
  readonly serverOf: (model: string) => string | null;
}

export function stateOf(models: Omit<Models, "prices"> | null, { ranker, lastTry, contextOf, serverOf }: StateParts): ModelsState {
  const common = { configured: models !== null, ranker, lastTry };
  if (models === null) return { ...common, server: null, default: null, roles: {}, contextTokens: null };
  const { default: name, roles, contextTokens } = models;
  const server = serverOf(name);
  const shown = { default: name || null, roles, contextTokens: contextOf(name) ?? contextTokens };
  return { ...common, server: server === null ? null : new URL(server).host, ...shown };
}

export function recordedModel(): ChatModel {
  const endpoint = {
    baseUrl: "http://recorded.invalid",
    fetch: async () => {
      throw new DossierError("internal", "A replay calls no model.");
    },
  };
  const limits = { firstTokenMs: Number.POSITIVE_INFINITY, betweenTokensMs: Number.POSITIVE_INFINITY, callMs: Number.POSITIVE_INFINITY };
  return createChatModel({ endpoint, limits });
}

export function configuredModels(config: Config): Omit<Models, "prices"> | null {
  const hasServer = config.OPENAI_API_KEY !== undefined || config.OPENAI_BASE_URL !== undefined;
  if (!hasServer && config.MODEL === undefined) return null;
  return {
    ...modelTerms(config),
    default: config.MODEL ?? config.OPENAI_MODEL ?? fixedName({ baseUrl: config.OPENAI_BASE_URL ?? OPENAI.baseUrl }),
    roles: config.OPENAI_MODELS,
  };
}

/** What holds also for the model of a tenant where the deployment has none. */
export function modelTerms(config: Config): Omit<Models, "prices"> {
  const contextTokens = config.MODEL_CONTEXT_TOKENS ?? DEFAULT_CONTEXT_TOKENS;
  return { default: "", roles: {}, contextTokens, maxOutputTokens: config.MODEL_MAX_OUTPUT_TOKENS };
}

/** If both are configured, the rerank server is used and the embeddings server is not. */
export function openSemantic(config: Config): { ranker: SemanticRanker | null; close: () => Promise<void> } {
  const setting = config.RERANK_BASE_URL === undefined ? "EMBEDDINGS" : "RERANK";
  const baseUrl = config[`${setting}_BASE_URL`];
  if (baseUrl === undefined) return { ranker: null, close: async () => {} };
  const { fetch, close } = createModelFetch(baseUrl, DEFAULT_CONNECTIONS, proxiesOf(config));
  const endpoint = { baseUrl, apiKey: config[`${setting}_API_KEY`], model: config[`${setting}_MODEL`], fetch };
  const ranker = setting === "RERANK" ? createRerankEndpoint({ ...endpoint, setting }) : createEmbeddingsEndpoint({ ...endpoint, setting });
  return { ranker, close };
}
