import { z } from "zod";
import type { CallContext, HttpFetch } from "../../../domain/ports/sources.ts";
import { DossierError } from "../../../errors.ts";
import { createServiceClient } from "../../services/service-client.ts";
import { EASTMONEY } from "./endpoint.ts";

/** Asks one address with these parameters. */
export interface EastmoneyClient {
  /** @throws DossierError with a code of the ledger, also for the failures that come with status 200 */
  ask<T>(schema: z.ZodType<T>, address: string, parameters: Readonly<Record<string, string>>, context: CallContext): Promise<T>;
}

/** What every answer may say of itself: `rc` of quotes, `code` of reports, both 0 when all is well. */
const VerdictSchema = z.object({
  rc: z.unknown().optional(),
  code: z.unknown().optional(),
  success: z.unknown().optional(),
  message: z.string().nullish().catch(null),
  data: z.unknown().optional(),
});
/** The answer to a question about nothing that is there: it looked. */
const NO_ROWS = 9201;
const UNKNOWN_REPORT = 9501;
/** `callback({...});`, which some addresses answer whether asked for it or not. */
const JSONP = /^[\w$.]+\s*\(([\s\S]*)\)\s*;?\s*$/;

/** A client of Eastmoney's public addresses; it reads JSON and JSONP alike. */
export function createEastmoneyClient(fetch: HttpFetch): EastmoneyClient {
  const client = createServiceClient(EASTMONEY, fetch);
  return {
    async ask(schema, address, parameters, context) {
      const url = new URL(address);
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      const body = readBody(await client.text(url, context));
      checkVerdict(body);
      const parsed = schema.safeParse(body);
      if (parsed.success) return parsed.data;
      const places = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the answer"}: ${message}`);
      throw new DossierError("unreadable", `eastmoney answered in an unknown form (${places.slice(0, 3).join("; ")}).`);
    },
  };
}

function readBody(text: string): unknown {
  const trimmed = text.trim();
  try {
    return JSON.parse(JSONP.exec(trimmed)?.[1] ?? trimmed);
  } catch (error) {
    const said = trimmed.startsWith("<") ? "a page instead of data" : "something that is not JSON";
    throw new DossierError("unreadable", `eastmoney answered with ${said}.`, { cause: error });
  }
}

/** Failures come with status 200. */
function checkVerdict(body: unknown): void {
  const { rc, code, success, message, data } = VerdictSchema.safeParse(body).data ?? {};
  if (typeof rc === "number" && rc !== 0) {
    throw new DossierError("not_found", `eastmoney has no data for this (rc ${rc}${data === null ? ", data null" : ""}).`);
  }
  if ((success !== false && success !== 0) || Number(code) === NO_ROWS) return;
  const why = `code ${code ?? "none"}${message ? `: ${message}` : ""}`;
  if (Number(code) === UNKNOWN_REPORT || message?.startsWith("报表配置不存在") === true)
    throw new DossierError("not_found", `eastmoney does not know the report (${why}).`);
  throw new DossierError("unreadable", `eastmoney refused (${why}).`);
}
