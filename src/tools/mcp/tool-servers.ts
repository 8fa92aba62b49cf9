import { failureOf } from "../../domain/failure.ts";
import type { SourceState } from "../../domain/ports/operations.ts";
import type { ServerFailure, ToolListing, ToolServers } from "../../domain/ports/tool-servers.ts";
import { type OfferedTool, SERVER_PREFIX } from "../../domain/tool.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { McpServer, type McpServerOptions } from "./mcp-server.ts";
import type { ServersFile } from "./read-servers.ts";

/** The servers of a deployment. */
export interface OpenToolServers extends ToolServers {
  /** Their ids, with the graphs that may use each; null for all. */
  readonly known: readonly { readonly id: string; readonly graphs: readonly string[] | null }[];
  /** The ids of those that are switched off. */
  readonly off: readonly string[];
  /** One row for each, those that are switched off last. */
  states(): SourceState[];
  /** Ends all processes and connections. */
  close(): Promise<void>;
}

/** Connects to nothing before a run needs it. */
export function createToolServers(
  { servers, disabled }: Pick<ServersFile, "servers" | "disabled">,
  options: McpServerOptions,
): OpenToolServers {
  const byId = new Map(servers.map((settings) => new McpServer(settings, options)).map((server) => [server.id, server]));
  return {
    known: [...byId.values()].map(({ id, settings }) => ({ id, graphs: settings.graphs })),
    off: disabled.map(idOf),
    async list(ids, signal) {
      const listed = await Promise.all(ids.map((id) => listOne(id, byId.get(id), signal)));
      signal.throwIfAborted();
      return { tools: listed.flatMap(({ tools }) => tools), failures: listed.flatMap(({ failures }) => failures) };
    },
    async call(called, args, context) {
      const server = byId.get(called.server);
      if (!context.scope.includes(called.server))
        throw new DossierError("out_of_scope", `${called.server} was not called: it lies outside the scope of the run.`);
      if (server === undefined) throw new DossierError("unreachable", `There is no MCP server ${called.server} here any more.`);
      return server.call(called, args, context);
    },
    states: () => [...[...byId.values()].map((server) => server.state()), ...disabled.map(switchedOff)],
    async close() {
      await Promise.all([...byId.values()].map((server) => server.close()));
    },
  };
}

async function listOne(id: string, server: McpServer | undefined, signal: AbortSignal): Promise<ToolListing> {
  const failed = (failure: ServerFailure): ToolListing => ({ tools: [], failures: [failure] });
  if (server === undefined) return failed({ server: id, failure: "unreachable", message: `There is no MCP server ${id} here any more.` });
  try {
    const tools: OfferedTool[] = await server.list(signal);
    return { tools, failures: [] };
  } catch (thrown) {
    const error = toDossierError(thrown);
    return failed({ server: id, failure: failureOf(error, "unreachable"), message: error.message });
  }
}

function idOf(name: string): string {
  return `${SERVER_PREFIX}${name}`;
}

function switchedOff(name: string): SourceState {
  const title = `MCP server ${name} (disabled)`;
  return { id: idOf(name), kind: "mcp", title, configured: false, needsKey: false, lastTry: null };
}
