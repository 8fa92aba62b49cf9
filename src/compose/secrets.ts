import type { Config } from "../config.ts";
import type { TextStore } from "../domain/ports/sources.ts";
import { secretsUnder } from "../tools/mcp/secrets.ts";
import type { ServersFile } from "../tools/mcp/servers-file.ts";
import { blotValues, writtenForms } from "../util/mask-values.ts";

/** The ways to write a key; none if it is as short or plain as ordinary words, such as the `ollama` that local servers are given. */
export function formsOfKey(key: string | undefined): string[] {
  return secretsUnder("key", key ?? "").flatMap(writtenForms);
}

/** Returns the keys of all settings and the secrets of MCP servers, in all ways to write them. */
export function secretsOf(config: Config, { servers }: ServersFile): string[] {
  const own = [config.OPENAI_API_KEY, config.RERANK_API_KEY, config.EMBEDDINGS_API_KEY, config.OIDC_CLIENT_SECRET];
  const keys = [...own, ...[...Object.values(config.services), ...Object.values(config.providers)].map(({ apiKey }) => apiKey)];
  const passwords = [config.HTTP_PROXY, config.HTTPS_PROXY, config.DATABASE_URL].flatMap((url) =>
    url === undefined ? [] : decodeURIComponent(new URL(url).password),
  );
  return [...new Set([...passwords.flatMap(formsOfKey), ...keys.flatMap(formsOfKey), ...servers.flatMap((server) => server.secrets)])];
}

/** Keeps secrets that a page or a tool repeats out of the stored texts, without moving what follows them. */
export function withoutSecrets(store: TextStore, secretsOf: (runId: string) => readonly string[]): TextStore {
  const blot = (runId: string, text: string): string => blotValues(text, secretsOf(runId));
  return {
    put: (runId, document) => store.put(runId, { ...document, text: blot(runId, document.text), title: blot(runId, document.title) }),
    get: (runId, contentHash) => store.get(runId, contentHash),
  };
}
