import { z } from "zod";
import type { HttpFetch } from "../../src/domain/ports/sources.ts";
import { AKTOOLS, createAktools } from "../../src/tools/akshare/aktools.ts";
import { createEastmoney } from "../../src/tools/akshare/eastmoney.ts";
import { EASTMONEY } from "../../src/tools/akshare/eastmoney-client.ts";
import { type MarketData, type Rows, readSymbol, type Security, type Statement } from "../../src/tools/akshare/market-data.ts";
import { statementRow } from "../../src/tools/akshare/rows.ts";
import type { Operation, Reading, RecordedReader } from "./reader.ts";

const AskSchema = z.object({ symbol: z.string().default("600519") });
const OPEN = { start: null, end: null };
/** When the recorded functions that date nothing are taken to have been asked. */
const ASKED_AT = Date.UTC(2026, 9, 1);

type Question = (service: MarketData, security: Security, context: Reading["context"]) => Promise<Rows<Statement>>;

const QUESTIONS = {
  profile: (service, security, context) => service.profile(security, context),
  quote: (service, security, context) => service.quote(security, context),
  klines: (service, security, context) => service.klines(security, { ...OPEN, period: "daily", adjust: "none" }, context),
  financials: (service, security, context) => service.financials(security, { ...OPEN, annualOnly: false }, context),
} as const satisfies Readonly<Record<string, Question>>;

/** The rows of an answer as they would be cited. */
function rowsOf(open: (fetch: HttpFetch) => MarketData, question: Question): Operation {
  return async ({ fetch, context, ask }) => {
    const security = readSymbol(AskSchema.parse(ask).symbol);
    if (security === null) throw new Error("There is no such share.");
    const { name, rows } = await question(open(fetch), security, context);
    return rows.map((row) => statementRow({ ...security, name }, row));
  };
}

const openAktools = (fetch: HttpFetch): MarketData => createAktools(fetch, () => ASKED_AT);

/** Bodies of an AKTools, and the manual of akshare. */
export const AKSHARE_READER: RecordedReader = {
  folder: "akshare",
  endpoints: [AKTOOLS],
  operations: { profile: rowsOf(openAktools, QUESTIONS.profile), items: readItems },
};

/** Bodies of Eastmoney's addresses; `sample` reads reports whose rows a probe has put under another name. */
export const EASTMONEY_READER: RecordedReader = {
  folder: "eastmoney",
  endpoints: [EASTMONEY],
  operations: {
    profile: rowsOf(createEastmoney, QUESTIONS.profile),
    quote: rowsOf(createEastmoney, QUESTIONS.quote),
    klines: rowsOf(createEastmoney, QUESTIONS.klines),
    sample: rowsOf((fetch) => createEastmoney(unwrapProbe(fetch)), QUESTIONS.financials),
  },
};

/** The table of items and values, which a quote asks for after a table of prices. */
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

/** The probe's rows for the report that it probed, no rows for the others. */
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
