import { z } from "zod";
import { AnswerRequestSchema } from "../../domain/request.ts";
import { RunSchema, RunStatusSchema } from "../../domain/run.ts";
import type { HttpApp } from "../http-app.ts";
import { nothing, problems } from "../responses.ts";
import { queryInteger, RunParamsSchema } from "../schemas.ts";
import type { HttpServices } from "../services.ts";
import { tenantOf } from "../tenant.ts";
import { refuseBody } from "../validation.ts";

const tags = ["research"];

const ListQuerySchema = z.strictObject({
  status: RunStatusSchema.exactOptional(),
  threadId: z.string().min(1).max(100).exactOptional(),
  limit: queryInteger(z.int().min(1).max(100).default(20)),
  cursor: z.string().min(1).max(500).exactOptional().describe("`nextCursor` of the page before."),
});

/** Runs as a resource: read, list, cancel, answer, delete. */
export function registerRunRoutes(app: HttpApp, services: HttpServices): void {
  registerReading(app, services);
  registerChanges(app, services);
}

function registerReading(app: HttpApp, { runs }: HttpServices): void {
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
    handler: (request) => runs.get(tenantOf(request), request.params.id),
  });
  app.route({
    method: "GET",
    url: "/research",
    schema: {
      tags,
      operationId: "listResearch",
      summary: "List runs, newest first",
      querystring: ListQuerySchema,
      response: { 200: z.object({ runs: z.array(RunSchema), nextCursor: z.string().nullable() }), ...problems(400) },
    },
    handler: (request) => runs.list(tenantOf(request), request.query),
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
      description: "Takes no body. Model streams, tools and fetches of the run are aborted.",
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
      summary: "Answer what a run waits for",
      params: RunParamsSchema,
      body: AnswerRequestSchema,
      response: { 202: RunSchema, ...problems(400, 404, 409, 413, 415, 503) },
    },
    handler: async (request, reply) => reply.code(202).send(await runs.answer(tenantOf(request), request.params.id, request.body)),
  });
  app.route({
    method: "DELETE",
    url: "/research/:id",
    schema: {
      tags,
      operationId: "deleteResearch",
      summary: "Delete a run and what only it uses",
      params: RunParamsSchema,
      response: { 204: nothing("It is gone."), ...problems(400, 404, 409, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      refuseBody(request);
      await runs.delete(tenantOf(request), request.params.id);
      return reply.code(204).send();
    },
  });
}
