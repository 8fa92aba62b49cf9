import { z } from "zod";
import type { Tool, Toolbox } from "../../domain/ports/tool.ts";
import type { ToolServers } from "../../domain/ports/tool-servers.ts";
import { isServerId, type OfferedTool } from "../../domain/tool.ts";

export interface ToolDeps {
  readonly tools: Toolbox;
  readonly servers: ToolServers;
}

/** What a run may call by name: its own tools, and in place of each server what that server offered. */
export function namesIn(tools: readonly string[], offered: readonly OfferedTool[] | null): string[] {
  return [...tools.filter((name) => !isServerId(name)), ...(offered ?? []).map(({ name }) => name)];
}

/** The tools of the deployment and those that servers offered to this run; where names are equal, the deployment's own. */
export function withOffered({ tools, servers }: ToolDeps, offered: readonly OfferedTool[] | null): Toolbox {
  if (offered === null || offered.length === 0) return tools;
  const byName = new Map(offered.map((tool) => [tool.name, tool]));
  const made = new Map<string, Tool>();
  const toolOf = (name: string): Tool | undefined => {
    const one = byName.get(name);
    if (one === undefined) return undefined;
    const tool = made.get(name) ?? toTool(one, servers);
    made.set(name, tool);
    return tool;
  };
  return {
    get: (name) => tools.get(name) ?? toolOf(name),
    describe: (names) =>
      names.flatMap((name) => {
        const [own] = tools.describe([name]);
        if (own !== undefined) return [own];
        const one = byName.get(name);
        if (one === undefined) return [];
        const { description, kind, parameters } = one;
        return [{ name, description, kind, parameters }];
      }),
  };
}

function toTool(offered: OfferedTool, servers: ToolServers): Tool {
  const { name, description, kind, confirm, timeoutMs, parameters } = offered;
  return {
    name,
    description,
    kind,
    confirm,
    timeoutMs,
    answersInText: true,
    schema: schemaOf(parameters),
    call: (args, context) => servers.call(offered, args, context),
  };
}

/** Arguments that a server's schema takes; any object where the schema is none that can be read: the server checks for itself. */
function schemaOf(parameters: OfferedTool["parameters"]): z.ZodType {
  const anything = z.record(z.string(), z.json());
  try {
    return anything.and(z.fromJSONSchema(withoutPatterns(parameters) as Parameters<typeof z.fromJSONSchema>[0]));
  } catch {
    return anything;
  }
}

/** A server's regular expressions are not run here: one of them could take for ever. What is a property of that name stays. */
function withoutPatterns(schema: unknown, isProperties = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withoutPatterns(part));
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => isProperties || (key !== "pattern" && key !== "patternProperties"));
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutPatterns(part, !isProperties && key === "properties")]));
}
