import type { HttpApp } from "../http-app.ts";
import { problems, raw } from "../responses.ts";
import { RunParamsSchema } from "../schemas.ts";
import { sendDownload } from "../send-download.ts";
import type { HttpServices } from "../services.ts";
import { tenantOf } from "../tenant.ts";

/** The recording of a run, by which it can be replayed. */
export function registerRecordingRoutes(app: HttpApp, services: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/recording",
    schema: {
      tags: ["research"],
      operationId: "getRecording",
      summary: "Download the recording of a run",
      params: RunParamsSchema,
      response: { 200: raw("JSON lines.", "application/x-ndjson"), ...problems(404, 409) },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const pieces = services.runs.recording(tenantOf(request), id);
      await sendDownload(request, reply, services, { mediaType: "application/x-ndjson", filename: `${id}.ndjson`, pieces });
      return reply;
    },
  });
}
