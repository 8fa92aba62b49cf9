import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { Tenant } from "../domain/ports/run-service.ts";

/** The app as our own modules see it: schemas are zod, and handlers are typed from them. */
export type HttpApp = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

/** Whose runs a request may see. The one place that knows: every call of the run service passes what this returns. */
export function tenantOf(_request: FastifyRequest): Tenant {
  return "default";
}
