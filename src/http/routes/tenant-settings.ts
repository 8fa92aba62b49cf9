import { z } from "zod";
import { SETTING_KINDS, type SettingKind, type SettingValue, TENANT_SETTINGS, TenantSettingSchema } from "../../domain/tenant-settings.ts";
import { DossierError } from "../../errors.ts";
import { type HttpApp, type HttpServices, tenantOf } from "../http-app.ts";
import { refuseBody } from "../request-validation.ts";
import { emptyResponse, problems } from "../schemas.ts";

const shared = { tags: ["service"] };
const config = { scope: "admin" } as const;

/** The models, MCP servers and prompts that a tenant has of its own. */
export function registerTenantSettings(app: HttpApp, { tenancy: { settings } }: Pick<HttpServices, "tenancy">): void {
  app.route({
    method: "GET",
    url: "/tenant/settings",
    config,
    schema: {
      ...shared,
      operationId: "listTenantSettings",
      summary: "List what your tenant has set for its own runs, without secrets",
      response: { 200: z.object({ settings: z.array(TenantSettingSchema) }), ...problems() },
    },
    handler: async (request) => ({ settings: await settings.list(tenantOf(request)) }),
  });
  for (const kind of SETTING_KINDS) registerKind(app, settings, kind);
}

function registerKind(app: HttpApp, settings: HttpServices["tenancy"]["settings"], kind: SettingKind): void {
  const { id, what, name, value, about } = TENANT_SETTINGS[kind];
  const url = `/tenant/${kind}/:name`;
  const params = z.object({ name });
  app.route({
    method: "PUT",
    url,
    config,
    schema: {
      ...shared,
      operationId: `setTenant${id}`,
      summary: `Set ${about}`,
      description: "It holds for runs that start from then on. Secrets are encrypted, and shown by no route.",
      params,
      body: value as z.ZodType<SettingValue>,
      response: { 200: TenantSettingSchema, ...problems(400, 404, 413, 415, 422, 503) },
    },
    handler: (request) => settings.put(tenantOf(request), kind, request.params.name, request.body),
  });
  app.route({
    method: "DELETE",
    url,
    config,
    schema: {
      ...shared,
      operationId: `deleteTenant${id}`,
      summary: `Delete ${what} that your tenant has set`,
      params,
      response: { 204: emptyResponse("It holds for no run that starts from then on."), ...problems(400, 404, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      refuseBody(request);
      if (await settings.delete(tenantOf(request), kind, request.params.name)) return reply.code(204).send();
      throw new DossierError("not_found", `Your tenant has set nothing of this name.`);
    },
  });
}
