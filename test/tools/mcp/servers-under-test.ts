import { onTestFinished } from "vitest";
import type { ToolContext } from "../../../src/domain/ports/tools.ts";
import type { OfferedTool } from "../../../src/domain/tool.ts";
import type { DossierError } from "../../../src/errors.ts";
import { createServerFetch } from "../../../src/network/configured-server.ts";
import { readServers } from "../../../src/tools/mcp/servers-file.ts";
import { createToolServers } from "../../../src/tools/mcp/tool-servers.ts";
import { makeFolder, writeServers } from "../../helpers/mcp-servers.ts";

/** The servers of a file, each in the scope of the call; closed with the test. */
export function openServers(
  mcpServers: Parameters<typeof writeServers>[1],
  variables: Readonly<Record<string, string>> = {},
  clock = () => 1_000,
) {
  const { dir, remove } = makeFolder();
  const failures: [server: string, error: DossierError][] = [];
  const servers = createToolServers(
    readServers(writeServers(dir, mcpServers), (name) => variables[name]),
    { version: "0", openHttp: createServerFetch, clock, onFailed: (server, error) => failures.push([server, error]) },
  );
  onTestFinished(async () => {
    await servers.close();
    remove();
  });
  const ids = Object.keys(mcpServers).map((name) => `mcp:${name}`);
  const context = (signal: AbortSignal): ToolContext => ({ runId: "r", metadata: {}, scope: ids, signal });
  return {
    servers,
    failures,
    dir,
    list: (signal = new AbortController().signal) => servers.list(ids, signal, ""),
    call: (server: string, tool: string, args: unknown = {}, kind: OfferedTool["kind"] = "query", signal = new AbortController().signal) =>
      servers.call({ server: `mcp:${server}`, tool, kind }, args, context(signal)),
  };
}
