import type { FastifyRequest } from "fastify";
import type { Caller, ThreadOwners } from "../domain/owners.ts";
import { type Allowance, UNLIMITED } from "../domain/quota.ts";
import { toDossierError } from "../errors.ts";
import { fieldsOf } from "../util/json-fields.ts";
import { READING } from "./access.ts";
import { type HttpApp, tenantOf } from "./http-app.ts";
import { allowedAmong, watchAnswers } from "./open-answers.ts";

export function callerOf(request: FastifyRequest): Caller & { readonly allowance: Allowance } {
  const { key } = request;
  return { tenant: tenantOf(request), owner: key?.name ?? null, allowance: key?.allowance ?? UNLIMITED };
}

/**
 * Refuses requests about runs and threads of somebody else in the tenant, for every route whose path or body names one, and ends answers about
 * what is not shared any more.
 */
export function registerOwnership(app: HttpApp, owners: ThreadOwners): void {
  const watch = watchAnswers(app, (ids) => allowedAmong(ids, (id) => isShared(owners, id)));
  app.addHook("preHandler", async (request, reply) => {
    const { url = "" } = request.routeOptions;
    const { id: runId, threadId = fieldsOf(request.body)["threadId"] } = fieldsOf(request.params);
    const isReading = READING.includes(request.method) || url === "/research/estimate";
    const ofRun = url.startsWith("/research/:id") && typeof runId === "string" ? { runId } : null;
    const what = ofRun ?? (typeof threadId === "string" ? { threadId } : null);
    if (what === null) return;
    const { tenant, owner } = callerOf(request);
    const isOfOther = await owners.check({ tenant, owner }, what, isReading);
    if (isOfOther) watch(JSON.stringify({ caller: { tenant, owner }, what }), reply.raw);
  });
}

/** Whether somebody may still read what another one shared when the answer began. */
async function isShared(owners: ThreadOwners, id: string): Promise<boolean> {
  const { caller, what } = JSON.parse(id) as { caller: Caller; what: { threadId: string } | { runId: string } };
  try {
    return await owners.check(caller, what, true);
  } catch (error) {
    if (toDossierError(error).code === "not_found") return false;
    throw error;
  }
}
