import { z } from "zod";
import { AddedMaterialSchema, ThreadMaterialSchema } from "../../domain/ports/material.ts";
import { UrlsSchema } from "../../domain/request.ts";
import { DossierError } from "../../errors.ts";
import { matchesTag } from "../headers.ts";
import { type HttpApp, type HttpServices, tenantOf } from "../http-app.ts";
import { callerOf } from "../ownership.ts";
import { refuseBody } from "../request-validation.ts";
import { emptyResponse, problems, responseOf, ThreadDocumentParamsSchema, ThreadParamsSchema, ThreadUrlParamsSchema } from "../schemas.ts";
import { uploadsOf } from "../uploads.ts";

const tags = ["threads"];
const MaterialRequestSchema = z.strictObject({
  urls: UrlsSchema.default([]).describe("Web addresses that each later run of the thread reads."),
});

const ThreadStateSchema = z.object({
  threadId: z.string(),
  owner: z.string().nullable().describe("The name of the key that first used the thread; null: everybody in the tenant may use it."),
  shared: z.boolean().describe("Whether everybody in the tenant may read it."),
});

export function registerThreadRoutes(app: HttpApp, services: HttpServices): void {
  registerSharing(app, services);
  registerReading(app, services);
  registerDeletions(app, services);
}

/** The app must accept uploads. */
export function registerMaterial(app: HttpApp, { threads, connections }: HttpServices): void {
  app.route({
    method: "POST",
    url: "/threads/:threadId/documents",
    schema: {
      tags,
      operationId: "addThreadDocuments",
      summary: "Give documents or addresses to a thread",
      description:
        "Send files as multipart/form-data in parts `documents`, and addresses as JSON, which is the part `request` beside files. Files that cannot be read are left out and named; if none can, nothing is kept.",
      params: ThreadParamsSchema,
      body: MaterialRequestSchema,
      response: { 201: AddedMaterialSchema, ...problems(400, 404, 413, 415, 422, 503, 504) },
    },
    handler: async (request, reply) => {
      const given = { files: uploadsOf(request), urls: request.body.urls };
      if (given.files.length + given.urls.length === 0)
        throw new DossierError("invalid_request", "Neither a document nor an address was sent. Nothing was stored.");
      const material = await threads.add(
        { tenant: tenantOf(request), owner: callerOf(request).owner, threadId: request.params.threadId },
        given,
        connections.signalOf(reply),
      );
      return reply.code(201).send(material);
    },
  });
}

function registerSharing(app: HttpApp, { tenancy: { owners } }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/threads/:threadId",
    schema: {
      tags,
      operationId: "getThread",
      summary: "Read who owns a thread and who may read it",
      params: ThreadParamsSchema,
      response: { 200: ThreadStateSchema, ...problems(404) },
    },
    handler: (request) => owners.get(callerOf(request), request.params.threadId),
  });
  app.route({
    method: "PATCH",
    url: "/threads/:threadId",
    schema: {
      tags,
      operationId: "shareThread",
      summary: "Let everybody in the tenant read a thread, or only its owner",
      params: ThreadParamsSchema,
      body: z.strictObject({ shared: z.boolean() }),
      response: { 200: ThreadStateSchema, ...problems(400, 404, 413, 415, 503) },
    },
    handler: (request) => {
      request.logged["shared"] = request.body.shared;
      return owners.share(callerOf(request), request.params.threadId, request.body.shared);
    },
  });
}

function registerReading(app: HttpApp, { threads, connections, exportTurn }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/threads/:threadId/documents",
    schema: {
      tags,
      operationId: "listThreadDocuments",
      summary: "List the documents and addresses that were given to a thread",
      params: ThreadParamsSchema,
      response: { 200: ThreadMaterialSchema, ...problems(404) },
    },
    handler: async (request) => threads.list(tenantOf(request), request.params.threadId),
  });
  app.route({
    method: "GET",
    url: "/threads/:threadId/documents/:contentHash",
    schema: {
      tags,
      operationId: "getThreadDocument",
      summary: "Read the text of a document of a thread",
      params: ThreadDocumentParamsSchema,
      headers: z.looseObject({ "if-none-match": z.string().optional() }),
      response: { 200: responseOf("The text.", "text/plain"), 304: emptyResponse("The text has not changed."), ...problems(404) },
    },
    preHandler: (_request, reply) => exportTurn(connections.signalOf(reply)),
    handler: async (request, reply) => {
      const { threadId, contentHash } = request.params;
      const { text } = await threads.document(tenantOf(request), threadId, contentHash);
      reply.headers({ etag: `"${contentHash}"`, "cache-control": "private, no-cache" });
      if (matchesTag(request.headers["if-none-match"], contentHash)) return reply.code(304).send();
      return reply.type("text/plain; charset=utf-8").send(text);
    },
  });
}

function registerDeletions(app: HttpApp, { threads }: HttpServices): void {
  app.route({
    method: "DELETE",
    url: "/threads/:threadId/documents/:contentHash",
    schema: {
      tags,
      operationId: "deleteThreadDocument",
      summary: "Delete a document of a thread",
      description: "Later runs do not use it. Its text stays as long as an earlier run that read it.",
      params: ThreadDocumentParamsSchema,
      response: { 204: emptyResponse("The document was deleted."), ...problems(400, 404, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      refuseBody(request);
      await threads.deleteDocument(tenantOf(request), request.params.threadId, request.params.contentHash);
      return reply.code(204).send();
    },
  });
  app.route({
    method: "DELETE",
    url: "/threads/:threadId/urls/:sourceId",
    schema: {
      tags,
      operationId: "deleteThreadUrl",
      summary: "Delete an address of a thread",
      params: ThreadUrlParamsSchema,
      response: { 204: emptyResponse("The address was deleted."), ...problems(400, 404, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      refuseBody(request);
      await threads.deleteUrl(tenantOf(request), request.params.threadId, request.params.sourceId);
      return reply.code(204).send();
    },
  });
}
