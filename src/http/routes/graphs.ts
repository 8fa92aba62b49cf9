import { z } from "zod";
import { GraphPictureSchema, GraphSummarySchema } from "../../domain/ports/operations.ts";
import type { HttpApp } from "../http-app.ts";
import { problems } from "../responses.ts";
import type { HttpServices } from "../services.ts";

const ParamsSchema = z.object({ name: z.string().min(1).max(100) });

/** The graphs a run may be executed by. */
export function registerGraphRoutes(app: HttpApp, { operations }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/graphs",
    schema: {
      tags: ["service"],
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
      tags: ["service"],
      operationId: "getGraph",
      summary: "Read nodes, edges and Mermaid of a graph",
      params: ParamsSchema,
      response: { 200: GraphPictureSchema, ...problems(404) },
    },
    handler: async (request) => operations.graph(request.params.name),
  });
}
