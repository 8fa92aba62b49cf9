import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoopbackServer {
  readonly url: string;
  /** The requested paths with their query, in order. */
  readonly requests: string[];
  /** The most requests that were open at the same time. */
  readonly peak: () => number;
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A real HTTP server on loopback that counts its requests; each waits for `delayMs`, which imitates a network in benchmarks. */
export async function startLoopback(answer: Answer, { delayMs = 0 }: { readonly delayMs?: number } = {}): Promise<LoopbackServer> {
  const requests: string[] = [];
  let open = 0;
  let peak = 0;
  const server: Server = createServer((request, response) => {
    requests.push(request.url ?? "");
    open += 1;
    peak = Math.max(peak, open);
    response.on("close", () => {
      open -= 1;
    });
    if (delayMs === 0) void answer(request, response);
    else setTimeout(() => void answer(request, response), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    peak: () => peak,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
