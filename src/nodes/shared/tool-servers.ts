import { z } from "zod";
import { estimateTokens } from "../../domain/chat.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { ServerFailure, Tool, Toolbox, ToolListing, ToolServers } from "../../domain/ports/tools.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import type { Task } from "../../domain/task.ts";
import { isServerId, type OfferedTool, type ToolDescription } from "../../domain/tool.ts";
import { toDossierError } from "../../errors.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";

export interface ToolDeps {
  readonly tools: Toolbox;
  readonly servers: ToolServers;
}

export function callableNames(tools: readonly string[], offered: readonly OfferedTool[] | null): string[] {
  return [...tools.filter((name) => !isServerId(name)), ...(offered ?? []).map(({ name }) => name)];
}

/** Adds the tools of MCP servers to the deployment's tools. If two have the same name, the deployment's tool is used. */
export function toolboxWith({ tools, servers }: ToolDeps, offered: readonly OfferedTool[] | null): Toolbox {
  if (offered === null || offered.length === 0) return tools;
  const byName = new Map(offered.map((tool) => [tool.name, tool]));
  const made = new Map<string, Tool>();
  const describe = (name: string): ToolDescription[] => {
    const own = tools.describe([name]);
    const one = byName.get(name);
    return own.length > 0 || one === undefined ? own : [{ name, description: one.description, kind: one.kind, parameters: one.parameters }];
  };
  return {
    get(name) {
      const one = byName.get(name);
      const tool = tools.get(name) ?? made.get(name) ?? (one && toTool(one, servers));
      if (tool !== undefined) made.set(name, tool);
      return tool;
    },
    describe: (names) => names.flatMap(describe),
  };
}

function toTool(offered: OfferedTool, servers: ToolServers): Tool {
  const { name, description, kind, confirm, timeoutMs, parameters } = offered;
  const call: Tool["call"] = (args, context) => servers.call(offered, args, context);
  return { name, description, kind, confirm, timeoutMs, answersInText: true, schema: schemaOf(parameters), call };
}

/** If the server's schema cannot be read, any object is allowed, because the server checks the arguments too. */
function schemaOf(parameters: OfferedTool["parameters"]): z.ZodType {
  const anything = z.record(z.string(), z.json());
  try {
    return anything.and(z.fromJSONSchema(removePatterns(parameters) as Parameters<typeof z.fromJSONSchema>[0]));
  } catch {
    return anything;
  }
}

/** Removes regular expressions from a server's schema, because matching one could take forever. Properties named `pattern` stay. */
function removePatterns(schema: unknown, isProperties = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => removePatterns(part));
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => isProperties || (key !== "pattern" && key !== "patternProperties"));
  return Object.fromEntries(kept.map(([key, part]) => [key, removePatterns(part, !isProperties && key === "properties")]));
}

const LIST_TIMEOUT_MS = 60_000;
const LISTING = "tools/list";
const MAX_NAMES_LENGTH = 300;

interface Offer {
  readonly offered: OfferedTool[];
  readonly ledger: LedgerEntry[];
}

/** Lists the tools of the servers in scope, once per run. A server that fails gets a ledger row, and the run goes on. */
export async function listOffered(
  { task, offered }: { readonly task: Task; readonly offered: OfferedTool[] | null },
  servers: ToolServers,
  effects: Effects,
  msLeft: number,
): Promise<Offer> {
  if (offered !== null) return { offered, ledger: [] };
  return listAdditional({ task, offered: [], ids: task.tools.filter(isServerId) }, servers, effects, msLeft);
}

export async function listAdditional(
  { task, offered, ids }: { readonly task: Task; readonly offered: OfferedTool[]; readonly ids: readonly string[] },
  servers: ToolServers,
  effects: Effects,
  msLeft: number,
): Promise<Offer> {
  // Without a model, only the calls of the request need the tools of servers.
  if (ids.length === 0 || (task.models === null && task.calls === undefined)) return { offered, ledger: [] };
  const since = effects.now();
  const { tools: listed, failures } = await listTools(ids, servers, effects, msLeft);
  const tools = listed.filter(({ name }) => task.serverTools?.includes(name) !== false);
  const ms = effects.elapsedMs(since);
  const { kept, leftOut } = fitToolsToContext(tools, task.models?.contextTokens ?? Number.POSITIVE_INFINITY, offered);
  const ledger = [...failures, ...describeLeftOut(leftOut)].map(({ server, failure, message }): LedgerEntry => {
    const detail = stripUnknownAddresses(message, []);
    effects.emit({ type: "source-failed", source: server, query: "", failure, message: detail });
    return { what: "tool", source: server, target: LISTING, outcome: "failed", results: 0, failure, detail, ms };
  });
  return { offered: [...offered, ...kept], ledger };
}

export function failedListings(ledger: readonly LedgerEntry[], offered: readonly OfferedTool[]): ReadonlyMap<string, number> {
  const failed = ledger.filter(({ target, source, failure }) => target === LISTING && failure !== "too_large" && isServerId(source));
  const silent = failed.filter(({ source }) => offered.every(({ server }) => server !== source));
  return new Map([...Map.groupBy(silent, ({ source }) => source)].map(([server, entries]) => [server, entries.length]));
}

function describeLeftOut(leftOut: readonly OfferedTool[]): ServerFailure[] {
  return [...Map.groupBy(leftOut, ({ server }) => server)].map(([server, tools]) => {
    const names = tools.map(({ name }) => name).join(", ");
    const message = `The context of the model has no room for ${tools.length} tools of this server: ${names.slice(0, MAX_NAMES_LENGTH)}`;
    return { server, failure: "too_large", message };
  });
}

async function listTools(ids: readonly string[], servers: ToolServers, effects: Effects, msLeft: number): Promise<ToolListing> {
  const timeoutMs = Math.max(1, Math.min(LIST_TIMEOUT_MS, msLeft));
  const live = (signal: AbortSignal) => servers.list(ids, signal, effects.runId);
  try {
    return await effects.perform<ToolListing>({ kind: "listing", request: { servers: [...ids] }, timeoutMs, live });
  } catch (thrown) {
    effects.signal.throwIfAborted();
    const { code, message } = toDossierError(thrown);
    const failure = code === "timeout" ? "timeout" : "unreachable";
    return { tools: [], failures: ids.map((server) => ({ server, failure, message })) };
  }
}

const CONTEXT_SHARE = 0.25;

/** Keeps the tools that, together with `already`, fit into a quarter of the context. Takes tools from each server in turn. */
export function fitToolsToContext(tools: readonly OfferedTool[], contextTokens: number, already: readonly OfferedTool[] = []) {
  const taken = new Set<OfferedTool>();
  let left = Math.floor(contextTokens * CONTEXT_SHARE) - already.reduce((sum, tool) => sum + tokensOf(tool), 0);
  for (const tool of interleaveServers(tools)) {
    const tokens = tokensOf(tool);
    if (tokens > left) continue;
    left -= tokens;
    taken.add(tool);
  }
  return { kept: tools.filter((tool) => taken.has(tool)), leftOut: tools.filter((tool) => !taken.has(tool)) };
}

function tokensOf({ name, description, parameters }: OfferedTool): number {
  return estimateTokens(`${name} ${description} ${JSON.stringify(parameters)}`);
}

export function interleaveServers(tools: readonly OfferedTool[]): OfferedTool[] {
  const servers = [...Map.groupBy(tools, ({ server }) => server).values()];
  const longest = Math.max(0, ...servers.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => servers.flatMap((own) => own[index] ?? [])).flat();
}
