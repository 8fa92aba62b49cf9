import type { Config } from "../config.ts";
import type { SearchSource } from "../domain/ports/search-source.ts";
import type { Tool } from "../domain/ports/tool.ts";
import type { Limits } from "../domain/request.ts";
import { DossierError } from "../errors.ts";
import type { OpenToolServers } from "../tools/mcp/tool-servers.ts";

/** What a run may use at most: all there is, or what `named` names of it; servers that are `off` may be named. @throws DossierError `config_invalid` */
export function widestScope(
  named: readonly string[] | undefined,
  sources: readonly SearchSource[],
  tools: readonly Tool[],
  { known, off }: Pick<OpenToolServers, "known" | "off">,
) {
  const ids = sources.map(({ id }) => id);
  const names = [...tools.map(({ name }) => name), ...known.map(({ id }) => id)];
  const unknown = named?.filter((id) => ![...ids, ...names, ...off].includes(id)) ?? [];
  if (unknown.length > 0) {
    throw new DossierError("config_invalid", `SOURCES names ${unknown.join(", ")}; there are: ${[...ids, ...names].join(", ")}.`);
  }
  return {
    sources: named?.filter((id) => ids.includes(id)) ?? ids,
    tools: named?.filter((id) => names.includes(id)) ?? names,
    kept: Object.fromEntries(known.flatMap(({ id, graphs }) => (graphs === null ? [] : [[id, graphs]]))),
  };
}

/** The most that a run may spend here. */
export function limitsOf(config: Config): Limits {
  return {
    optionalToolLoops: config.MAX_OPTIONAL_TOOL_LOOPS,
    steps: config.MAX_STEPS,
    modelCalls: config.MAX_MODEL_CALLS,
    tokens: config.MAX_TOKENS,
    costUsd: config.MAX_COST_USD ?? null,
    seconds: config.MAX_SECONDS,
    downloads: config.MAX_DOWNLOADS,
  };
}
