import { z } from "zod";
import { DeliverySchema, WebhookEventSchema, WebhookSchema } from "../../domain/webhooks.ts";
import { DossierError } from "../../errors.ts";
import type { HttpApp, HttpServices } from "../http-app.ts";
import { callerOf } from "../ownership.ts";
import { refuseBody } from "../request-validation.ts";
import { emptyResponse, problems } from "../schemas.ts";

const tags = ["service"];

const ParamsSchema = z.object({ webhookId: z.string().regex(/^[0-9a-f]{12}$/) });
const BodySchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  events: z
    .array(WebhookEventSchema)
    .min(1)
    .default([...WebhookEventSchema.options])
    .describe("What it is told of. Default: all."),
});

/** Addresses of other services that are told when a run ends or waits for its user. */
export function registerWebhooks(app: HttpApp, { tenancy: { webhooks }, operations }: HttpServices): void {
  app.route({
    method: "POST",
    url: "/webhooks",
    schema: {
      tags,
      operationId: "createWebhook",
      summary: "Have an address told when your runs end or wait",
      description: "Messages have the form of Standard Webhooks. Their signatures are made with `secret`, which is shown this once.",
      body: BodySchema,
      response: { 201: WebhookSchema.extend({ secret: z.string() }), ...problems(400, 413, 415, 422, 503) },
    },
    handler: async (request, reply) => {
      const { url, events } = request.body;
      const refusal = operations.refusalOf(url);
      if (refusal !== null)
        throw new DossierError("invalid_request", `Nothing was made: ${refusal}.`, { faults: [{ path: "/url", message: refusal }] });
      const { webhook, secret } = await webhooks.create(callerOf(request), url, [...new Set(events)]);
      request.logged["webhookId"] = webhook.id;
      return reply.code(201).send({ ...webhook, secret });
    },
  });
  app.route({
    method: "GET",
    url: "/webhooks",
    config: { scope: "ask" },
    schema: {
      tags,
      operationId: "listWebhooks",
      summary: "List your webhooks",
      response: { 200: z.object({ webhooks: z.array(WebhookSchema) }), ...problems() },
    },
    handler: async (request) => ({ webhooks: await webhooks.list(callerOf(request)) }),
  });
  app.route({
    method: "DELETE",
    url: "/webhooks/:webhookId",
    schema: {
      tags,
      operationId: "deleteWebhook",
      summary: "Delete a webhook, and its messages that are not sent",
      params: ParamsSchema,
      response: { 204: emptyResponse("The webhook was deleted."), ...problems(400, 404, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      refuseBody(request);
      const { webhookId } = request.params;
      if (!(await webhooks.delete(callerOf(request), webhookId))) throw notFound(webhookId);
      return reply.code(204).send();
    },
  });
  app.route({
    method: "GET",
    url: "/webhooks/:webhookId/deliveries",
    config: { scope: "ask" },
    schema: {
      tags,
      operationId: "listDeliveries",
      summary: "List the latest messages of a webhook with what became of them",
      params: ParamsSchema,
      response: { 200: z.object({ deliveries: z.array(DeliverySchema) }), ...problems(404) },
    },
    handler: async (request) => {
      const deliveries = await webhooks.deliveries(callerOf(request), request.params.webhookId);
      if (deliveries === null) throw notFound(request.params.webhookId);
      return { deliveries };
    },
  });
}

function notFound(id: string): DossierError {
  return new DossierError("not_found", `You have no webhook ${id}.`);
}
