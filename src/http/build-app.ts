import { randomUUID } from "node:crypto";
import { fastifyAccepts } from "@fastify/accepts";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { serializerCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { Operations, ReportFiles, RunService } from "../domain/ports/run-service.ts";
import { limitPipelining, trackConnections } from "./connections.ts";
import { LOOPBACK_HOSTS, registerGuards } from "./guards.ts";
import { plainAccept } from "./headers.ts";
import type { HttpApp } from "./http-app.ts";
import { registerOpenApi } from "./openapi.ts";
import { answerClientError, answerError, answerUnmetExpectations } from "./problems.ts";
import { registerJsonBody, validatorCompiler } from "./request-validation.ts";
import { registerDownloadRoutes } from "./routes/downloads.ts";
import { registerDocs, registerOperationRoutes } from "./routes/operations.ts";
import { registerRunRoutes } from "./routes/runs.ts";

/** Longest part of a path, in characters; the routes' schemas accept less. */
const MAX_PARAM_CHARACTERS = 500;

const REQUEST_TIMEOUT_MS = 60_000;

export interface AppOptions {
  readonly runs: RunService;
  readonly operations: Operations;
  /** Not closed with the app. */
  readonly reports: ReportFiles;
  readonly logger: FastifyBaseLogger;
  readonly version: string;
  /** `Host` values that are served, `name` (any port) or `name:port`; the loopback names by default. */
  readonly allowedHosts?: readonly string[];
  /** Origins such as `https://example.com` whose pages are served; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Milliseconds of silence after which an event stream sends a comment line; 5,000 by default. */
  readonly heartbeatMs?: number;
  /** Milliseconds a reader of an event stream may take nothing before it is disconnected; 5 minutes by default. */
  readonly stallMs?: number;
  /** The same for every other answer; one minute by default. */
  readonly answerStallMs?: number;
  /** Milliseconds that `close()` leaves to open answers before it cuts them; 5,000 by default. */
  readonly closeGraceMs?: number;
  readonly bodyLimitBytes?: number;
}

/** The HTTP app, not yet listening; it answers errors as problems. @throws DossierError `config_invalid` for a wrong host or origin */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { runs, operations, reports, version, heartbeatMs = 5_000, stallMs = 300_000, answerStallMs = 60_000 } = options;
  const app = createInstance(options);
  const connections = trackConnections(app, options.closeGraceMs ?? 5_000);
  limitPipelining(app, answerStallMs);
  logAnswers(app);
  await registerGuards(app, connections, options.allowedHosts ?? LOOPBACK_HOSTS, options.corsOrigins ?? []);
  await app.register(fastifyAccepts);
  app.addHook("onRequest", async ({ raw: { headers } }) => {
    if (headers.accept !== undefined) headers.accept = plainAccept(headers.accept);
  });
  registerJsonBody(app);
  await registerOpenApi(app, version);
  const services = { connections, runs, operations, reports, version, heartbeatMs, stallMs, answerStallMs };
  registerRunRoutes(app, services);
  registerDownloadRoutes(app, services);
  registerOperationRoutes(app, services);
  await registerDocs(app);
  await app.ready();
  return app as unknown as FastifyInstance;
}

function createInstance({ logger, bodyLimitBytes = 1_048_576 }: AppOptions): HttpApp {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: bodyLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_CHARACTERS },
    // Fastify would answer these two without problem+json; the guards check them.
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

/** Logs a line per answer, at `info` for a failure of the server and at `debug` otherwise, without query, body and headers. */
function logAnswers(app: HttpApp): void {
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
