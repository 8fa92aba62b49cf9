import { randomUUID } from "node:crypto";
import { fastifyAccepts } from "@fastify/accepts";
import { fastifyCookie } from "@fastify/cookie";
import { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify, LogController } from "fastify";
import { serializerCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { ReportFiles } from "../domain/ports/run-service.ts";
import { fieldsOf } from "../util/json-fields.ts";
import { createLateTurns, createPacedTurns } from "../util/turns.ts";
import { type IsOpen, registerAccess } from "./access.ts";
import { registerAnswerLog } from "./answer-log.ts";
import { addBase, withoutBase } from "./base-path.ts";
import { limitConnections, limitPipelining, trackConnections } from "./connections.ts";
import { LOOPBACK_HOSTS, registerGuards } from "./guards.ts";
import { plainAccept } from "./headers.ts";
import type { HttpApp, HttpServices } from "./http-app.ts";
import { registerOpenApi } from "./openapi.ts";
import { type OverloadLimits, refuseOverload } from "./overload.ts";
import { registerOwnership } from "./ownership.ts";
import { answerClientError, answerError, answerUnmetExpectations, asDossierError } from "./problems.ts";
import { limitRequests } from "./rate-limit.ts";
import { registerJsonBody, validatorCompiler } from "./request-validation.ts";
import { registerDocs } from "./routes/docs.ts";
import { registerDownloadRoutes } from "./routes/downloads.ts";
import { registerOperationRoutes, registerProcess } from "./routes/operations.ts";
import { isLostReader, PAGE_FOLDER, type Page, readPage, registerPage, sendLostPage } from "./routes/page.ts";
import { registerEstimate, registerRunRoutes, registerStart } from "./routes/runs.ts";
import { registerSession } from "./routes/session.ts";
import { registerShareLinks } from "./routes/share-links.ts";
import { registerSignIn } from "./routes/sign-in.ts";
import { registerTenant } from "./routes/tenant.ts";
import { registerTenantSettings } from "./routes/tenant-settings.ts";
import { registerMaterial, registerThreadRoutes } from "./routes/threads.ts";
import { registerWebhooks } from "./routes/webhooks.ts";
import { acceptUploads, UPLOAD_MS } from "./uploads.ts";

const MAX_PARAM_CHARACTERS = 500;

/** For what an upload has no limit of its own: other bodies, and connections that send nothing. */
const REQUEST_TIMEOUT_MS = UPLOAD_MS + 30_000;

export interface AppOptions extends Pick<HttpServices, "runs" | "threads" | "operations" | "tenancy" | "version"> {
  /** The caller must close `reports` after the app. */
  readonly reports: ReportFiles;
  readonly logger: FastifyBaseLogger;
  /** Whether requests without a key are served although keys exist. Default: false. */
  readonly allowAnonymous?: boolean;
  /** The most requests of a key in a minute. Default: no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** The allowed `Host` values: `name` (any port) or `name:port`. Default: the loopback names. */
  readonly allowedHosts?: readonly string[];
  /** Origins such as `https://example.com` whose pages may call the service. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** An idle event stream sends a keep-alive line after this time. Default: 5 seconds. */
  readonly heartbeatMs?: number;
  /** A client that reads nothing of an event stream for this time is disconnected. Default: 5 minutes. */
  readonly stallMs?: number;
  /** Like `stallMs`, but for responses that are not event streams. Default: 1 minute. */
  readonly answerStallMs?: number;
  /** `close()` lets open requests finish for this time, then cuts their connections. Default: 5 seconds. */
  readonly closeGraceMs?: number;
  /** More are closed at once. Default: no limit. */
  readonly maxConnections?: number;
  readonly bodyLimitBytes?: number;
  /** An upload must have arrived as a whole by then. Default: 2 minutes. */
  readonly uploadMs?: number;
  /** The path under which a reverse proxy serves this app, such as `/dossier`; "" for none. */
  readonly basePath?: string;
  /** The folder of the built page. Default: `web/dist`. */
  readonly pageFolder?: string;
  /** Default: 1 second of event-loop delay, 90 % of the heap limit. */
  readonly overload?: Partial<OverloadLimits>;
  /** Requests wait until this promise resolves. */
  readonly opened?: Promise<void>;
  /** Whether it answers no requests but those about the process: it only executes runs. */
  readonly isWorker?: boolean;
}

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const {
    runs,
    threads,
    operations,
    tenancy,
    reports,
    version,
    heartbeatMs = 5_000,
    stallMs = 300_000,
    answerStallMs = 60_000,
    basePath = "",
  } = options;
  const page = await readPage(options.pageFolder ?? PAGE_FOLDER, basePath);
  const app = createInstance(options, page);
  limitConnections(app, options.maxConnections ?? Number.POSITIVE_INFINITY);
  const connections = trackConnections(app, options.closeGraceMs ?? 5_000);
  limitPipelining(app, answerStallMs);
  registerAnswerLog(app);
  addBase(app, basePath);
  app.addHook("onRequest", async () => options.opened);
  await registerGuards(app, connections, options.allowedHosts ?? LOOPBACK_HOSTS, options.corsOrigins ?? []);
  await app.register(fastifyCookie);
  const isOpen = registerAccess(app, { keys: tenancy.keys, allowAnonymous: options.allowAnonymous ?? false });
  if (options.requestsPerMinute !== undefined) await limitRequests(app, options.requestsPerMinute);
  refuseOverload(app, options.overload);
  await app.register(fastifyAccepts);
  app.addHook("onRequest", async ({ raw: { headers } }) => {
    if (headers.accept !== undefined) headers.accept = plainAccept(headers.accept);
  });
  registerJsonBody(app);
  registerOwnership(app, tenancy.owners);
  await registerOpenApi(app, version, basePath);
  const services = {
    connections,
    bulkTurn: createLateTurns(),
    exportTurn: createPacedTurns(),
    runs,
    threads,
    operations,
    tenancy,
    reports,
    version,
    heartbeatMs,
    stallMs,
    answerStallMs,
  };
  if (options.isWorker === true) registerProcess(app, services);
  else await registerService(app, services, page, { uploadMs: options.uploadMs ?? UPLOAD_MS, basePath, isOpen });
  await app.ready();
  return app as unknown as FastifyInstance;
}

