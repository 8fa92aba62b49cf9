import { z } from "zod";
import { SourceStateSchema } from "../../domain/ports/operations.ts";
import { asDossierError } from "../framework-errors.ts";
import type { HttpApp } from "../http-app.ts";
import { sendProblem } from "../problems.ts";
import { problems, raw } from "../responses.ts";
import type { HttpServices } from "../services.ts";

const tags = ["service"];

/** What operators, containers and generators of clients ask. */
export function registerOperationRoutes(app: HttpApp, { operations, version }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/sources",
    schema: {
      tags,
      operationId: "listSources",
      summary: "List sources and tools, and whether they answered when last tried",
      response: { 200: z.object({ sources: z.array(SourceStateSchema) }), ...problems() },
    },
    handler: async () => ({ sources: operations.sources() }),
  });
  app.route({
    method: "GET",
    url: "/openapi.json",
    schema: {
      tags,
      operationId: "getOpenApi",
      summary: "Read this document",
      response: { 200: raw("OpenAPI 3.1.", "application/json", z.looseObject({ openapi: z.string() })), ...problems() },
    },
    handler: async (_request, reply) => reply.type("application/json").send(JSON.stringify(app.swagger())),
  });
  registerHealth(app, operations, version);
}

function registerHealth(app: HttpApp, operations: HttpServices["operations"], version: string): void {
  app.route({
    method: "GET",
    url: "/healthz",
    schema: {
      tags,
      operationId: "getHealth",
      summary: "Whether the process answers",
      description: "Served under any Host.",
      response: { 200: z.object({ status: z.literal("ok"), version: z.string() }), ...problems() },
    },
    handler: async () => ({ status: "ok" as const, version }),
  });
  app.route({
    method: "GET",
    url: "/readyz",
    // Asked every few seconds by whoever watches the service, who sees the answer.
    logLevel: "warn",
    schema: {
      tags,
      operationId: "getReadiness",
      summary: "Whether runs can be taken",
      response: { 200: z.object({ status: z.literal("ready") }), ...problems(503) },
    },
    handler: async (request, reply) => {
      try {
        await operations.ready();
      } catch (error) {
        return sendProblem(request, reply, asDossierError(error), 503);
      }
      return reply.send({ status: "ready" });
    },
  });
}
