import { z } from "zod";
import type { JsonValue } from "../domain/json.ts";
import type { Tool, Toolbox } from "../domain/ports/tools.ts";
import type { ToolDescription } from "../domain/tool.ts";
import { DossierError } from "../errors.ts";
import { createAkshareSearch } from "./akshare/akshare.ts";
import { AKTOOLS } from "./akshare/aktools.ts";
import { EASTMONEY } from "./akshare/eastmoney-client.ts";
import { SEC_EDGAR } from "./sec-edgar/client.ts";
import { createSecEdgar } from "./sec-edgar/sec-edgar.ts";
import type { Service, ToolEntry } from "./shared/entry.ts";
import { SOURCES } from "./sources/sources.ts";

/** Optional tools: entries with services, or tools as they are, such as those of `fromLangChainTool`. */
export const TOOLS: readonly (ToolEntry | Tool)[] = [
  {
    name: "sec_edgar_search",
    services: [
      {
        endpoint: SEC_EDGAR,
        title: "SEC EDGAR",
        description: "filings and figures of companies in the United States, for sec_edgar_search",
        settings: { baseUrl: { variable: "SEC_EDGAR_BASE_URL" } },
      },
    ],
    create: createSecEdgar,
  },
  {
    name: "akshare_search",
    services: [
      {
        endpoint: EASTMONEY,
        title: "Eastmoney",
        description: "prices and reports of companies in mainland China and Hong Kong, for akshare_search",
        settings: { baseUrl: { variable: "EASTMONEY_BASE_URL" } },
      },
      {
        endpoint: AKTOOLS,
        title: "AKTools",
        description: "your own AKTools, which akshare_search asks before Eastmoney",
        settings: { baseUrl: { variable: "AKTOOLS_BASE_URL", required: true } },
      },
    ],
    create: createAkshareSearch,
  },
];

export const TOOL_ENTRIES: readonly ToolEntry[] = TOOLS.map(toEntry);

export function toEntry(one: ToolEntry | Tool): ToolEntry {
  return "create" in one ? one : { name: one.name, services: [], create: () => one };
}

export const SERVICES: readonly Service[] = [...SOURCES, ...TOOL_ENTRIES.flatMap(({ services }) => services)];

export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const repeated = tools.find((tool) => byName.get(tool.name) !== tool);
  if (repeated !== undefined)
    throw new DossierError("config_invalid", `Two tools are named ${repeated.name}. Nothing was started; rename one.`);
  const descriptions = new Map(tools.map((tool) => [tool.name, describe(tool)]));
  return {
    get: (name) => byName.get(name),
    describe: (names) => names.flatMap((name) => descriptions.get(name) ?? []),
  };
}

function describe({ name, description, kind, schema }: Tool): ToolDescription {
  return { name, description, kind, parameters: z.toJSONSchema(schema) as Record<string, JsonValue> };
}