async function registerService(
  app: HttpApp,
  services: HttpServices,
  page: Page | null,
  { uploadMs, basePath, isOpen }: { uploadMs: number; basePath: string; isOpen: IsOpen },
): Promise<void> {
  await app.register(async (scope) => {
    const uploads = scope.withTypeProvider<ZodTypeProvider>();
    await acceptUploads(uploads, uploadMs);
    registerStart(uploads, services);
    registerEstimate(uploads, services);
    registerMaterial(uploads, services);
  });
  registerRunRoutes(app, services);
  registerThreadRoutes(app, services);
  registerDownloadRoutes(app, services);
  registerShareLinks(app, services);
  registerOperationRoutes(app, services);
  registerSession(app, services, basePath, isOpen);
  registerSignIn(app, services, basePath);
  registerWebhooks(app, services);
  registerTenant(app, services);
  registerTenantSettings(app, services);
  registerDocs(app);
  await registerPage(app, page);
}

function createInstance({ logger, bodyLimitBytes = 1_048_576, basePath = "" }: AppOptions, page: Page | null): HttpApp {
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    page !== null && isUnrouted(error, request) && isLostReader(request)
      ? sendLostPage(request, reply, page, asDossierError(error).status)
      : answerError(error, request, reply);
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    rewriteUrl: ({ url = "/" }) => withoutBase(url, basePath),
    genReqId: () => randomUUID(),
    bodyLimit: bodyLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_CHARACTERS },
    // With these settings our own handlers answer malformed requests, with problem+json. Fastify's answers have another format.
    http: { requireHostHeader: false },
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: answer,
  }).withTypeProvider<ZodTypeProvider>();
  answerUnmetExpectations(app.server);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(answer);
  return app;
}

/** Whether no route has the address of a request. */
function isUnrouted(error: unknown, { is404 }: FastifyRequest): boolean {
  const { code } = fieldsOf(error);
  return (is404 && code === "not_found") || code === "FST_ERR_BAD_URL" || code === "FST_ERR_MAX_PARAM_LENGTH";
}
