import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { acceptedBy } from "../../src/domain/accepted.ts";
import type { ThreadMaterialService } from "../../src/domain/ports/material.ts";
import type { Operations } from "../../src/domain/ports/run-service.ts";
import { DossierError } from "../../src/errors.ts";
import { type AppOptions, buildApp } from "../../src/http/build-app.ts";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { FakeRunService } from "../fakes/fake-run-service.ts";
import { openMemoryTenancy } from "../helpers/memory-tenancy.ts";

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface AppUnderTest {
  readonly app: FastifyInstance;
  readonly runs: FakeRunService;
  readonly port: number;
  readonly url: string;
  readonly logLines: LogLine[];
}

const LIMITS = { optionalToolLoops: 3, steps: 50, modelCalls: 100, tokens: 2_000_000, costUsd: null, seconds: 3_600, downloads: 60 };

export const quietOperations: Operations = {
  of: async () => quietOperations,
  graphs: () => [{ name: "executor", description: "Searches, reads, writes." }],
  graph: (name) => ({ name, description: "", nodes: [{ id: "search" }], edges: [], mermaid: "graph TD;" }),
  sources: () => [{ id: "corpus", kind: "corpus", title: "Documents", configured: true, needsKey: false, lastTry: null }],
  corpus: () => ({ documents: [], nextCursor: null, total: 0, failed: 0, languages: [], from: null, to: null }),
  models: () => ({ configured: false, server: null, default: null, roles: {}, contextTokens: null, ranker: null, lastTry: null }),
  offeredModels: async () => ({ models: [], failure: null }),
  accepted: () => acceptedBy(LIMITS, false),
  ready: async () => ({ bytes: 4_096, tooLarge: false, cleaned: "2026-08-01T10:00:00.000Z" }),
  work: () => ({ active: 1 }),
  refusalOf: () => null,
  metrics: async () => ({ contentType: "text/plain", text: "" }),
  workers: async () => [],
  indexing: () => null,
};

/** Threads to which nothing was given. */
export const noThreads: ThreadMaterialService = {
  list: async () => ({ documents: [], urls: [] }),
  add: async () => ({ documents: [], urls: [] }),
  document: async () => {
    throw new DossierError("not_found", "There is no such document.");
  },
  deleteDocument: async () => undefined,
  deleteUrl: async () => undefined,
};

/** The app on a real loopback socket, closed when the test is over. */
export async function startApp(options: Partial<AppOptions> = {}): Promise<AppUnderTest> {
  const runs = new FakeRunService();
  const logLines: LogLine[] = [];
  const reports = createReportFiles({ program: "dossier 1.2.3" });
  const logger = pino({ level: "debug" }, { write: (line: string) => logLines.push(JSON.parse(line)) });
  const app = await buildApp({
    runs,
    threads: noThreads,
    operations: quietOperations,
    tenancy: await openMemoryTenancy(),
    reports,
    logger,
    version: "1.2.3",
    closeGraceMs: 200,
    ...options,
  });
  onTestFinished(() => app.close().then(() => reports.close()));
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { app, runs, port: Number(new URL(url).port), url, logLines };
}

export function postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const content = typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body);
  return fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: content });
}

/** Sends these bytes and returns the response until the server closes the connection. */
export async function exchange(port: number, bytes: string): Promise<{ status: number; headers: Map<string, string>; body: string }> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  const [head = "", ...rest] = (await text(socket)).split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]));
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}

/** A request whose connection the server closes after the answer. */
export function get(path: string, headers: Record<string, string>, method = "GET"): string {
  const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}
