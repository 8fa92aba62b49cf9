import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { EstimateSchema } from "../../domain/estimate.ts";
import { AnswerRequestSchema, ForkRequestSchema, RenameRequestSchema, ResearchRequestSchema } from "../../domain/request.ts";
import { isEnded, RunSchema, RunStatusSchema } from "../../domain/run.ts";
import { DossierError } from "../../errors.ts";
import { parseTraceparent } from "../../util/trace-context.ts";
import { preferredWaitSeconds } from "../headers.ts";
import { type HttpApp, type HttpServices, tenantOf } from "../http-app.ts";
import { withOtherFaults } from "../other-faults.ts";
import { callerOf } from "../ownership.ts";
import { refuseBody } from "../request-validation.ts";
import { emptyResponse, LastEventIdSchema, problems, queryInteger, RunEventSchema, RunParamsSchema, responseOf } from "../schemas.ts";
import { sendEvents } from "../streaming.ts";
import { uploadsOf } from "../uploads.ts";

const tags = ["research"];

export function registerRunRoutes(app: HttpApp, services: HttpServices): void {
  registerReading(app, services);
  registerChanges(app, services);
  registerEvents(app, services);
}

const StartHeadersSchema = z.looseObject({
  prefer: z
    .string()
    .optional()
    .describe("With `wait=30`, responds when the run ends or waits for its user, at the latest after 30 seconds (maximum: 60)."),
  accept: z.string().optional().describe("With `text/event-stream`, the response streams the events of the run."),
  "idempotency-key": z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, "must be 1 to 255 printable ASCII characters")
    .optional()
    .describe("A repeated request with the same key and body returns the first run."),
  "last-event-id": LastEventIdSchema.optional(),
});

/** The app must accept uploads. */
export function registerStart(app: HttpApp, services: HttpServices): void {
  const started = { "application/json": { schema: RunSchema }, "text/event-stream": { schema: RunEventSchema } };
  app.route({
    method: "POST",
    url: "/research",
    schema: {
      tags,
      operationId: "startResearch",
      summary: "Start a run",
      description:
        "Files are sent as multipart/form-data: the part `request` is this JSON, and each part `documents` a file. Responds with 202 at once. With `Prefer: wait`, responds with 200 when the run ends or waits for its user. With `Accept: text/event-stream`, streams the events of the run.",
      headers: StartHeadersSchema,
      body: ResearchRequestSchema,
      response: {
        200: { description: "A run that has ended or waits for its user, or the stream of its events.", content: started },
        202: RunSchema,
        204: emptyResponse("The request was repeated with a `Last-Event-ID`, and the run has no later events."),
        ...problems(400, 409, 413, 415, 422, 429, 503, 504),
      },
    },
    attachValidation: true,
    handler: async (request, reply) => {
      await refuseInvalid(request, services);
      const key = idempotencyKeyOf(request);
      const documents = uploadsOf(request);
      const files = documents.length > 0 && { documents, signal: services.connections.signalOf(reply) };
      const { owner, allowance } = callerOf(request);
      const { traceparent } = request.headers;
      const traced = typeof traceparent === "string" && parseTraceparent(traceparent) !== null && { traceparent };
      const options = {
        owner,
        allowance,
        isWatched: isWatched(request),
        ...traced,
        ...(key !== undefined && { idempotencyKey: key }),
        ...files,
      };
      const run = await services.runs.start(tenantOf(request), request.body, options);
      reply.header("location", `/research/${encodeURIComponent(run.id)}`);
      if (prefersEvents(request)) {
        // Without an idempotency key the run is new, so `Last-Event-ID` cannot refer to its events.
        const after = key === undefined ? 0 : Number(request.headers["last-event-id"] ?? 0);
        await sendEvents(request, reply, services, { runId: run.id, after });
        return reply;
      }
      const seconds = preferredWaitSeconds(request.headers.prefer);
      return seconds === null ? reply.code(202).send(run) : answerInTime(request, reply, services, run.id, seconds);
    },
  });
}

