import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { ProviderHost } from "./host.ts";
import type { ProviderRequest, ProviderScript } from "./neutral.ts";
import type { Provider } from "./provider.ts";

export interface ProviderServer {
  /** What the provider's class takes as its base URL. */
  readonly url: string;
  /** Every request to the model in order of arrival, including refused ones. */
  readonly requests: readonly ProviderRequest[];
  /** What the real server would refuse, in order. */
  readonly refused: readonly string[];
  /** Requests without a script entry, requests whose script threw, and requests of unknown paths. */
  readonly unexpected: readonly string[];
  /** Resolves when so many requests have arrived. */
  asked(times: number): Promise<void>;
  /** Resolves when so many clients have closed their connection before the end of the answer. */
  left(times: number): Promise<void>;
  /** Ends all open requests, too. */
  close(): Promise<void>;
}

/** Listens on loopback and answers in a provider's protocol by a script; closed with the test. */
export async function startProvider(provider: Provider, script: ProviderScript): Promise<ProviderServer> {
  const server = await openProvider(provider, script);
  onTestFinished(() => server.close());
  return server;
}

/** The same without a test runner. The caller closes it. */
export async function openProvider(provider: Provider, script: ProviderScript): Promise<ProviderServer> {
  const host = new ProviderHost(provider, script);
  const server = createServer((request, response) => void host.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${provider.basePath}`,
    requests: host.requests,
    refused: host.refused,
    unexpected: host.unexpected,
    asked: (times) => host.when(() => host.requests.length >= times),
    left: (times) => host.when(() => host.requests.filter(({ left }) => left).length >= times),
    async close() {
      host.closing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
