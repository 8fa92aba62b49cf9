import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { maskValues } from "../../domain/mask-values.ts";
import { DossierError } from "../../errors.ts";
import { BoundedClient } from "./bounded-client.ts";
import { explainServer } from "./explain-server.ts";
import type { HttpServer, ServerSettings, StdioServer } from "./server-settings.ts";

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
