import { z } from "zod";
import type { CallContext, HttpFetch } from "../../../domain/ports/http-fetch.ts";
import { DossierError } from "../../../errors.ts";
import { createServiceClient, type Judge } from "../../services/service-client.ts";
import { AKTOOLS } from "./endpoint.ts";
import { type AkshareFunction, addressOf } from "./functions.ts";

/** A row of a table, by the Chinese names of its columns. */
export type TableRow = Readonly<Record<string, unknown>>;

export interface AktoolsClient {
  /** @throws DossierError `not_found` for 404, which stands for an unknown function, an empty table and an error inside alike */
  rows(name: AkshareFunction, parameters: Readonly<Record<string, string>>, context: CallContext): Promise<readonly TableRow[]>;
}

const ErrorSchema = z.object({ error: z.string() });
const RowsSchema = z.array(z.record(z.string(), z.unknown()));
/** A function asks public services itself, sometimes many times; what takes longer is left to the public addresses. */
const TIMEOUT_MS = 20_000;

/** A client of the operator's AKTools: https://aktools.akfamily.xyz. */
export function createAktoolsClient(fetch: HttpFetch): AktoolsClient {
  const client = createServiceClient(AKTOOLS, fetch, judge);
  return {
    async rows(name, parameters, context) {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const bounded = { ...context, signal: AbortSignal.any([context.signal, timeout]) };
      try {
        return await client.json(RowsSchema, addressOf(name, parameters), bounded);
      } catch (error) {
        if (!timeout.aborted || context.signal.aborted) throw error;
        throw new DossierError("timeout", `aktools did not answer ${name} within ${TIMEOUT_MS / 1_000} s.`, { cause: error });
      }
    },
  };
}

const judge: Judge = ({ status, text }) => {
  if (status !== 404) return null;
  const said = ErrorSchema.safeParse(parse(text)).data?.error ?? "nothing more";
  return new DossierError("not_found", `aktools answered 404 (no such function, no rows, or an error inside): ${said}`);
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
