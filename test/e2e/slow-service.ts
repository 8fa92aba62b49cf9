import { rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { type LoopbackServer, startLoopback } from "../fakes/loopback-server.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import type { SeenEvent } from "./read-events.ts";

export async function home(): Promise<string> {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

export async function slowTools(delayMs: number): Promise<LoopbackServer> {
  const server = await startLoopback(async (request, response) => {
    await pause(delayMs);
    const query = new URL(request.url ?? "", "http://tools").searchParams.get("query") ?? "";
    const source = { title: query, url: `https://example.org/${query}`, publishedAt: null, snippet: query, text: `Said ${query}.` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: query, sources: [source] }));
  });
  onTestFinished(() => server.close());
  return server;
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
