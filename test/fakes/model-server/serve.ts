import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Script } from "./script.ts";
import { ScriptedHost, type ScriptedHostOptions } from "./scripted-host.ts";
import type { SeenRequest } from "./seen-request.ts";

export interface ModelServerOptions extends ScriptedHostOptions {
  /** Any free one if absent. */
  readonly port?: number | undefined;
}

export interface ModelServer {
  /** Ends with `/v1`, as `OPENAI_BASE_URL` does. */
  readonly url: string;
  /** Every request for a completion, in order of arrival, refused ones too. */
  readonly requests: readonly SeenRequest[];
  /** What OpenAI's server would refuse with 400, in order; the script's and the abilities' refusals are not among them. */
  readonly refused: readonly string[];
  /** Requests for which the script had nothing, whose script threw, or of unknown addresses. */
  readonly unexpected: readonly string[];
  /** How many requests their clients gave up. */
  aborted(): number;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** Listens on loopback and answers Chat Completions by a script; needs no test runner. The caller closes it. */
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
