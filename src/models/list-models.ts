import { limitTime } from "../util/abort.ts";
import { fieldsOf, listOf, parseJson, textOf } from "../util/json-fields.ts";
import { addressOf, headersFor, type ModelEndpoint } from "./completions-client.ts";
import { connectionFailure, failureOf, serverErrorOf } from "./read-failure.ts";

const LIST_MS = 10_000;
/** In UTF-16 code units. */
const MAX_LENGTH = 2_000_000;
const MAX_MODELS = 500;
/** As in a request. */
const MAX_NAME = 200;

/** Asks a server of OpenAI's protocol for the names of its models. @throws DossierError if it does not answer or refuses */
export async function listModels(endpoint: ModelEndpoint, signal: AbortSignal): Promise<string[]> {
  using limit = limitTime(LIST_MS, signal);
  const response = await getModels(endpoint, limit.signal);
  const body = await beginningOf(response);
  if (!response.ok) throw failureOf(serverErrorOf(response.status, body), endpoint, "its own");
  const names = listOf(fieldsOf(parseJson(body))["data"]).map((one) => textOf(fieldsOf(one)["id"]));
  return [...new Set(names)].filter((name) => name !== "" && name.length <= MAX_NAME).slice(0, MAX_MODELS);
}

async function getModels(endpoint: ModelEndpoint, signal: AbortSignal): Promise<Response> {
  try {
    return await endpoint.fetch(addressOf(endpoint, "models"), { method: "GET", headers: headersFor(endpoint), signal });
  } catch (error) {
    throw connectionFailure(error, endpoint);
  }
}

/** A list that is too long is cut and then read as none. */
async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_LENGTH) break;
  }
  return text;
}
