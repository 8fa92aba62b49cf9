import { onTestFinished } from "vitest";
import type { CallContext, Endpoint } from "../../src/domain/ports/sources.ts";
import { readAllowedHosts } from "../../src/network/check-link.ts";
import { createNetwork, type Network, type NetworkOptions } from "../../src/network/network.ts";
import { LONG } from "./long-limits.ts";

/** Limits for tests that wait until one is reached. */
export const SHORT = { connectMs: 1_000, headersMs: 600, silenceMs: 600, totalMs: 1_500, paced: true };

/** The real network, which may reach `hosts` (`host:port`); closed when the test has finished. */
export function openNetwork(hosts: readonly string[], options: Partial<NetworkOptions> = {}): Network {
  const network = createNetwork({ baseUrls: {}, allowedHosts: readAllowedHosts(hosts), userAgent: "test", limits: LONG, ...options });
  onTestFinished(() => network.close());
  return network;
}

/** Returns the code of the error that `promise` rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "no error",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : `unknown: ${error}`),
  );
}

export function inScope(...scope: string[]): CallContext {
  return { signal: new AbortController().signal, scope };
}

/** The service of one source, `svc`, at `hosts`, with a rate that does not slow a test down. */
export function service(...hosts: string[]): Endpoint {
  return { id: "svc", owner: "svc", hosts, rate: { requests: 1_000, perMs: 1_000, concurrent: 100 } };
}
