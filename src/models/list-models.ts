import { toDossierError } from "../errors.ts";
import { limitTime } from "../util/abort.ts";
import { countOf, type Fields, fieldsOf, listOf, parseJson, textOf } from "../util/json-fields.ts";
import { addressOf, beginningOf, headersFor, type ModelEndpoint } from "./exchange.ts";
import { OPENAI } from "./providers.ts";
import { connectionFailure, failureOf } from "./read-failure.ts";

const LIST_MS = 10_000;
/** In UTF-16 code units. A list that is too long is cut and then read as none. */
const MAX_LENGTH = 2_000_000;
const MAX_MODELS = 500;
/** As in a request. */
const MAX_NAME = 200;

export interface ListedModel {
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
