import { z } from "zod";
import type { HttpFetch } from "../../src/domain/ports/sources.ts";
import { AKTOOLS, createAktools, createAktoolsClient } from "../../src/tools/akshare/aktools.ts";
import { createEastmoney } from "../../src/tools/akshare/eastmoney.ts";
import { createEastmoneyClient, EASTMONEY } from "../../src/tools/akshare/eastmoney-client.ts";
import { type MarketData, readSymbol, type Security, type Statements } from "../../src/tools/akshare/market-data.ts";
import { statementRow } from "../../src/tools/akshare/rows.ts";
import type { Operation, Reading, RecordedReader } from "./reader.ts";

const AskSchema = z.object({ symbol: z.string().default("600519") });
const OPEN = { start: null, end: null };
/** The fixed clock, in milliseconds: rows without a date get this day. */
const CLOCK_MS = Date.UTC(2026, 9, 1);

type Query = (service: MarketData, security: Security) => Promise<Statements>;

const QUESTIONS = {
  profile: (service, security) => service.profile(security),
  quote: (service, security) => service.quote(security),
  klines: (service, security) => service.klines(security, { ...OPEN, period: "daily", adjust: "none" }),
  financials: (service, security) => service.financials(security, { ...OPEN, annualOnly: false, periods: 5 }),
} as const satisfies Readonly<Record<string, Query>>;

/** Returns an operation that reads an answer into the rows that a report can cite. */
function rowsOf(open: (reading: Reading) => MarketData, query: Query): Operation {
  return async (reading) => {
    const security = readSymbol(AskSchema.parse(reading.ask).symbol);
    if (security === null) throw new Error("The symbol of the expectation is not a valid share code.");
    const { name, rows } = await query(open(reading), security);
    return rows.map((row) => statementRow({ ...security, name }, row));
  };
}

const openAktools = ({ fetch, context }: Reading): MarketData => createAktools(createAktoolsClient(fetch)(context), () => CLOCK_MS);
const openEastmoney = ({ fetch, context }: Reading): MarketData => createEastmoney(createEastmoneyClient(fetch)(context));

/** Reads recorded responses of AKTools. */
export const AKSHARE_READER: RecordedReader = {
  folder: "akshare",
  endpoints: [AKTOOLS],
  operations: { profile: rowsOf(openAktools, QUESTIONS.profile), items: readItems },
};

/** Reads recorded responses of Eastmoney. `sample` reads reports in the format of a probe script, with rows under `sample`. */
export const EASTMONEY_READER: RecordedReader = {
  folder: "eastmoney",
  endpoints: [EASTMONEY],
  operations: {
    profile: rowsOf(openEastmoney, QUESTIONS.profile),
    quote: rowsOf(openEastmoney, QUESTIONS.quote),
    klines: rowsOf(openEastmoney, QUESTIONS.klines),
    sample: rowsOf((reading) => openEastmoney({ ...reading, fetch: unwrapProbe(reading.fetch) }), QUESTIONS.financials),
  },
};

/** Reads the table of items and values. A quote also requests a price table, which is served empty. */
async function readItems(reading: Reading): Promise<readonly string[]> {
  const fetch: HttpFetch = {
    ...reading.fetch,
    ask: async (endpoint, request, context) => {
      const reply = await reading.fetch.ask(endpoint, request, context);
      return request.url.includes("stock_zh_a_hist") ? { ...reply, body: new TextEncoder().encode("[]") } : reply;
    },
  };
  return (await rowsOf(openAktools, QUESTIONS.quote)({ ...reading, fetch })).map(String);
}

const ProbeSchema = z.object({ report_name: z.string(), sample: z.array(z.unknown()) });

/** Serves the probe's rows in Eastmoney's format for the probed report, and no rows for other reports. */
function unwrapProbe(fetch: HttpFetch): HttpFetch {
  return {
    ...fetch,
    ask: async (endpoint, request, context) => {
      const reply = await fetch.ask(endpoint, request, context);
      const { report_name, sample } = ProbeSchema.parse(JSON.parse(new TextDecoder().decode(reply.body)));
      const data = request.url.includes(`reportName=${report_name}&`) ? sample : [];
      return { ...reply, body: new TextEncoder().encode(JSON.stringify({ result: { data }, success: true, code: 0 })) };
    },
  };
}
