import { z } from "zod";
import { type ShareLink, ShareLinkSchema } from "../../domain/share-links.ts";
import { DossierError } from "../../errors.ts";
import { type HttpApp, type HttpServices, tenantOf } from "../http-app.ts";
import { allowedAmong, watchAnswers } from "../open-answers.ts";
import { callerOf } from "../ownership.ts";
import { refuseBody } from "../request-validation.ts";
import { emptyResponse, problems, RunParamsSchema } from "../schemas.ts";
import { answerReport, REPORT_RESPONSES, ReportHeadersSchema, ReportQuerySchema } from "./downloads.ts";

const tags = ["research"];
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 365;

const ListedSchema = z.object({ links: z.array(ShareLinkSchema) });
/** `links.self` is the address, which is shown this once. */
const CreatedSchema = ShareLinkSchema.extend({ links: z.object({ self: z.string() }) });

/** Links to a report, for people without a key. */
export function registerShareLinks(app: HttpApp, services: HttpServices): void {
  registerLinks(app, services);
  registerShared(app, services);
}

function registerLinks(app: HttpApp, { runs, tenancy: { shareLinks } }: HttpServices): void {
  app.route({
    method: "POST",
    url: "/research/:id/share-links",
    schema: {
      tags,
      operationId: "createShareLink",
      summary: "Make a link to the report of a run, for people without a key",
      description:
        "Whoever has the address in `links.self` can read the report, and nothing else, until the link expires or is revoked. The address is shown this once.",
      params: RunParamsSchema,
      body: z.strictObject({ expiresInDays: z.int().min(1).max(MAX_DAYS).default(DEFAULT_DAYS) }),
      response: { 201: CreatedSchema, ...problems(400, 404, 409, 413, 415, 503) },
    },
    // The body may be left out.
    preValidation: async (request) => {
      request.body ??= { expiresInDays: DEFAULT_DAYS };
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const { report, status } = await runs.get(tenantOf(request), id);
      if (report === null) throw new DossierError("no_report", `Nothing was made: the run is ${status} and has no report.`);
      const { link, secret } = await shareLinks.create(callerOf(request), id, request.body.expiresInDays * DAY_MS);
      request.logged["linkId"] = link.id;
      return reply.code(201).send({ ...link, links: { self: `/shared/${secret}` } });
    },
  });
  app.route({
    method: "GET",
    url: "/research/:id/share-links",
    schema: {
      tags,
      operationId: "listShareLinks",
      summary: "List the valid links to the report of a run",
      params: RunParamsSchema,
      response: { 200: ListedSchema, ...problems(404) },
    },
    handler: async (request): Promise<{ links: ShareLink[] }> => {
      const { id } = await runs.get(tenantOf(request), request.params.id);
      return { links: await shareLinks.list(tenantOf(request), id) };
    },
  });
  app.route({
    method: "DELETE",
    url: "/research/:id/share-links/:linkId",
    schema: {
      tags,
      operationId: "revokeShareLink",
      summary: "Revoke a link to the report of a run",
      params: RunParamsSchema.extend({ linkId: z.string().regex(/^[0-9a-f]{12}$/) }),
      response: { 204: emptyResponse("The link shows nothing any more."), ...problems(400, 404, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      refuseBody(request);
      const { id, linkId } = request.params;
      if (!(await shareLinks.revoke(tenantOf(request), id, linkId)))
        throw new DossierError("not_found", `The run ${id} has no link ${linkId}.`);
      return reply.code(204).send();
    },
  });
}

function registerShared(app: HttpApp, services: HttpServices): void {
  const { runs, connections, exportTurn, tenancy } = services;
  const find = async (secret: string) => {
    const shared = await tenancy.shareLinks.find(secret);
    if (shared !== null) return shared;
    throw new DossierError("not_found", "This link shows nothing: it has expired or was revoked, or its report was deleted.");
  };
  const watch = watchAnswers(app, (ids) => allowedAmong(ids, async (secret) => (await tenancy.shareLinks.find(secret)) !== null));
  app.route({
    method: "GET",
    url: "/shared/:secret",
    config: { scope: "none" },
    schema: {
      tags,
      operationId: "getSharedReport",
      summary: "Read a report by its link",
      params: z.object({ secret: z.string().regex(/^[\w-]{43}$/) }),
      querystring: ReportQuerySchema,
      headers: ReportHeadersSchema,
      response: REPORT_RESPONSES,
    },
    preHandler: (_request, reply) => exportTurn(connections.signalOf(reply)),
    // Making a file takes time, in which the link may have been revoked.
    onSend: async (request, reply, payload) => {
      if (reply.statusCode >= 400) return payload;
      await find(request.params.secret);
      watch(request.params.secret, reply.raw);
      return payload;
    },
    handler: async (request, reply) => {
      const shared = await find(request.params.secret);
      // Links in the report must not tell other servers its address, and search engines must not keep it.
      reply.headers({ "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" });
      return answerReport(request, reply, services, await runs.get(shared.tenant, shared.runId));
    },
  });
}
