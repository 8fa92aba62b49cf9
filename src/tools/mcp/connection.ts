import { setTimeout } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, ListToolsResultSchema, ErrorCode as McpCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { codeOfStatus } from "../../domain/failures.ts";
import { DossierError, type ErrorCode } from "../../errors.ts";
import { maskValues } from "../../util/mask-values.ts";
import { maskFailure } from "./secrets.ts";
import { ServerProcess } from "./server-process.ts";
import type { HttpServer, ServerSettings, StdioServer } from "./servers-file.ts";

const MAX_MESSAGE_BYTES = 4_000_000;
const MAX_STDERR = 1_000;
const TERMINATE_MS = 500;
const PROBE_MS = 2_000;

export type OpenHttp = (
  url: string,
  options: { readonly name: string; readonly maxBytes: number; readonly onBroken: (error: DossierError) => void },
) => {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  close(): Promise<void>;
};

export interface Connection {
  readonly client: Client;
  broken(): Error | null;
  /** Whether the server that refused a request with `thrown` has forgotten the session. Its own words and codes do not count. */
  hasLostSession(thrown: unknown, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly version: string;
  readonly openHttp: OpenHttp;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onClose: () => void;
}

type OnBroken = (error: DossierError) => void;

interface Channel {
  readonly transport: Transport;
  hasSession(): boolean;
  stderr(): string;
  terminate(): Promise<void>;
}

export async function connect(settings: ServerSettings, options: ConnectOptions): Promise<Connection> {
  const { version, openHttp, timeoutMs, signal, onClose } = options;
  let broken: DossierError | null = null;
  const client = new Client({ name: "dossier", version });
  const onBroken = (error: DossierError): void => {
    broken ??= error;
    void client.close();
  };
  const channel = settings.transport === "stdio" ? openProcess(settings, onBroken) : openSession(settings, openHttp, onBroken);
  client.onclose = onClose;
  const { onmessage } = channel.transport;
  channel.transport.onmessage = (message, extra) => {
    onmessage?.(message, extra);
    keepOwnCodes(message);
  };
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= channel.terminate().then(() => client.close());
    return closing;
  };
  try {
    await client.connect(channel.transport, { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal });
  } catch (thrown) {
    await close();
    throw explainError(settings, broken ?? thrown, channel.stderr());
  }
  return {
    ...{ client, broken: () => broken, close },
    hasLostSession: async (thrown, signal) => channel.hasSession() && isRefusal(thrown) && isForgotten(client, thrown, signal),
  };
}

/** The SDK uses two codes for failures on this side. Servers use them too, for a lost session for instance. */
function keepOwnCodes(message: JSONRPCMessage): void {
  if (!("error" in message)) return;
  const isOwn = message.error.code === McpCode.ConnectionClosed || message.error.code === McpCode.RequestTimeout;
  if (isOwn) message.error.code = McpCode.InternalError;
}

function isRefusal(thrown: unknown): boolean {
  if (thrown instanceof StreamableHTTPError) return (thrown.code ?? 0) >= 300;
  return thrown instanceof McpError && thrown.code !== McpCode.ConnectionClosed && thrown.code !== McpCode.RequestTimeout;
}

/** Whether the server did not process a request: HTTP's statuses up to 499 say that of it; one from 500 on and an error of JSON-RPC do not. */
export function isUnprocessed(thrown: unknown): boolean {
  return thrown instanceof StreamableHTTPError && (thrown.code ?? 0) >= 300 && (thrown.code ?? 0) < 500;
}

/** The status 404 says so by the protocol. Otherwise the server also refuses to list its tools, which it does in every session that it knows. */
async function isForgotten(client: Client, thrown: unknown, signal: AbortSignal): Promise<boolean> {
  if (thrown instanceof StreamableHTTPError && thrown.code === 404) return true;
  const limits = { timeout: PROBE_MS, maxTotalTimeout: PROBE_MS, signal };
  return client.request({ method: "tools/list" }, ListToolsResultSchema, limits).then(() => false, isRefusal);
}

