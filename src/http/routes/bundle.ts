import { BundleSchema } from "../../domain/bundle.ts";
import type { HttpApp } from "../http-app.ts";
import { problems, raw } from "../responses.ts";
import { RunParamsSchema } from "../schemas.ts";
import { sendDownload } from "../send-download.ts";
import type { HttpServices } from "../services.ts";
import { tenantOf } from "../tenant.ts";

/** The evidence bundle of a run, by which its report can be checked without this server. */
export function registerBundleRoutes(app: HttpApp, services: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/bundle",
    schema: {
      tags: ["research"],
      operationId: "getBundle",
      summary: "Download the evidence bundle of a run",
      params: RunParamsSchema,
      response: { 200: raw("Report, cited texts, log and digests.", "application/json", BundleSchema), ...problems(404, 409) },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const pieces = services.runs.bundle(tenantOf(request), id);
      await sendDownload(request, reply, services, { mediaType: "application/json", filename: `${id}.bundle.json`, pieces });
      return reply;
    },
  });
}
