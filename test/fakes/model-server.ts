import { onTestFinished } from "vitest";
import type { Script } from "./model-server/script.ts";
import { type ModelServer, type ModelServerOptions, openModelServer } from "./model-server/serve.ts";

/** A loopback model server that answers by a script (see model-server/behaviors.ts); closed with the test. */
export async function startModelServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await openModelServer(script, options);
  onTestFinished(() => server.close());
  return server;
}
