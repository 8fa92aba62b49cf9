import { rm } from "node:fs/promises";
import { expect, onTestFinished } from "vitest";
import { type LoopbackServer, startLoopback } from "../fakes/loopback-server.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import type { SeenEvent } from "./read-events.ts";

export async function home(): Promise<string> {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

export interface HeldTools extends LoopbackServer {
  /** Resolves when so many requests have arrived. */
  arrived(count: number): Promise<void>;
  /** Answers the requests that are held back, and all later ones. */
  release(): void;
}

/** A server of tools that holds its answers back from this request on, counted from 0; by default it answers all. */
export async function startTools(holdFrom = Number.POSITIVE_INFINITY): Promise<HeldTools> {
  const released = Promise.withResolvers<void>();
  const arrivals: (() => void)[] = [];
  const server = await startLoopback(async (request, response) => {
    for (const look of arrivals) look();
    if (server.requests.length > holdFrom) await released.promise;
    const query = new URL(request.url ?? "", "http://tools").searchParams.get("query") ?? "";
    const source = { title: query, url: `https://example.org/${query}`, publishedAt: null, snippet: query, text: `Said ${query}.` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: query, sources: [source] }));
  });
  onTestFinished(() => server.close());
  const arrived = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (server.requests.length >= count && resolve());
      arrivals.push(look);
      look();
    });
  return { ...server, arrived, release: released.resolve };
}

export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/research`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

export function expectWhole(events: readonly SeenEvent[]): void {
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => String(index + 1)));
  expect(events.map(({ data }) => data.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.map(({ event }) => event)).toEqual(events.map(({ data }) => data.type));
  expect(events.at(-1)?.event).toBe("run-ended");
}
