import { limitTime } from "../util/abort.ts";
import { fieldsOf, listOf, parseJson, textOf } from "../util/json-fields.ts";
import { addressOf, headersFor, type ModelEndpoint } from "./completions-client.ts";
import { failureOf, serverErrorOf } from "./read-failure.ts";

const LIST_MS = 10_000;
const ANY_NAME = "default";
const OPENAI_HOST = "api.openai.com";
const OPENAI_MODEL = "gpt-4.1-mini";

/** Returns the default model of api.openai.com. Empty for other servers, which are asked for their models. */
export function fixedName(endpoint: Pick<ModelEndpoint, "baseUrl">): string {
  return new URL(endpoint.baseUrl).hostname === OPENAI_HOST ? OPENAI_MODEL : "";
}

/** The returned function asks the server once for the name of its first model. @throws DossierError if the server refuses the key */
export function createDefaultModel(endpoint: ModelEndpoint): (signal: AbortSignal) => Promise<string> {
  let name = fixedName(endpoint);
  return async (signal) => {
    if (name !== "") return name;
    using limit = limitTime(LIST_MS, signal);
    const response = await endpoint.fetch(addressOf(endpoint, "models"), {
      method: "GET",
      headers: headersFor(endpoint),
      signal: limit.signal,
    });
    const body = await response.text();
    if (response.status === 401 || response.status === 403) throw failureOf(serverErrorOf(response.status, body), endpoint, "its own");
    if (!response.ok) return ANY_NAME;
    name = textOf(fieldsOf(listOf(fieldsOf(parseJson(body))["data"])[0])["id"]) || ANY_NAME;
    return name;
  };
}
