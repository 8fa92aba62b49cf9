import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { serializerCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { ReportFiles } from "../domain/ports/reports.ts";
import type { Operations, RunService } from "../domain/ports/run-service.ts";
import { trackConnections } from "./connections.ts";
import { LOOPBACK_HOSTS, registerGuards } from "./guards.ts";
import type { HttpApp } from "./http-app.ts";
import { registerOpenApi } from "./openapi.ts";
import { answerClientError, answerError, answerUnmetExpectations } from "./problems.ts";
import { registerBundleRoutes, registerDocumentRoutes, registerRecordingRoutes, registerReportRoutes } from "./routes/downloads.ts";
import { registerDocs, registerGraphRoutes, registerOperationRoutes } from "./routes/operations.ts";
import { registerEventRoutes, registerRunRoutes, registerStartRoute } from "./routes/runs.ts";
import type { HttpServices } from "./services.ts";
import { registerJsonBody, validatorCompiler } from "./validation.ts";

/** Longest part of a path that is looked at, in characters; schemas judge shorter ones. */
const MAX_PARAM_CHARACTERS = 500;

/** Longest time a request may take to arrive, in milliseconds; answers may take longer. */
const REQUEST_TIMEOUT_MS = 60_000;

export interface AppOptions {
  readonly runs: RunService;
  readonly operations: Operations;
  /** Stays open when the app is closed. */
  readonly reports: ReportFiles;
  /** A pino logger, or anything with its methods. */
  readonly logger: FastifyBaseLogger;
  readonly version: string;
  /** `Host` values that are served, `name` (any port) or `name:port`; the loopback names by default. See `createHostCheck`. */
  readonly allowedHosts?: readonly string[];
  /** Origins such as `https://example.com` whose pages are served; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Milliseconds of silence after which an event stream carries a comment line; 5,000 by default. */
  readonly heartbeatMs?: number;
  /** Milliseconds a reader of an event stream may take nothing before it is disconnected; 5 minutes by default. */
  readonly stallMs?: number;
  /** Milliseconds a reader may take nothing of any other answer before it is disconnected; one minute by default. */
  readonly answerStallMs?: number;
  /** Milliseconds `close()` leaves to answers under way before it cuts them; 5,000 by default. */
  readonly closeGraceMs?: number;
  /** Longest body that is read, in bytes; 1 MiB by default. */
  readonly bodyLimitBytes?: number;
}

/**
 * The HTTP side of the service, complete but not listening. Every request is guarded and logged, and every failure, Fastify's
 * and Node's included, is answered as a problem (RFC 9457). `close()` ends open streams and returns within `closeGraceMs`.
 * @throws DossierError `config_invalid` for a host or an origin that is none
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const app = createInstance(options);
  const times = timings(options);
  const connections = trackConnections(app, options.closeGraceMs ?? 5_000);
  registerTurns(app, times.answerStallMs);
  registerRequestLog(app);
  registerGuards(app, { connections, allowedHosts: options.allowedHosts ?? LOOPBACK_HOSTS, corsOrigins: options.corsOrigins ?? [] });
  registerJsonBody(app);
  await registerOpenApi(app, options.version);
  const { runs, operations, reports, version } = options;
  registerRoutes(app, { ...times, connections, runs, operations, reports, version });
  await registerDocs(app);
  await app.ready();
  return app as unknown as FastifyInstance;
}

function createInstance({ logger, bodyLimitBytes = 1_048_576 }: AppOptions): HttpApp {
  const app = fastify({
    loggerInstance: logger,
    // Our own lines instead: without query, and quiet where nothing failed.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: bodyLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_CHARACTERS },
    // Both would answer with something else than a problem; the guards do it instead.
    http: { requireHostHeader: false },
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: answerError,
  }).withTypeProvider<ZodTypeProvider>();
  answerUnmetExpectations(app.server);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(answerError);
  return app;
}

function timings({ heartbeatMs = 5_000, stallMs = 300_000, answerStallMs = 60_000 }: AppOptions) {
  return { heartbeatMs, stallMs, answerStallMs };
}

function registerRoutes(app: HttpApp, services: HttpServices): void {
  registerStartRoute(app, services);
  registerRunRoutes(app, services);
  registerEventRoutes(app, services);
  registerReportRoutes(app, services);
  registerDocumentRoutes(app, services);
  registerRecordingRoutes(app, services);
  registerBundleRoutes(app, services);
  registerGraphRoutes(app, services);
  registerOperationRoutes(app, services);
}

/** One line for each answer, at `info` where the server failed and at `debug` otherwise; neither query nor body nor headers. */
function registerRequestLog(app: HttpApp): void {
  app.addHook("onResponse", async (request, reply) => {
    const [path] = request.url.split("?");
    const { id } = (request.params ?? {}) as { id?: string };
    const line = {
      method: request.method,
      path,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      ...(id === undefined ? {} : { runId: id }),
    };
    request.log[reply.statusCode >= 500 ? "info" : "debug"](line, "request answered");
  });
}

/** Requests a connection may have open at once, the one that is being answered included. */
const MAX_PIPELINED = 100;

/** What waits on one connection: the first is being answered. */
interface Line {
  readonly waiting: (() => void)[];
}

/**
 * Answers the requests of one connection one after another: the next is looked at when the network has taken the last answer. A
 * client that sends many and reads nothing (HTTP pipelining) so costs one answer of memory; with more than 100 open requests it
 * is cut off. One that takes nothing of an answer for `stallMs` milliseconds is cut off too; streams keep their own pace.
 */
function registerTurns(app: HttpApp, stallMs: number): void {
  const lines = new WeakMap<Socket, Line>();

  app.addHook("onRequest", async ({ raw: { socket } }, reply) => {
    const line = lines.get(socket) ?? openLine(lines, socket);
    if (line.waiting.length >= MAX_PIPELINED) socket.destroy();
    if (!socket.destroyed) await turnOf(line, reply.raw);
    // Nobody is left to answer.
    if (socket.destroyed) reply.hijack();
    // What an earlier answer on this connection asked for is over; waiting for a run is no stall.
    else socket.setTimeout(0);
  });

  // From here on there is only the reader to wait for. Streams, which are hijacked, do not come here.
  app.addHook("onSend", async ({ raw: { socket } }) => void socket.setTimeout(stallMs));
}

function openLine(lines: WeakMap<Socket, Line>, socket: Socket): Line {
  const line: Line = { waiting: [] };
  lines.set(socket, line);
  // Answers that were never begun do not say that they are closed.
  socket.once("close", () => {
    for (const begin of line.waiting.splice(0)) begin();
  });
  return line;
}

/** Resolves when everything before it on the line has been answered, or the connection is closed. */
function turnOf({ waiting }: Line, response: ServerResponse): Promise<void> {
  response.once("close", () => {
    waiting.shift();
    waiting[0]?.();
  });
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) resolve();
  });
}
