import type { Logger } from "pino";
import { type Config, environmentVariable } from "../config.ts";
import type { ToolServers } from "../domain/ports/tool-servers.ts";
import { SERVER_PREFIX } from "../domain/tool.ts";
import { DossierError } from "../errors.ts";
import { createServerFetch } from "../network/server-fetch.ts";
import { readServers } from "../tools/mcp/servers-file.ts";
import { createToolServers, type OpenToolServers } from "../tools/mcp/tool-servers.ts";

interface Options {
  readonly version: string;
  readonly clock: () => number;
  readonly logger: Logger;
}

/** The MCP servers of a deployment, none of them connected. @throws DossierError `config_invalid` */
export function openToolServers(config: Config, { version, clock, logger }: Options): OpenToolServers {
  const file = config.MCP_SERVERS === undefined ? NO_FILE : readServers(config.MCP_SERVERS, environmentVariable);
  const servers = createToolServers(file, {
    version,
    clock,
    openWay: createServerFetch,
    onFailed: (server, error) => logger.warn({ server, code: error.code, err: error }, "MCP server not connected"),
  });
  for (const { name, message } of file.warnings) logger.warn({ server: `${SERVER_PREFIX}${name}` }, `MCP_SERVERS: ${message}`);
  for (const server of servers.off.filter((id) => config.SOURCES?.includes(id)))
    logger.warn({ server }, "SOURCES names an MCP server that is disabled; no run uses it");
  return servers;
}

const NO_FILE = { servers: [], disabled: [], warnings: [] };

/** The servers of a replay, whose answers are all recorded. */
export const RECORDED_SERVERS: ToolServers = { list: refuse, call: refuse };

async function refuse(): Promise<never> {
  throw new DossierError("internal", "A replay connects to no server.");
}

/** @throws DossierError `config_invalid` for a server that is kept for a graph which is not there */
export function checkGraphs({ known }: OpenToolServers, graphs: readonly string[]): void {
  for (const { id, graphs: own } of known) {
    const unknown = (own ?? []).filter((name) => !graphs.includes(name));
    if (unknown.length > 0)
      throw new DossierError("config_invalid", `MCP_SERVERS: ${id} is for ${unknown.join(", ")}; the graphs are: ${graphs.join(", ")}.`);
  }
}