/** The app must accept uploads, which are not kept. */
export function registerEstimate(app: HttpApp, { runs }: HttpServices): void {
  app.route({
    method: "POST",
    url: "/research/estimate",
    schema: {
      tags,
      operationId: "estimateResearch",
      summary: "Estimate a run",
      description: "Says as ranges what a request would take. Takes the same body as `POST /research`, and starts and stores nothing.",
      body: ResearchRequestSchema,
      response: { 200: EstimateSchema, ...problems(400, 413, 415, 422, 503) },
    },
    attachValidation: true,
    handler: async (request) => {
      await refuseInvalid(request, { runs });
      const names = uploadsOf(request).map(({ name }) => name);
      return runs.estimate(tenantOf(request), request.body, names);
    },
  });
}

async function refuseInvalid(request: FastifyRequest, { runs }: Pick<HttpServices, "runs">): Promise<void> {
  const { validationError, body } = request;
  if (validationError === undefined) return;
  throw await withOtherFaults(validationError, body, (asked) => runs.estimate(tenantOf(request), asked));
}

/** Whether a person asks on the page, or a program waits for the answer. Only browsers say from where a page asks. */
function isWatched(request: FastifyRequest): boolean {
  return request.headers["sec-fetch-site"] !== undefined || prefersEvents(request) || preferredWaitSeconds(request.headers.prefer) !== null;
}

function prefersEvents(request: FastifyRequest): boolean {
  const [preferred] = [request.accepts().types()].flat();
  return preferred === "text/event-stream";
}

function idempotencyKeyOf({ raw }: FastifyRequest): string | undefined {
  const [key, ...others] = raw.headersDistinct["idempotency-key"] ?? [];
  if (others.length === 0) return key;
  const fault = { path: "/idempotency-key", message: "must be given once" };
  throw new DossierError("invalid_request", `In the headers: ${fault.path} ${fault.message}.`, { faults: [fault] });
}

async function answerInTime(request: FastifyRequest, reply: FastifyReply, services: HttpServices, runId: string, seconds: number) {
  const signal = services.connections.signalOf(reply);
  const run = await services.runs.wait(tenantOf(request), runId, { timeoutMs: seconds * 1_000, signal });
  // A long report takes as long to read as to send.
  await services.bulkTurn();
  const finished = isEnded(run.status) || run.status === "waiting";
  return reply
    .code(finished ? 200 : 202)
    .header("preference-applied", `wait=${seconds}`)
    .send(run);
}

const ListQuerySchema = z.strictObject({
  status: RunStatusSchema.exactOptional(),
  threadId: z.string().min(1).max(100).exactOptional(),
  graph: z.string().min(1).max(100).exactOptional(),
  text: z
    .string()
    .max(200)
    .exactOptional()
    .describe("Only runs whose question or title contains all parts between the spaces of this text, in upper or lower case."),
  limit: queryInteger(z.int().min(1).max(100).default(20)),
  cursor: z.string().min(1).max(500).exactOptional().describe("The `nextCursor` of the previous page."),
});

function registerReading(app: HttpApp, { runs, bulkTurn }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id",
    schema: {
      tags,
      operationId: "getResearch",
      summary: "Read a run",
      params: RunParamsSchema,
      response: { 200: RunSchema, ...problems(404) },
    },
    preHandler: bulkTurn,
    async handler(request) {
      const run = await runs.get(tenantOf(request), request.params.id);
      await bulkTurn();
      return run;
    },
  });
  app.route({
    method: "GET",
    url: "/research",
    schema: {
      tags,
      operationId: "listResearch",
      summary: "List runs, newest first",
      description:
        "A page with `text` may have fewer runs than `limit`, even none, and still have a `nextCursor`: one request searches 5,000 runs.",
      querystring: ListQuerySchema,
      response: { 200: z.object({ runs: z.array(RunSchema), nextCursor: z.string().nullable() }), ...problems(400) },
    },
    preHandler: bulkTurn,
    handler: (request) => runs.list(tenantOf(request), { ...request.query, visibleTo: callerOf(request).owner }),
  });
}

