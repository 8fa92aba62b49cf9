import { z } from "zod";
import { namesTag } from "../entity-tags.ts";
import type { HttpApp } from "../http-app.ts";
import { nothing, problems, raw } from "../responses.ts";
import { DocumentParamsSchema } from "../schemas.ts";
import type { HttpServices } from "../services.ts";
import { tenantOf } from "../tenant.ts";

/** A text is named by its hash, so it never changes; it is a tenant's own, so no shared cache may keep it. */
const FOREVER = "private, max-age=31536000, immutable";

/** The texts that citations point into. */
export function registerDocumentRoutes(app: HttpApp, { runs }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/documents/:contentHash",
    schema: {
      tags: ["research"],
      operationId: "getDocument",
      summary: "Read a text that citations point into, to the byte",
      params: DocumentParamsSchema,
      headers: z.looseObject({ "if-none-match": z.string().optional() }),
      response: { 200: raw("The text.", "text/plain"), 304: nothing("The text you have is the text."), ...problems(404) },
    },
    handler: async (request, reply) => {
      const { id, contentHash } = request.params;
      const { text } = await runs.document(tenantOf(request), id, contentHash);
      reply.headers({ etag: `"${contentHash}"`, "cache-control": FOREVER });
      if (namesTag(request.headers["if-none-match"], contentHash)) return reply.code(304).send();
      // As text: a Buffer would be the same bytes, and a string passes Fastify without a serializer as well.
      return reply.type("text/plain; charset=utf-8").send(text);
    },
  });
}
