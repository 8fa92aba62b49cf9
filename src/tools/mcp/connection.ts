import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type ListToolsRequest,
  type ListToolsResult,
  ListToolsResultSchema,
  ErrorCode as McpCode,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { codeOfStatus } from "../../domain/failures.ts";
import { DossierError, type ErrorCode } from "../../errors.ts";
import { maskValues } from "../../util/mask-values.ts";
import { maskFailure } from "./secrets.ts";
import type { HttpServer, ServerSettings, StdioServer } from "./servers-file.ts";

/** The most bytes of one message of a server. */
const MAX_MESSAGE_BYTES = 4_000_000;
/** Of what a process says on standard error, the last. */
const MAX_SAID = 1_000;
/** How long a server is given to hear that its session has ended. */
const FAREWELL_MS = 500;

/** The way over HTTP, as the network has it. */
export type OpenWay = (
  url: string,
  options: { readonly name: string; readonly maxBytes: number; readonly onBroken: (error: DossierError) => void },
) => {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  close(): Promise<void>;
};

export interface Connection {
  readonly client: BoundedClient;
  /** What broke it, where that is known. */
  broken(): Error | null;
  /** Ends a process with everything it has open; a second call does nothing. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly version: string;
  readonly openWay: OpenWay;
  readonly timeoutMs: number;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** Called once, when the connection has ended for whatever reason. */
  readonly onClose: () => void;
}

/** A way to a server that has not been gone yet. */
interface Way {
  readonly transport: Transport;
  said(): string;
  farewell(): Promise<void>;
}

/** A connection that is ready for calls; where it fails, nothing is left open. @throws DossierError as `explainServer` makes it */
export async function connect(
  settings: ServerSettings,
  { version, openWay, timeoutMs, signal, onClose }: ConnectOptions,
): Promise<Connection> {
  let broken: Error | null = null;
  const client = new BoundedClient({ name: "dossier", version });
  const onBroken = (error: Error): void => {
    broken ??= error;
    void client.close();
  };
  const way = settings.way === "stdio" ? processWay(settings) : httpWay(settings, openWay, onBroken);
  client.onclose = onClose;
  client.onerror = (error) => {
    // The transport ends its process by itself then.
    if (/exceeded maximum size/.test(error.message)) broken ??= error;
  };
  const closing = { promise: null as Promise<void> | null };
  const close = async (): Promise<void> => {
    await way.farewell();
    await client.close();
  };
  const closeOnce = (): Promise<void> => {
    closing.promise ??= close();
    return closing.promise;
  };
  try {
    await client.connect(way.transport, { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal });
  } catch (error) {
    await closeOnce();
    const explained = explainServer(settings, broken ?? error, way.said());
    // No session was lost here: there is no such place.
    throw explained.code === "not_found" ? new DossierError("unreachable", explained.message, { cause: explained }) : explained;
  }
  return { client, broken: () => broken, close: closeOnce };
}

/** A process with a small environment of its own: none of the service's keys. */
function processWay({ command, args, env, cwd, secrets }: StdioServer): Way {
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...env },
    stderr: "pipe",
    maxBufferSize: MAX_MESSAGE_BYTES,
    ...(cwd !== null && { cwd }),
  });
  // A secret may come in two pieces, and none is cut before it was masked.
  const kept = MAX_SAID + Math.max(0, ...secrets.map(({ length }) => length));
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    said = maskValues(said + chunk.toString("utf8"), secrets).slice(-kept);
  });
  return { transport, said: () => said.trim().slice(-MAX_SAID), farewell: async () => {} };
}

function httpWay({ name, url, headers }: HttpServer, openWay: OpenWay, onBroken: (error: DossierError) => void): Way {
  const way = openWay(url, { name: `The MCP server ${name}`, maxBytes: MAX_MESSAGE_BYTES, onBroken });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    reconnectionOptions: { initialReconnectionDelay: 1_000, maxReconnectionDelay: 1_000, reconnectionDelayGrowFactor: 1, maxRetries: 0 },
    // Answers come with the requests: no stream is held open for what the server might say by itself.
    fetch: async (target, init) => (init?.method === "GET" ? new Response(null, { status: 405 }) : way.fetch(target, init)),
  });
  return {
    // The SDK's own type has optional properties that exactOptionalPropertyTypes tells apart.
    transport: transport as Transport,
    said: () => "",
    async farewell() {
      const limit = AbortSignal.timeout(FAREWELL_MS);
      const late = new Promise<void>((resolve) => limit.addEventListener("abort", () => resolve(), { once: true }));
      await Promise.race([transport.terminateSession().catch(() => {}), late]);
      await way.close();
    },
  };
}

/** The most nodes of a schema with its references in their places. */
const MAX_NODES = 3_000;
const MAX_DEPTH = 24;
const MAX_LENGTH = 16_000;
const REFERENCE = /^#\/(?:\$defs|definitions)\/(.+)$/;

/** Whether a JSON Schema stays small when its references are put in their places: a few that name each other twice can fill the memory. */
function isBoundedSchema(schema: unknown): boolean {
  if (JSON.stringify(schema).length > MAX_LENGTH) return false;
  const definitions = new Map(["$defs", "definitions"].flatMap((key) => Object.entries(recordOf(recordOf(schema)[key]))));
  return count(schema, definitions, { left: MAX_NODES }, 0);
}

