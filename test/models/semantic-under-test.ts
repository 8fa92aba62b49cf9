import { onTestFinished } from "vitest";
import type { SemanticEndpoint } from "../../src/models/semantic-endpoints.ts";
import { createModelFetch } from "../../src/network/configured-server.ts";
import { type Speak, startSemanticServer } from "../fakes/semantic-server.ts";

/** A loopback server that answers with `speak`, and its client; both closed when the test has finished. */
export async function openEndpoint(speak: Speak, path = "", own: Partial<SemanticEndpoint> = {}) {
  const server = await startSemanticServer(speak);
  const baseUrl = `${server.url}${path}`;
  const way = createModelFetch(baseUrl);
  onTestFinished(async () => {
    await way.close();
    await server.close();
  });
  const endpoint: SemanticEndpoint = { baseUrl, setting: "RERANK", fetch: way.fetch, ...own };
  return { server, endpoint, signal: new AbortController().signal };
}
