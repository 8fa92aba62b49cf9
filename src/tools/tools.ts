import { z } from "zod";
import type { JsonValue } from "../domain/json.ts";
import type { Tool, Toolbox } from "../domain/ports/tools.ts";
import type { ToolDescription } from "../domain/tool.ts";
import { DossierError } from "../errors.ts";
import { AKSHARE_SEARCH } from "./akshare/akshare.ts";
import { SEC_EDGAR } from "./sec-edgar/client.ts";
import { createSecEdgar } from "./sec-edgar/sec-edgar.ts";
import type { ToolEntry } from "./services/entry.ts";

/** Every optional tool. A new one is a folder here and a line in this list. */
export const TOOLS: readonly ToolEntry[] = [{ name: "sec_edgar_search", endpoints: [SEC_EDGAR], create: createSecEdgar }, AKSHARE_SEARCH];

/** @throws DossierError `config_invalid` when two tools have one name */
export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length) throw new DossierError("config_invalid", "Two tools have the same name.");
  const descriptions = new Map(tools.map((tool) => [tool.name, describe(tool)]));
  return {
    get: (name) => byName.get(name),
    describe: (names) => names.flatMap((name) => descriptions.get(name) ?? []),
  };
}

function describe({ name, description, kind, schema }: Tool): ToolDescription {
  return { name, description, kind, parameters: z.toJSONSchema(schema) as Record<string, JsonValue> };
}
