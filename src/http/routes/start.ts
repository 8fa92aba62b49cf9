import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { ResearchRequestSchema } from "../../domain/request.ts";
import { isEnded, RunSchema } from "../../domain/run.ts";
import { DossierError } from "../../errors.ts";
import { sendEvents } from "../event-stream.ts";
import type { HttpApp } from "../http-app.ts";
import { preferredType, preferredWaitSeconds } from "../negotiation.ts";
import { nothing, problems } from "../responses.ts";
import { LastEventIdSchema, RunEventSchema } from "../schemas.ts";
import type { HttpServices } from "../services.ts";
import { tenantOf } from "../tenant.ts";

const StartHeadersSchema = z.looseObject({
  prefer: z.string().optional().describe("`wait=30` waits up to so many seconds (at most 60) for the run to end or to wait for its user."),
  accept: z.string().optional().describe("`text/event-stream` answers with the events of the run."),
  "idempotency-key": z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, "must be 1 to 255 printable ASCII characters")
    .optional()
    .describe("A repeat with the same key and body gives the first run back."),
  "last-event-id": LastEventIdSchema.optional(),
});

/** Starting a run, and hearing of it in the same answer where the client prefers so. */
export function registerStartRoute(app: HttpApp, services: HttpServices): void {
  const started = { "application/json": { schema: RunSchema }, "text/event-stream": { schema: RunEventSchema } };
  app.route({
    method: "POST",
    url: "/research",
    schema: {
      tags: ["research"],
      operationId: "startResearch",
      summary: "Start a run",
      description: "Answers 202 at once; 200 with `Prefer: wait` once the run has ended or waits, or with the stream of its events.",
      headers: StartHeadersSchema,
      body: ResearchRequestSchema,
      response: {
        200: { description: "The run has ended or waits for its user; or its events.", content: started },
        202: RunSchema,
        204: nothing("A repeat that asked for events after the last one."),
        ...problems(400, 413, 415, 422, 503),
      },
    },
    handler: async (request, reply) => {
      const key = idempotencyKeyOf(request);
      const options = key === undefined ? {} : { idempotencyKey: key };
      const run = await services.runs.start(tenantOf(request), request.body, options);
      reply.header("location", `/research/${encodeURIComponent(run.id)}`);
      if (preferredType(request.headers.accept, ["application/json", "text/event-stream"], ["text/event-stream"]) === "text/event-stream") {
        // Only a repeat under a key can have seen events of this run before.
        const after = key === undefined ? 0 : Number(request.headers["last-event-id"] ?? 0);
        await sendEvents(request, reply, services, { runId: run.id, after });
        return reply;
      }
      const seconds = preferredWaitSeconds(request.headers.prefer);
      return seconds === null ? reply.code(202).send(run) : answerInTime(request, reply, services, run.id, seconds);
    },
  });
}

/** Node joins repeated headers into one text, which would pass for a third key that nobody chose. */
function idempotencyKeyOf({ raw }: FastifyRequest): string | undefined {
  const [key, ...others] = raw.headersDistinct["idempotency-key"] ?? [];
  if (others.length === 0) return key;
  const fault = { path: "/idempotency-key", message: "must be given once" };
  throw new DossierError("invalid_request", `In the headers: ${fault.path} ${fault.message}.`, { faults: [fault] });
}

/** The run as soon as it has ended or waits (200), or as it stands after `seconds` (202). */
async function answerInTime(request: FastifyRequest, reply: FastifyReply, services: HttpServices, runId: string, seconds: number) {
  const signal = services.connections.signalOf(reply);
  const run = await services.runs.wait(tenantOf(request), runId, { timeoutMs: seconds * 1_000, signal });
  const settled = isEnded(run.status) || run.status === "waiting";
  return reply
    .code(settled ? 200 : 202)
    .header("preference-applied", `wait=${seconds}`)
    .send(run);
}
