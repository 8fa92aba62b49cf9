import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Script } from "./script.ts";
import { ScriptedHost, type ScriptedHostOptions } from "./scripted-host.ts";
import type { SeenRequest } from "./seen-request.ts";

export interface ModelServerOptions extends ScriptedHostOptions {
  /** Any free port by default. */
  readonly port?: number | undefined;
}

export interface ModelServer {
  /** Ends with `/v1`, as `OPENAI_BASE_URL` does. */
  readonly url: string;
  /** Every completion request, in order of arrival, including refused ones. */
  readonly requests: readonly SeenRequest[];
  /** What OpenAI's server would refuse with 400, in order; refusals by the script and the abilities are not included. */
  readonly refused: readonly string[];
  /** Requests without a script entry, requests whose script threw, and requests of unknown paths. */
  readonly unexpected: readonly string[];
  /** Returns how many requests their clients aborted. */
  aborted(): number;
  /** Ends all open requests, too. */
  close(): Promise<void>;
}

/** Listens on loopback and answers Chat Completions by a script, without a test runner. The caller closes it. */
export async function openModelServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  const host = new ScriptedHost(script, options);
  const server = createServer((request, response) => void host.answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: host.requests,
    refused: host.refused,
    unexpected: host.unexpected,
    aborted: () => host.requests.filter(({ abortedAt }) => abortedAt !== null).length,
    async close() {
      host.closing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
