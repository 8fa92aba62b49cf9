import { createServerFetch } from "../network/configured-server.ts";
import { fieldsOf, listOf, textOf } from "../util/json-fields.ts";

export interface LocalServer {
  readonly name: string;
  /** The address above `/v1`. */
  readonly url: string;
}

/** Where these programs listen if nothing else was set. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { name: "Ollama", url: "http://127.0.0.1:11434" },
  { name: "LM Studio", url: "http://127.0.0.1:1234" },
];

const TIMEOUT_MS = 300;
const MAX_BYTES = 1_000_000;
const MODEL_NAME = /^[\w.:/@+-]{1,100}$/;

/** Returns a line that says how to use a model server of this machine; null if none answers within 300 ms. Never throws. */
export async function localModelHint(servers: readonly LocalServer[] = LOCAL_SERVERS): Promise<string | null> {
  const found = await Promise.all(servers.map(hintOf));
  return found.find((hint) => hint !== null) ?? null;
}

async function hintOf({ name, url }: LocalServer): Promise<string | null> {
  const server = createServerFetch(url, { name, maxBytes: MAX_BYTES, onBroken: () => undefined });
  try {
    const response = await server.fetch(`${url}/v1/models`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status !== 200) return null;
    const models = listOf(fieldsOf(await response.json())["data"]).map((model) => textOf(fieldsOf(model)["id"]));
    const model = models.find((id) => MODEL_NAME.test(id));
    if (model === undefined) return null;
    return `${name} answers at ${new URL(url).host}: with OPENAI_BASE_URL=${url}/v1 OPENAI_MODEL=${model} a model writes the report.`;
  } catch {
    return null;
  } finally {
    await server.close();
  }
}
