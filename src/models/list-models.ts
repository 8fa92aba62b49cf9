import { limitTime } from "../util/abort.ts";
import { fieldsOf, listOf, parseJson, textOf } from "../util/json-fields.ts";
import { addressOf, beginningOf, headersFor, type ModelEndpoint, type Refusal } from "./exchange.ts";
import { OPENAI } from "./providers.ts";
import { connectionFailure, failureOf } from "./read-failure.ts";

const LIST_MS = 10_000;
/** In UTF-16 code units. A list that is too long is cut and then read as none. */
const MAX_LENGTH = 2_000_000;
const MAX_MODELS = 500;
/** As in a request. */
const MAX_NAME = 200;

/** Asks a server of OpenAI's protocol for the names of its models. @throws DossierError if it does not answer or refuses */
export async function listModels(endpoint: ModelEndpoint, signal: AbortSignal): Promise<string[]> {
  return namesIn(await askForModels(endpoint, signal));
}

function namesIn(list: unknown): string[] {
  const names = listOf(fieldsOf(list)["data"]).map((one) => textOf(fieldsOf(one)["id"]));
  return [...new Set(names)].filter((name) => name !== "" && name.length <= MAX_NAME).slice(0, MAX_MODELS);
}

/** Returns the answer of `GET /models`. @throws DossierError if the server does not answer or refuses */
export async function askForModels(endpoint: ModelEndpoint, signal: AbortSignal): Promise<unknown> {
  const answer = await getModels(endpoint, signal);
  if (answer.status >= 300) throw failureOf(answer, { endpoint, model: "its own", provider: OPENAI });
  return parseJson(answer.body);
}

async function getModels(endpoint: ModelEndpoint, signal: AbortSignal): Promise<Refusal> {
  using limit = limitTime(LIST_MS, signal);
  const get = { method: "GET", headers: headersFor(endpoint), signal: limit.signal };
  const response = await endpoint.fetch(addressOf(endpoint, "models"), get).catch((error: unknown) => {
    throw connectionFailure(error, endpoint);
  });
  return { status: response.status, headers: response.headers, body: await beginningOf(response, MAX_LENGTH) };
}

const ANY_NAME = "default";
const OPENAI_MODEL = "gpt-4.1-mini";
const KEY_REFUSED: readonly number[] = [401, 403];

/** Returns the default model of api.openai.com. Empty for other servers, which are asked for their models. */
export function fixedName({ baseUrl }: Pick<ModelEndpoint, "baseUrl">): string {
  return new URL(baseUrl).hostname === new URL(OPENAI.baseUrl).hostname ? OPENAI_MODEL : "";
}

/** The returned function asks the server once for the name of its first model. @throws DossierError if the server refuses the key */
export function createDefaultModel(endpoint: ModelEndpoint): (signal: AbortSignal) => Promise<string> {
  let name = fixedName(endpoint);
  return async (signal) => {
    if (name !== "") return name;
    const answer = await getModels(endpoint, signal);
    if (KEY_REFUSED.includes(answer.status)) throw failureOf(answer, { endpoint, model: "its own", provider: OPENAI });
    // A server without such a list has one model.
    if (answer.status >= 300) return ANY_NAME;
    [name = ANY_NAME] = namesIn(parseJson(answer.body));
    return name;
  };
}