function count(value: unknown, definitions: ReadonlyMap<string, unknown>, budget: { left: number }, depth: number): boolean {
  budget.left -= 1;
  if (budget.left < 0 || depth > MAX_DEPTH) return false;
  if (typeof value !== "object" || value === null) return true;
  const reference = recordOf(value)["$ref"];
  const name = typeof reference === "string" ? REFERENCE.exec(reference)?.[1] : undefined;
  const named = name === undefined ? [] : [definitions.get(name)];
  return [...Object.values(value), ...named].every((part) => count(part, definitions, budget, depth + 1));
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The most tools of one server that are offered, and the most pages that are asked for them. */
export const MAX_TOOLS = 64;
const MAX_PAGES = 8;

/** A client whose lists have an end, whatever the server says. */
export class BoundedClient extends Client {
  #listed = 0;
  #pages = 0;
  #options: RequestOptions | undefined;

  /** Before a list is asked for from its beginning. */
  begin(options: RequestOptions): void {
    this.#listed = 0;
    this.#pages = 0;
    this.#options = options;
  }

  /** As many tools as there is room for; one whose schema would grow beyond all bounds is offered without it. */
  override async listTools(params?: ListToolsRequest["params"], options?: RequestOptions): Promise<ListToolsResult> {
    // Not the client's own way, which compiles the schemas of results: what is wrong in one of them would hide all tools.
    const page = await this.request({ method: "tools/list", ...(params && { params }) }, ListToolsResultSchema, options ?? this.#options);
    const callable = page.tools.filter(({ execution }) => execution?.taskSupport !== "required");
    const tools = callable.slice(0, MAX_TOOLS - this.#listed).map((tool): ListToolsResult["tools"][number] => {
      const { outputSchema: _, ...rest } = tool;
      return isBoundedSchema(tool.inputSchema) ? rest : { ...rest, inputSchema: { type: "object" } };
    });
    this.#listed += tools.length;
    this.#pages += 1;
    const { nextCursor, ...last } = page;
    const ended = nextCursor === undefined || this.#listed >= MAX_TOOLS || this.#pages >= MAX_PAGES;
    return { ...last, tools, ...(!ended && { nextCursor }) };
  }
}

const MAX_MESSAGE_LENGTH = 500;

/** What errors of the protocol mean here; any other one is the tool's. */
const CODE_OF: Readonly<Record<number, ErrorCode>> = {
  [McpCode.ConnectionClosed]: "unreachable",
  [McpCode.RequestTimeout]: "timeout",
  [McpCode.InvalidParams]: "invalid_arguments",
};

/**
 * What went wrong with a server, as an error of ours, without its secrets; one of ours stays what it is.
 * @param said what the server's process said of it, for the log alone: it may hold what readers must not see
 */
export function explainServer({ name, secrets }: Pick<ServerSettings, "name" | "secrets">, error: unknown, said = ""): DossierError {
  if (error instanceof DossierError) return maskFailure(error, secrets);
  const { code, message } = explained(error);
  // Before anything is cut, which could leave a piece of a secret.
  const words = maskValues(message, secrets).replaceAll(/\s+/g, " ").trim().slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
  const shown = /[.!?。！？]$/.test(words) ? words : `${words}.`;
  const cause = said === "" ? error : new Error(said, { cause: error });
  return maskFailure(new DossierError(code, `The MCP server ${name} ${shown}`, { cause }), secrets);
}

/** Whether what was thrown means that the connection is gone; a status is an answer, and others may be under way. */
export function endsConnection({ code }: DossierError, thrown: unknown): boolean {
  return code === "unreachable" && !(thrown instanceof StreamableHTTPError);
}

function explained(error: unknown): { readonly code: ErrorCode; readonly message: string } {
  if (error instanceof McpError) return { code: CODE_OF[error.code] ?? "tool_failed", message: wordsOf(error) };
  if (error instanceof StreamableHTTPError) return ofStatus(error);
  if (error instanceof SyntaxError || (error instanceof Error && "issues" in error))
    return { code: "unreadable", message: "sent something that is not of the protocol." };
  const text = error instanceof Error ? error.message : String(error);
  if (/exceeded maximum size/.test(text)) return { code: "document_too_large", message: "sent more than one message may hold." };
  return { code: "unreachable", message: `could not be reached: ${codeIn(error) ?? text}` };
}

function wordsOf({ code, message }: McpError): string {
  if (code === McpCode.ConnectionClosed) return "ended the connection.";
  if (code === McpCode.RequestTimeout) return "did not answer in time.";
  return `answered with an error: ${message}`;
}

function ofStatus({ code = 0, message }: StreamableHTTPError): { readonly code: ErrorCode; readonly message: string } {
  // Some servers answer 400 where the protocol wants 404 for a session that is over.
  if (code === 400 && /session/i.test(message)) return { code: "not_found", message: "has ended the session." };
  if (code >= 300) return { code: codeOfStatus(code, "blocked"), message: `answered with the status ${code}.` };
  return { code: "unreadable", message: `sent something that is not of the protocol: ${message}` };
}

/** What the system calls it, such as ENOENT for a command that is not there. */
function codeIn(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}