function registerChanges(app: HttpApp, { runs }: HttpServices): void {
  app.route({
    method: "POST",
    url: "/research/:id/cancel",
    schema: {
      tags,
      operationId: "cancelResearch",
      summary: "Stop a run",
      description: "Send no body. The server aborts the model calls, tool calls and downloads of the run.",
      params: RunParamsSchema,
      response: { 202: RunSchema, ...problems(400, 404, 409, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      refuseBody(request);
      return reply.code(202).send(await runs.cancel(tenantOf(request), request.params.id));
    },
  });
  app.route({
    method: "POST",
    url: "/research/:id/answer",
    schema: {
      tags,
      operationId: "answerResearch",
      summary: "Answer a question, a tool call or a plan that a run waits for",
      params: RunParamsSchema,
      body: AnswerRequestSchema,
      response: { 202: RunSchema, ...problems(400, 404, 409, 413, 415, 503) },
    },
    handler: async (request, reply) => reply.code(202).send(await runs.answer(tenantOf(request), request.params.id, request.body)),
  });
  app.route({
    method: "POST",
    url: "/research/:id/fork",
    schema: {
      tags,
      operationId: "forkResearch",
      summary: "Start a run that takes over what another one did before a step",
      params: RunParamsSchema,
      body: ForkRequestSchema,
      response: { 202: RunSchema, ...problems(400, 404, 409, 413, 415, 422, 429, 503) },
    },
    handler: async (request, reply) => {
      const run = await runs.fork(tenantOf(request), request.params.id, request.body, callerOf(request));
      return reply
        .code(202)
        .header("location", `/research/${encodeURIComponent(run.id)}`)
        .send(run);
    },
  });
  app.route({
    method: "PATCH",
    url: "/research/:id",
    schema: {
      tags,
      operationId: "renameResearch",
      summary: "Name a run",
      params: RunParamsSchema,
      body: RenameRequestSchema,
      response: { 200: RunSchema, ...problems(400, 404, 413, 415, 503) },
    },
    handler: (request) => runs.rename(tenantOf(request), request.params.id, request.body.title),
  });
  app.route({
    method: "DELETE",
    url: "/research/:id",
    schema: {
      tags,
      operationId: "deleteResearch",
      summary: "Delete a run, and its documents that no other run uses",
      params: RunParamsSchema,
      response: { 204: emptyResponse("The run was deleted."), ...problems(400, 404, 409, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      refuseBody(request);
      await runs.delete(tenantOf(request), request.params.id);
      return reply.code(204).send();
    },
  });
}

const EventsQuerySchema = z.strictObject({
  after: queryInteger(z.int().nonnegative().default(0)).describe("The `seq` after which the stream starts. `Last-Event-ID` overrides it."),
});

function registerEvents(app: HttpApp, services: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/events",
    schema: {
      tags,
      operationId: "followResearch",
      summary: "Follow the events of a run",
      description:
        "Streams server-sent events: `id` is the `seq` of the event, `event` its type, `data` its JSON. The stream ends after `run-ended`. Comment lines keep the connection alive. Disconnecting does not cancel the run.",
      params: RunParamsSchema,
      querystring: EventsQuerySchema,
      headers: z.looseObject({ "last-event-id": LastEventIdSchema.optional() }),
      response: {
        200: responseOf("The events of the run: the past ones at once, later ones as they occur.", "text/event-stream", RunEventSchema),
        204: emptyResponse("The run has ended and has no later events."),
        ...problems(400, 404),
      },
    },
    handler: async (request, reply) => {
      const after = Number(request.headers["last-event-id"] ?? request.query.after);
      await sendEvents(request, reply, services, { runId: request.params.id, after });
      return reply;
    },
  });
}
