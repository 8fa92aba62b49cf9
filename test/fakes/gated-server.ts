import { onTestFinished } from "vitest";
import { type LoopbackServer, startLoopback } from "./loopback-server.ts";

export interface GatedServer extends LoopbackServer {
  /** Resolves when so many requests have arrived. */
  asked(times: number): Promise<void>;
  /** Answers all requests that wait, and later ones at once. */
  open(): void;
}

/** A loopback server that answers with this JSON, but not before the test opens it. It closes when the test has finished. */
export async function startGated(body: unknown = { text: "", sources: [] }): Promise<GatedServer> {
  const gate = Promise.withResolvers<void>();
  const waiting = new Set<() => void>();
  const server = await startLoopback(async (_, response) => {
    for (const look of waiting) look();
    await gate.promise;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  onTestFinished(() => server.close());
  const asked = (times: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (server.requests.length >= times) resolve();
      };
      waiting.add(look);
      look();
    });
  return { ...server, asked, open: () => gate.resolve() };
}
