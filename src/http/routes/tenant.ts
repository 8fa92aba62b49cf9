import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { type HttpApp, type HttpServices, tenantOf } from "../http-app.ts";
import { problems } from "../schemas.ts";
import { sendDownload } from "../streaming.ts";
import { deleteTenant, exportTenant } from "../tenant-data.ts";

const tags = ["service"];
const MEDIA_TYPE = "application/x-ndjson";

/** All that is stored of the tenant of the key: to take it along, and to delete it. */
export function registerTenant(app: HttpApp, services: HttpServices): void {
  const { runs, threads, tenancy, connections } = services;
  const stores = { runs, threads, records: tenancy.records };
  app.route({
    method: "GET",
    url: "/tenant/export",
    config: { scope: "admin" },
    schema: {
      tags,
      operationId: "exportTenant",
      summary: "Download all that is stored of your tenant",
      description:
        "Lines of JSON, each with a `type`: runs with their recordings, documents with their files in base64, and what is known of keys, without secrets.",
      response: { 200: { description: "Lines of JSON.", content: { [MEDIA_TYPE]: { schema: z.string() } } }, ...problems() },
    },
    handler: (request, reply) => {
      const pieces = exportTenant(stores, tenantOf(request));
      return sendDownload(request, reply, services, { mediaType: MEDIA_TYPE, disposition: 'attachment; filename="tenant.ndjson"', pieces });
    },
  });
  app.route({
    method: "DELETE",
    url: "/tenant",
    config: { scope: "admin" },
    schema: {
      tags,
      operationId: "deleteTenant",
      summary: "Delete all that is stored of your tenant",
      description: "Cancels its runs and revokes its keys, this one last. Nothing of it can be brought back, except from a backup.",
      body: z.strictObject({ tenant: z.string().describe("The name of the tenant, so that nobody deletes another one by mistake.") }),
      response: { 200: z.object({ runs: z.int().describe("How many runs were deleted.") }), ...problems(400, 409, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      const tenant = tenantOf(request);
      if (request.body.tenant !== tenant) {
        const message = `is not the tenant of your key, which is ${tenant}`;
        throw new DossierError("invalid_request", `Nothing was deleted: /tenant ${message}.`, { faults: [{ path: "/tenant", message }] });
      }
      return { runs: await deleteTenant(stores, tenant, request.key?.id ?? null, connections.signalOf(reply)) };
    },
  });
}
