import { z } from "zod";
import type { CallContext, HttpFetch } from "../../../domain/ports/sources.ts";
import { DossierError } from "../../../errors.ts";
import { type AnswerCheck, createServiceClient } from "../../services/service-client.ts";
import { AKTOOLS } from "./endpoint.ts";

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

const judge: AnswerCheck = ({ status, text }) => {
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

const MAINLAND_CODE = /^\d{6}$/;
const HONG_KONG_CODE = /^\d{5}$/;
const DAY = /^\d{8}$/;
const PERIOD = /^(?:daily|weekly|monthly)$/;
const ADJUST = /^(?:qfq|hfq)$/;

/**
 * The functions of akshare that are asked, and what their parameters may look like. AKTools puts what it is given into
 * Python source, so nothing that is not here leaves this program.
 */
const FUNCTIONS = {
  stock_info_a_code_name: {},
  stock_profile_cninfo: { symbol: MAINLAND_CODE },
  stock_individual_info_em: { symbol: MAINLAND_CODE },
  stock_zh_a_hist: { symbol: MAINLAND_CODE, period: PERIOD, start_date: DAY, end_date: DAY, adjust: ADJUST },
  stock_financial_abstract: { symbol: MAINLAND_CODE },
  stock_zh_a_disclosure_report_cninfo: { symbol: /^\d{5,6}$/, market: /^(?:沪深京|港股)$/, start_date: DAY, end_date: DAY },
  stock_news_em: { symbol: /^\d{5,6}$/ },
  stock_hk_company_profile_em: { symbol: HONG_KONG_CODE },
  stock_hk_hist: { symbol: HONG_KONG_CODE, period: PERIOD, start_date: DAY, end_date: DAY, adjust: ADJUST },
  stock_financial_hk_analysis_indicator_em: { symbol: HONG_KONG_CODE, indicator: /^(?:年度|报告期)$/ },
} as const satisfies Readonly<Record<string, Readonly<Record<string, RegExp>>>>;

type AkshareFunction = keyof typeof FUNCTIONS;

/**
 * Where AKTools answers a call.
 * @throws DossierError `invalid_arguments` for a parameter that the function has not, and for a value of another form
 */
export function addressOf(name: AkshareFunction, parameters: Readonly<Record<string, string>>): URL {
  const allowed: Readonly<Record<string, RegExp>> = FUNCTIONS[name];
  const url = new URL(`https://aktools.invalid/api/public/${name}`);
  for (const [key, value] of Object.entries(parameters)) {
    const pattern = Object.hasOwn(allowed, key) ? allowed[key] : undefined;
    if (pattern?.test(value) !== true)
      throw new DossierError("invalid_arguments", `${name} is not asked with ${key} ${JSON.stringify(value)}.`);
    url.searchParams.set(key, value);
  }
  return url;
}
