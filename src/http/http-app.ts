import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { DEFAULT_TENANT } from "../domain/keys.ts";
import type { Tenant } from "../domain/owners.ts";
import type { ThreadMaterialService } from "../domain/ports/material.ts";
import type { Operations, ReportFiles, RunService } from "../domain/ports/run-service.ts";
import type { Tenancy } from "../domain/tenancy.ts";
import type { TakePacedTurn, TakeTurn } from "../util/turns.ts";

export type HttpApp = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

export interface Connections {
  readonly closing: boolean;
  /** Aborted when the client of this reply disconnects or the server shuts down. */
  signalOf(reply: FastifyReply): AbortSignal;
}

export interface HttpServices {
  readonly runs: RunService;
  readonly threads: ThreadMaterialService;
  readonly operations: Operations;
  readonly reports: ReportFiles;
  readonly tenancy: Tenancy;
  readonly connections: Connections;
  /** To await before each piece of a large answer. */
  readonly bulkTurn: TakeTurn;
  /** To await before each piece of a file, so that files take at most half of the time. */
  readonly exportTurn: TakePacedTurn;
  readonly version: string;
  readonly heartbeatMs: number;
  readonly stallMs: number;
  readonly answerStallMs: number;
}

export function tenantOf({ key }: FastifyRequest): Tenant {
  return key?.tenant ?? DEFAULT_TENANT;
}
