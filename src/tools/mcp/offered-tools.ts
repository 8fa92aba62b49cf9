import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { type ListToolsResult, ListToolsResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { type JsonValue, toJson } from "../../domain/json.ts";
import { FOREIGN_CHARACTERS, type OfferedTool, PLAIN_NAME_LENGTH } from "../../domain/tool.ts";
import { fieldsOf } from "../../util/json-fields.ts";
import { maskJson, maskValues } from "../../util/mask-values.ts";
import type { ServerSettings } from "./servers-file.ts";

const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_OFFERED_SCHEMA_LENGTH = 8_000;

/** Lists the server's tools. A tool without `readOnlyHint` counts as a mutation. */
export async function offerTools(
  client: Client,
  settings: ServerSettings,
  { id, timeoutMs, signal }: { id: string; timeoutMs: number; signal: AbortSignal },
): Promise<OfferedTool[]> {
  // Loaded on first use, because the library is large and rarely needed.
  const { loadMcpTools } = await import("@langchain/mcp-adapters");
  const lister = boundedLister(client, { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal });
  const tools = await loadMcpTools(settings.name, lister as Client, { throwOnLoadError: false });
  const offered = tools.map(({ name, description, schema, metadata }): OfferedTool => {
    const isReadOnly = fieldsOf(metadata?.["annotations"])["readOnlyHint"] === true;
    const kind = isReadOnly ? "query" : "mutation";
    return {
      name: toolName(settings.name, name),
      description: maskValues(description, settings.secrets).slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed(),
      kind,
      parameters: maskJson(parametersOf(schema), settings.secrets),
      server: id,
      tool: name,
      confirm: kind === "mutation" && !settings.allowMutations,
      timeoutMs: settings.timeoutMs,
    };
  });
  return [...new Map(offered.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
}

const MAX_TOOLS = 64;
const MAX_PAGES = 8;
const MAX_SCHEMA_NODES = 3_000;
const MAX_SCHEMA_DEPTH = 24;
const MAX_SCHEMA_LENGTH = 16_000;
const REFERENCE = /^#\/(?:\$defs|definitions)\/(.+)$/;

function boundedLister(client: Client, options: RequestOptions): Pick<Client, "listTools"> {
  let listed = 0;
  let pages = 0;
  return {
    async listTools(params) {
      // The SDK's `listTools` fails for all tools if one output schema is invalid.
      const page = await client.request({ method: "tools/list", ...(params && { params }) }, ListToolsResultSchema, options);
      const callable = page.tools.filter(({ execution }) => execution?.taskSupport !== "required");
      const tools = callable.slice(0, MAX_TOOLS - listed).map((tool): ListToolsResult["tools"][number] => {
        const { outputSchema: _, ...rest } = tool;
        return isBoundedSchema(tool.inputSchema) ? rest : { ...rest, inputSchema: { type: "object" } };
      });
      listed += tools.length;
      pages += 1;
      const { nextCursor, ...last } = page;
      const ended = nextCursor === undefined || listed >= MAX_TOOLS || pages >= MAX_PAGES;
      return { ...last, tools, ...(!ended && { nextCursor }) };
    },
  };
}

/** Returns whether a JSON Schema stays within the limits with its references resolved. References can make it infinite. */
function isBoundedSchema(schema: unknown): boolean {
  if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) return false;
  const definitions = new Map(["$defs", "definitions"].flatMap((key) => Object.entries(fieldsOf(fieldsOf(schema)[key]))));
  let nodes = 0;
  const isBounded = (value: unknown, depth: number): boolean => {
    nodes += 1;
    if (nodes > MAX_SCHEMA_NODES || depth > MAX_SCHEMA_DEPTH) return false;
    if (typeof value !== "object" || value === null) return true;
    const reference = fieldsOf(value)["$ref"];
    const name = typeof reference === "string" ? REFERENCE.exec(reference)?.[1] : undefined;
    const referred = name === undefined ? [] : [definitions.get(name)];
    return [...Object.values(value), ...referred].every((part) => isBounded(part, depth + 1));
  };
  return isBounded(schema, 0);
}

function parametersOf(schema: unknown): Record<string, JsonValue> {
  const text = toJson(schema);
  return text.length > MAX_OFFERED_SCHEMA_LENGTH ? { type: "object" } : JSON.parse(text);
}

const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;

/** Returns `server__tool`. A name with replaced or cut characters ends with a hash, so that it stays unique. */
export function toolName(server: string, tool: string): string {
  const whole = `${server}__${tool}`;
  const plain = whole.replace(FOREIGN_CHARACTERS, "_");
  // Server `a__b` with tool `c` and server `a` with tool `b__c` would both give `a__b__c`.
  const isAmbiguous = server.includes("__");
  if (plain === whole && plain.length <= MAX_NAME_LENGTH && !isAmbiguous) return plain;
  const hash = createHash("sha256").update(`${server}\n${tool}`, "utf8").digest("hex").slice(0, HASH_LENGTH);
  return `${plain.slice(0, PLAIN_NAME_LENGTH)}_${hash}`;
}
