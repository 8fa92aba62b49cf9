import type { Config } from "../config.ts";
import { type ChatModel, DEFAULT_CONNECTIONS, type SemanticRanker } from "../domain/ports/models.ts";
import type { ModelsState, OfferedModels } from "../domain/ports/run-service.ts";
import type { Models, Price } from "../domain/request.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { KNOWN_PRICES, priceOf } from "../models/call-budget.ts";
import { createChatModel } from "../models/chat-model.ts";
import type { ModelEndpoint } from "../models/completions-client.ts";
import { fixedName } from "../models/default-model.ts";
import { listModels } from "../models/list-models.ts";
import { createEmbeddingsEndpoint, createRerankEndpoint } from "../models/semantic-endpoints.ts";
import { createModelFetch } from "../network/configured-server.ts";
import { type SourceHealth, trackHealth } from "../tools/source-health.ts";
import { singleFlight } from "../util/single-flight.ts";
import { formsOfKey } from "./secrets.ts";

const OPENAI = "https://api.openai.com/v1";

export function openModel(config: Config, ownPrices: Readonly<Record<string, Price>>, clock: () => number) {
  const baseUrl = config.OPENAI_BASE_URL ?? OPENAI;
  const connections = config.MODEL_CONNECTIONS ?? Math.max(DEFAULT_CONNECTIONS, config.RUN_CONCURRENCY);
  // One more for the list of models.
  const transport = createModelFetch(baseUrl, connections + 1);
  const health = trackHealth(clock, OWN_REFUSALS);
  const prices = { ...KNOWN_PRICES, ...ownPrices };
  const endpoint = { baseUrl, apiKey: config.OPENAI_API_KEY, secrets: formsOfKey(config.OPENAI_API_KEY), fetch: transport.fetch };
  const listing = singleFlight((signal) => offeredBy(endpoint, signal));
  return {
    model: observeModel(
      createChatModel({
        endpoint,
        limits: {
          firstTokenMs: config.MODEL_FIRST_TOKEN_SECONDS * 1_000,
          betweenTokensMs: config.MODEL_TOKEN_SECONDS * 1_000,
          callMs: config.MODEL_CALL_SECONDS * 1_000,
        },
        connections,
      }),
      health,
    ),
    models: configuredModels(config),
    modelsState: (ranker: string | null): ModelsState => stateOf(configuredModels(config), baseUrl, { ranker, lastTry: health.latest() }),
    offeredModels: async (signal: AbortSignal): Promise<OfferedModels> =>
      configuredModels(config) === null ? { models: [], failure: null } : listing.join(signal),
    priceOf: (model: string): Price | null => priceOf(prices, model),
    close: transport.close,
  };
}

async function offeredBy(endpoint: ModelEndpoint, signal: AbortSignal): Promise<OfferedModels> {
  try {
    return { models: await listModels(endpoint, signal), failure: null };
  } catch (error) {
    signal.throwIfAborted();
    return { models: [], failure: toDossierError(error, "model_unavailable").message };
  }
}

/** A call whose limit or budget is reached says nothing of the server. */
const OWN_REFUSALS: readonly string[] = ["model_call_cap", "token_budget", "cost_budget", "context_too_large"];

function observeModel(model: ChatModel, health: SourceHealth): ChatModel {
  return {
    complete: (request, options, effects) => health.track(() => model.complete(request, options, effects), effects.signal),
  };
}

function stateOf(
  models: Omit<Models, "prices"> | null,
  baseUrl: string,
  { ranker, lastTry }: Pick<ModelsState, "ranker" | "lastTry">,
): ModelsState {
  const common = { configured: models !== null, ranker, lastTry };
  if (models === null) return { ...common, server: null, default: null, roles: {}, contextTokens: null };
  const { default: name, roles, contextTokens } = models;
  return { ...common, server: new URL(baseUrl).host, default: name || null, roles, contextTokens };
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
  if (config.OPENAI_API_KEY === undefined && config.OPENAI_BASE_URL === undefined) return null;
  return {
    default: config.OPENAI_MODEL ?? fixedName({ baseUrl: config.OPENAI_BASE_URL ?? OPENAI }),
    roles: config.OPENAI_MODELS,
    contextTokens: config.MODEL_CONTEXT_TOKENS,
    maxOutputTokens: config.MODEL_MAX_OUTPUT_TOKENS,
  };
}

/** If both are configured, the rerank server is used and the embeddings server is not. */
export function openSemantic(config: Config): { ranker: SemanticRanker | null; close: () => Promise<void> } {
  const setting = config.RERANK_BASE_URL === undefined ? "EMBEDDINGS" : "RERANK";
  const baseUrl = config[`${setting}_BASE_URL`];
  if (baseUrl === undefined) return { ranker: null, close: async () => {} };
  const { fetch, close } = createModelFetch(baseUrl);
  const endpoint = { baseUrl, apiKey: config[`${setting}_API_KEY`], model: config[`${setting}_MODEL`], fetch };
  const ranker = setting === "RERANK" ? createRerankEndpoint({ ...endpoint, setting }) : createEmbeddingsEndpoint({ ...endpoint, setting });
  return { ranker, close };
}