/** Starts the server's process with only `env`, so that it does not see Dossier's keys. */
function openProcess(settings: StdioServer, onBroken: OnBroken): Channel {
  const { secrets } = settings;
  // A chunk can end inside a secret. The kept text is long enough to mask the secret with the next chunk.
  const kept = MAX_STDERR + Math.max(0, ...secrets.map(({ length }) => length));
  let stderr = "";
  const onStderr = (chunk: Buffer): void => {
    stderr = maskValues(stderr + chunk.toString("utf8"), secrets).slice(-kept);
  };
  const transport = new ServerProcess(settings, { maxMessageBytes: MAX_MESSAGE_BYTES, onStderr, onBroken });
  return { transport, hasSession: () => false, stderr: () => stderr.trim().slice(-MAX_STDERR), terminate: async () => {} };
}

function openSession({ name, url, headers }: HttpServer, openHttp: OpenHttp, onBroken: OnBroken): Channel {
  const http = openHttp(url, { name: `The MCP server ${name}`, maxBytes: MAX_MESSAGE_BYTES, onBroken });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    reconnectionOptions: { initialReconnectionDelay: 1_000, maxReconnectionDelay: 1_000, reconnectionDelayGrowFactor: 1, maxRetries: 0 },
    // The SDK sends a GET to open a stream of server messages. Dossier does not use them; 405 refuses the stream.
    fetch: async (target, init) => (init?.method === "GET" ? new Response(null, { status: 405 }) : http.fetch(target, init)),
  });
  return {
    // The SDK's class does not satisfy the SDK's interface under exactOptionalPropertyTypes.
    transport: transport as Transport,
    hasSession: () => transport.sessionId !== undefined,
    stderr: () => "",
    async terminate() {
      await Promise.race([transport.terminateSession().catch(() => {}), setTimeout(TERMINATE_MS, undefined, { ref: false })]);
      await http.close();
    },
  };
}

const MAX_ERROR_LENGTH = 500;

const CODE_OF: Readonly<Record<number, ErrorCode>> = {
  [McpCode.ConnectionClosed]: "unreachable",
  [McpCode.RequestTimeout]: "timeout",
  [McpCode.InvalidParams]: "invalid_arguments",
};

/** Returns a DossierError with masked secrets. `stderr` becomes its cause, for the log only. */
export function explainError({ name, secrets }: Pick<ServerSettings, "name" | "secrets">, error: unknown, stderr = ""): DossierError {
  if (error instanceof DossierError) return maskFailure(error, secrets);
  const { code, message } = explanationOf(error);
  // Masking comes before cutting, because a secret that is cut is not recognized.
  const words = maskValues(message, secrets).replaceAll(/\s+/g, " ").trim().slice(0, MAX_ERROR_LENGTH).toWellFormed();
  const sentence = /[.!?。！？]$/.test(words) ? words : `${words}.`;
  const cause = stderr === "" ? error : new Error(stderr, { cause: error });
  return maskFailure(new DossierError(code, `The MCP server ${name} ${sentence}`, { cause }), secrets);
}

/** Returns whether the connection is lost. An HTTP error status fails one request and leaves the connection open. */
export function endsConnection({ code }: DossierError, thrown: unknown): boolean {
  return code === "unreachable" && !(thrown instanceof StreamableHTTPError);
}

/** The message continues the sentence "The MCP server NAME ...". */
type Explanation = Pick<DossierError, "code" | "message">;

function explanationOf(error: unknown): Explanation {
  if (error instanceof McpError) return { code: CODE_OF[error.code] ?? "tool_failed", message: protocolMessage(error) };
  if (error instanceof StreamableHTTPError) return statusExplanation(error);
  if (error instanceof SyntaxError || (error instanceof Error && "issues" in error))
    return { code: "unreadable", message: "sent a message that does not follow the protocol." };
  const text = error instanceof Error ? error.message : String(error);
  const systemCode = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
  return { code: "unreachable", message: `could not be reached: ${systemCode ?? text}` };
}

function protocolMessage({ code, message }: McpError): string {
  if (code === McpCode.ConnectionClosed) return "ended the connection.";
  if (code === McpCode.RequestTimeout) return "did not answer in time.";
  return `answered with an error: ${message}`;
}

function statusExplanation({ code = 0, message }: StreamableHTTPError): Explanation {
  if (code >= 300) {
    const failure = codeOfStatus(code, "blocked");
    // Here `not_found` would mean a tool or document that does not exist.
    return { code: failure === "not_found" ? "unreachable" : failure, message: `answered with the status ${code}.` };
  }
  return { code: "unreadable", message: `sent a message that does not follow the protocol: ${message}` };
}
