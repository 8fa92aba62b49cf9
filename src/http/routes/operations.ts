import { z } from "zod";
import { AcceptedSchema } from "../../domain/accepted.ts";
import {
  CorpusContentsSchema,
  DataStateSchema,
  GraphPictureSchema,
  GraphSummarySchema,
  IndexingSchema,
  ModelsStateSchema,
  OfferedModelsSchema,
  SourceStateSchema,
  WorkerStateSchema,
  WorkStateSchema,
} from "../../domain/ports/run-service.ts";
import { type HttpApp, type HttpServices, tenantOf } from "../http-app.ts";
import { asDossierError, sendProblem } from "../problems.ts";
import { problems, queryInteger, responseOf } from "../schemas.ts";

const tags = ["service"];

const CorpusQuerySchema = z.strictObject({
  limit: queryInteger(z.int().min(1).max(500).default(100)),
  cursor: z.string().min(1).max(5_000).exactOptional().describe("The `nextCursor` of the previous page."),
});

export function registerOperationRoutes(app: HttpApp, services: HttpServices): void {
  const { operations } = services;
  let document: string | undefined;
  registerGraphs(app, operations);
  registerModels(app, services);
  app.route({
    method: "GET",
    url: "/sources",
    schema: {
      tags,
      operationId: "listSources",
      summary: "List sources and tools, each with the result of its latest request",
      response: { 200: z.object({ sources: z.array(SourceStateSchema) }), ...problems() },
    },
    handler: async (request) => ({ sources: (await operations.of(tenantOf(request))).sources() }),
  });
  app.route({
    method: "GET",
    url: "/corpus",
    schema: {
      tags,
      operationId: "getCorpus",
      summary: "List what the corpus holds",
      description: "While the corpus is being indexed, what is indexed so far.",
      querystring: CorpusQuerySchema,
      response: { 200: CorpusContentsSchema, ...problems(400, 502) },
    },
    handler: async (request) => (await operations.of(tenantOf(request))).corpus(request.query),
  });
  app.route({
    method: "GET",
    url: "/limits",
    schema: {
      tags,
      operationId: "getLimits",
      summary: "Read what a request may hold at most: lengths of texts, types and sizes of files, and the limits of a run",
      response: { 200: AcceptedSchema, ...problems() },
    },
    handler: async () => operations.accepted(),
  });
  app.route({
    method: "GET",
    url: "/openapi.json",
    config: { scope: "none" },
    schema: {
      tags,
      operationId: "getOpenApi",
      summary: "Read this OpenAPI document",
      response: { 200: responseOf("An OpenAPI 3.1 document.", "application/json", z.looseObject({ openapi: z.string() })), ...problems() },
    },
    handler: async (_request, reply) => {
      document ??= JSON.stringify(app.swagger());
      return reply.type("application/json").send(document);
    },
  });
  registerProcess(app, services);
}

/** The routes that every process has. */
export function registerProcess(app: HttpApp, { operations, version }: Pick<HttpServices, "operations" | "version">): void {
  registerHealth(app, operations, version);
  app.route({
    method: "GET",
    url: "/workers",
    config: { scope: "admin", ofOperator: true },
    schema: {
      tags,
      operationId: "listWorkers",
      summary: "List the processes that share the database, what each executes, and when it last spoke",
      response: { 200: z.object({ workers: z.array(WorkerStateSchema) }), ...problems(503) },
    },
    handler: async () => ({ workers: await operations.workers() }),
  });
  app.route({
    method: "GET",
    url: "/metrics",
    config: { scope: "admin", ofOperator: true },
    schema: {
      tags,
      operationId: "getMetrics",
      summary: "Read what this process counts, in the text format of Prometheus",
      response: { 200: responseOf("The metrics.", "text/plain"), ...problems(503) },
    },
    handler: async (_request, reply) => {
      const { contentType, text } = await operations.metrics();
      return reply.type(contentType).send(text);
    },
  });
}

function registerHealth(app: HttpApp, operations: HttpServices["operations"], version: string): void {
  app.route({
    method: "GET",
    url: "/healthz",
    config: { scope: "none" },
    schema: {
      tags,
      operationId: "getHealth",
      summary: "Check that the server answers",
      description: "This route accepts every Host header.",
      response: { 200: z.object({ status: z.literal("ok"), version: z.string() }), ...problems() },
    },
    handler: async () => ({ status: "ok" as const, version }),
  });
  app.route({
    method: "GET",
    url: "/readyz",
    config: { scope: "none" },
    logLevel: "warn",
    schema: {
      tags,
      operationId: "getReadiness",
      summary: "Check that the server accepts runs",
      response: {
        200: z.object({ status: z.literal("ready"), data: DataStateSchema, runs: WorkStateSchema, indexing: IndexingSchema.nullable() }),
        ...problems(503),
      },
    },
    handler: async (request, reply) => {
      try {
        const data = await operations.ready();
        return await reply.send({ status: "ready", data, runs: operations.work(), indexing: operations.indexing() });
      } catch (error) {
        return sendProblem(request, reply, asDossierError(error), 503);
      }
    },
  });
}

function registerModels(app: HttpApp, { operations, connections }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/models",
    schema: {
      tags,
      operationId: "getModels",
      summary: "Read which models are configured, with the result of the latest call",
      response: { 200: ModelsStateSchema, ...problems() },
    },
    handler: async (request) => (await operations.of(tenantOf(request))).models(),
  });
  app.route({
    method: "GET",
    url: "/models/offered",
    schema: {
      tags,
      operationId: "listOfferedModels",
      summary: "List the models that the model server offers",
      description: "Asks the model server. Without one, the list is empty.",
      response: { 200: OfferedModelsSchema, ...problems() },
    },
    handler: async (request, reply) => (await operations.of(tenantOf(request))).offeredModels(connections.signalOf(reply)),
  });
}

const ParamsSchema = z.object({ name: z.string().min(1).max(100) });

function registerGraphs(app: HttpApp, operations: HttpServices["operations"]): void {
  app.route({
    method: "GET",
    url: "/graphs",
    schema: {
      tags,
      operationId: "listGraphs",
      summary: "List the graphs",
      response: { 200: z.object({ graphs: z.array(GraphSummarySchema) }), ...problems() },
    },
    handler: async () => ({ graphs: operations.graphs() }),
  });
  app.route({
    method: "GET",
    url: "/graphs/:name",
    schema: {
      tags,
      operationId: "getGraph",
      summary: "Read the nodes, edges and Mermaid drawing of a graph",
      params: ParamsSchema,
      response: { 200: GraphPictureSchema, ...problems(404) },
    },
    handler: async (request) => operations.graph(request.params.name),
  });
}
