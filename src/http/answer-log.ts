import type { FastifyRequest } from "fastify";
import { TENANT_SETTINGS } from "../domain/tenant-settings.ts";
import { hasCredential } from "./access.ts";
import type { HttpApp } from "./http-app.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Further fields for the line of the log, such as the id of what the request made. Never a secret. */
    logged: Record<string, string | boolean>;
  }
}

/** The operations of the audit log: who came in, and who deleted, stopped, opened to others or took away what. */
const AUDITED: ReadonlySet<string> = new Set([
  "signIn",
  "finishSignIn",
  "signOut",
  "cancelResearch",
  "deleteResearch",
  "deleteThreadDocument",
  "deleteThreadUrl",
  "createShareLink",
  "revokeShareLink",
  "shareThread",
  "createWebhook",
  "deleteWebhook",
  "getRecording",
  "getBundle",
  "exportTenant",
  "deleteTenant",
  ...Object.values(TENANT_SETTINGS).flatMap(({ id }) => [`setTenant${id}`, `deleteTenant${id}`]),
]);

/**
 * Logs each answer as one line: at `info` failures of the server and what belongs to the audit log (`audit: true`), else at `debug`. A line
 * names the route and its ids, and has no query, body or header; of addresses that no route has it has nothing, as they may contain secrets.
 */
export function registerAnswerLog(app: HttpApp): void {
  app.decorateRequest("logged");
  app.addHook("onRequest", async (request) => {
    // After the end of a connection its address is not known any more.
    request.logged = { address: request.ip };
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method, key, logged, routeOptions } = request;
    const { statusCode: status } = reply;
    const operationId = routeOptions.schema?.operationId;
    const audit = AUDITED.has(operationId ?? "") || isRefusedKey(request, status);
    const who = key === null ? {} : { key: key.name, keyId: key.id, tenant: key.tenant };
    const line = { method, path: routeOptions.url, operationId, ...idsIn(request), ...who, ...logged, status };
    const more = { durationMs: Math.round(reply.elapsedTime), ...(audit && { audit }) };
    request.log[audit || status >= 500 ? "info" : "debug"]({ ...line, ...more }, "request answered");
  });
}

function idsIn({ params }: FastifyRequest): Record<string, string> {
  const { id, secret: _secret, "*": _unrouted, ...ids } = (params ?? {}) as Record<string, string>;
  return id === undefined ? ids : { runId: id, ...ids };
}

/** Whether a key, or the cookie of one, was sent that is not valid or may not do what was asked. */
function isRefusedKey(request: FastifyRequest, status: number): boolean {
  return (status === 401 && hasCredential(request)) || (status === 403 && request.key !== null);
}
