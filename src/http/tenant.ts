import type { FastifyRequest } from "fastify";
import type { Tenant } from "../domain/ports/run-service.ts";

/** Whose runs a request may see. The one place that knows: every call of the run service passes what this returns. */
export function tenantOf(_request: FastifyRequest): Tenant {
  return "default";
}
