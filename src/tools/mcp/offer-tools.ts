import { createHash } from "node:crypto";
import { type JsonValue, wellFormed } from "../../domain/json.ts";
import { maskValues } from "../../domain/mask-values.ts";
import type { OfferedTool } from "../../domain/tool.ts";
import type { BoundedClient } from "./bounded-client.ts";
import { maskJson } from "./mask-server.ts";
import type { ServerSettings } from "./server-settings.ts";

const MAX_DESCRIPTION_LENGTH = 1_000;
/** The longest schema that a model is shown; it is asked for an object where a server has a longer one. */
const MAX_SCHEMA_LENGTH = 8_000;

interface ListOptions {
  readonly id: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The tools of a connected server as runs are offered them. What it does not mark as read-only changes something. */
export async function offerTools(
  client: BoundedClient,
  settings: ServerSettings,
  { id, timeoutMs, signal }: ListOptions,
): Promise<OfferedTool[]> {
  // Loaded late: it brings much along that a service without servers never needs.
  const { loadMcpTools } = await import("@langchain/mcp-adapters");
  client.begin({ timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal });
  const tools = await loadMcpTools(settings.name, client, { throwOnLoadError: false });
  const offered = tools.map(({ name, description, schema, metadata }): OfferedTool => {
    const kind = isReadOnly(metadata) ? "query" : "mutation";
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

function isReadOnly(metadata: Readonly<Record<string, unknown>> | undefined): boolean {
  const annotations = metadata?.["annotations"];
  return typeof annotations === "object" && annotations !== null && "readOnlyHint" in annotations && annotations.readOnlyHint === true;
}

function parametersOf(schema: unknown): Record<string, JsonValue> {
  const text = JSON.stringify(schema, wellFormed);
  return text.length > MAX_SCHEMA_LENGTH ? { type: "object" } : JSON.parse(text);
}

/** What OpenAI's function names may consist of, and how long they may be. */
const FOREIGN = /[^A-Za-z0-9_-]/g;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * The name under which a server's tool is offered: `server__tool`. Where that had to be changed or cut to fit the alphabet and the
 * length of function names, a piece of the hash of both names keeps it apart from others.
 */
export function toolName(server: string, tool: string): string {
  const whole = `${server}__${tool}`;
  const plain = whole.replace(FOREIGN, "_");
  // A name with two underscores could be read as another server's tool.
  const ambiguous = server.includes("__");
  if (plain === whole && plain.length <= MAX_LENGTH && !ambiguous) return plain;
  const hash = createHash("sha256").update(`${server}\n${tool}`, "utf8").digest("hex").slice(0, HASH_LENGTH);
  return `${plain.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
