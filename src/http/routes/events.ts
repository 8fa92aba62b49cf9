import { z } from "zod";
import { sendEvents } from "../event-stream.ts";
import type { HttpApp } from "../http-app.ts";
import { nothing, problems, raw } from "../responses.ts";
import { LastEventIdSchema, queryInteger, RunEventSchema, RunParamsSchema } from "../schemas.ts";
import type { HttpServices } from "../services.ts";

const QuerySchema = z.strictObject({
  after: queryInteger(z.int().nonnegative().default(0)).describe("Like `Last-Event-ID`, which wins where both are given."),
});

/** What a run says while it works, and said before. */
export function registerEventRoutes(app: HttpApp, services: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/events",
    schema: {
      tags: ["research"],
      operationId: "followResearch",
      summary: "Follow the events of a run",
      description:
        "Server-sent events: `id` is `seq`, `event` the type, `data` the event. Ends after `run-ended`. A comment line comes when nothing was said for a while. Leaving cancels nothing.",
      params: RunParamsSchema,
      querystring: QuerySchema,
      headers: z.looseObject({ "last-event-id": LastEventIdSchema.optional() }),
      response: {
        200: raw("The events so far and those to come.", "text/event-stream", RunEventSchema),
        204: nothing("Nothing can follow any more."),
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
