import { z } from "zod";
import type { JsonValue } from "../domain/json.ts";
import type { Tool, Toolbox } from "../domain/ports/tools.ts";
import type { ToolDescription } from "../domain/tool.ts";
import { DossierError } from "../errors.ts";
import { AKSHARE_SEARCH } from "./akshare/akshare.ts";
import { SEC_EDGAR_SEARCH } from "./sec-edgar/sec-edgar.ts";
import type { Service, ToolEntry } from "./shared/entry.ts";
import { SOURCES } from "./sources/sources.ts";

/** Optional tools: entries with services, or tools as they are, such as those of `fromLangChainTool`. */
export const TOOLS: readonly (ToolEntry | Tool)[] = [SEC_EDGAR_SEARCH, AKSHARE_SEARCH];

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
