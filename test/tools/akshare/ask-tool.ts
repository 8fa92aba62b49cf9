import { onTestFinished } from "vitest";
import { createExtractor } from "../../../src/documents/extract.ts";
import type { ToolResult } from "../../../src/domain/tool.ts";
import { createNetwork } from "../../../src/network/network.ts";
import { TIME_LIMITS } from "../../../src/network/send-request.ts";
import { createAkshareSearch } from "../../../src/tools/akshare/akshare.ts";
import { startAktools, type Tables } from "../../fakes/aktools.ts";
import { type EastmoneyData, startEastmoney } from "../../fakes/eastmoney.ts";
import { EASTMONEY_DATA } from "../../fixtures/services/eastmoney.ts";

export interface Services {
  readonly eastmoney?: EastmoneyData;
  readonly aktools?: Tables;
}

export interface Asked {
  readonly result: ToolResult;
  /** The lines of all returned texts. */
  readonly rows: readonly string[];
  /** Decoded paths and queries, in order. */
  readonly eastmoney: readonly string[];
  readonly aktools: readonly string[];
}

/** Calls the real tool with arguments as an analyst gives them, with loopback services. */
export async function askTool(args: unknown, { eastmoney = EASTMONEY_DATA, aktools }: Services = {}): Promise<Asked> {
  const market = await startEastmoney(eastmoney);
  const tables = aktools && (await startAktools(aktools));
  const baseUrls = { eastmoney: market.url, ...(tables && { aktools: tables.url }) };
  const network = createNetwork({ baseUrls, allowedHosts: new Set(), userAgent: "dossier/test", limits: { ...TIME_LIMITS, paced: false } });
  onTestFinished(() => network.close());
  const configured = new Set(tables === undefined ? [] : ["aktools"]);
  const tool = createAkshareSearch({ fetch: network, extractor: createExtractor(), configured });
  const context = { signal: new AbortController().signal, scope: ["akshare_search"], runId: "run", metadata: {} };
  const result = await tool.call(tool.schema.parse(args), context);
  const decoded = (paths: readonly string[] = []): string[] => paths.map((path) => decodeURIComponent(path.replaceAll("+", " ")));
  return {
    result,
    rows: result.sources.flatMap(({ text }) => text?.split("\n") ?? []),
    eastmoney: decoded(market.requests),
    aktools: decoded(tables?.requests),
  };
}
