import { addressOf, headersFor, type ModelEndpoint } from "./endpoint.ts";
import { fieldsOf, listOf, parseJson, textOf } from "./raw-json.ts";
import { complaintOf, failureOf } from "./read-failure.ts";

const LIST_MS = 10_000;
/** Where a server lists nothing, any name may do. */
const ANY_NAME = "default";
const OPENAI_HOST = "api.openai.com";
const OPENAI_MODEL = "gpt-4.1-mini";

/** The name that stands for an empty one without asking; empty where the server is to be asked. */
export function fixedName(endpoint: Pick<ModelEndpoint, "baseUrl">): string {
  return new URL(endpoint.baseUrl).hostname === OPENAI_HOST ? OPENAI_MODEL : "";
}

/** Finds the name of the deployment's own model; the server is asked once. */
export class OwnModel {
  readonly #endpoint: ModelEndpoint;
  #name = "";

  constructor(endpoint: ModelEndpoint) {
    this.#endpoint = endpoint;
    this.#name = fixedName(endpoint);
  }

  /** @throws DossierError `model_refused` where the key is not accepted; what the fetch threw */
  async name(signal: AbortSignal): Promise<string> {
    if (this.#name !== "") return this.#name;
    const response = await this.#endpoint.fetch(addressOf(this.#endpoint, "models"), {
      method: "GET",
      headers: headersFor(this.#endpoint),
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]),
    });
    const body = await response.text();
    if (response.status === 401 || response.status === 403) throw failureOf(complaintOf(response.status, body), this.#endpoint, "its own");
    const first = fieldsOf(listOf(fieldsOf(parseJson(body))["data"])[0]);
    // A failure of another kind is not remembered.
    if (!response.ok) return ANY_NAME;
    this.#name = textOf(first["id"]) || ANY_NAME;
    return this.#name;
  }
}
