import { failureCodeOf } from "../../domain/failures.ts";
import type { SourceState } from "../../domain/ports/run-service.ts";
import type { ServerFailure, ToolContext, ToolListing, ToolServers } from "../../domain/ports/tools.ts";
import { type OfferedTool, SERVER_PREFIX, type ToolResult } from "../../domain/tool.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { unlessAborted } from "../../util/abort.ts";
import { isTimeUp, type LastTry, rememberLastTry } from "../source-health.ts";
import type { Connection, OpenWay } from "./connection.ts";
import { maskJson } from "./secrets.ts";
import type { ServerSettings, ServersFile } from "./servers-file.ts";

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
    return failed({ server: id, failure: failureCodeOf(error, "unreachable"), message: error.message });
  }
}

function idOf(name: string): string {
  return `${SERVER_PREFIX}${name}`;
}

function switchedOff(name: string): SourceState {
  const title = `MCP server ${name} (disabled)`;
  return { id: idOf(name), kind: "mcp", title, configured: false, needsKey: false, lastTry: null };
}

const LIST_MS = 5_000;
const PING_MS = 2_000;
/** After a failure nobody tries to connect for so long, twice as long after each further one, up to the most. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

interface McpServerOptions {
  readonly version: string;
  readonly openWay: OpenWay;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Told of every connection that failed; the error's cause holds what the process said. */
  readonly onFailed: (server: string, error: DossierError) => void;
}

type Called = Pick<OfferedTool, "server" | "tool" | "kind">;

/** One server: connected when it is first needed, and anew when it was lost. */
class McpServer {
  readonly id: string;
  readonly settings: ServerSettings;
  readonly #options: McpServerOptions;
  readonly #lastTry: LastTry;
  #connecting: Promise<Connection> | null = null;
  #connection: Connection | null = null;
  readonly #closing = new Set<Promise<void>>();
  #failures = 0;
  #notBefore = 0;
  /** Aborted when it is closed. */
  readonly #end = new AbortController();
  #message: string | null = null;
  #offered: readonly OfferedTool[] = [];

  constructor(settings: ServerSettings, options: McpServerOptions) {
    this.id = `${SERVER_PREFIX}${settings.name}`;
    this.settings = settings;
    this.#options = options;
    this.#lastTry = rememberLastTry(options.clock);
  }

  /** @throws DossierError as `call` of the port does; the reason of `signal` */
  list(signal: AbortSignal): Promise<OfferedTool[]> {
    return this.#watched(signal, async () => {
      const { offerTools } = await import("./tools-and-results.ts");
      const offer = ({ client }: Connection) => offerTools(client, this.settings, { id: this.id, timeoutMs: LIST_MS, signal });
      this.#offered = await this.#use(offer, { signal, again: true });
      return [...this.#offered];
    });
  }

  /** @throws DossierError as the port says */
  call(called: Called, args: unknown, { signal, runId, metadata }: ToolContext): Promise<ToolResult> {
    return this.#watched(signal, async () => {
      const { AnswerSchema, readResult } = await import("./tools-and-results.ts");
      const { timeoutMs, maxResultCharacters, secrets } = this.settings;
      const limits = { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal };
      const asked = { name: called.tool, arguments: args as Record<string, unknown>, _meta: metaOf(runId, metadata) };
      const params = { method: "tools/call" as const, params: asked };
      const make = ({ client }: Connection) => client.request(params, AnswerSchema, limits);
      const result = await this.#use(make, { signal, again: called.kind === "query" });
      return readResult(maskJson(result, secrets), { offered: called, args, maxCharacters: maxResultCharacters });
    });
  }

  state(): SourceState {
    const { name, graphs, way } = this.settings;
    const tools = this.#offered.map((tool) => ({ name: tool.name, kind: tool.kind }));
    return {
      id: this.id,
      kind: "mcp",
      title: `MCP server ${name} (${way === "stdio" ? "a process here" : "over HTTP"})`,
      configured: true,
      needsKey: false,
      lastTry: this.#lastTry.state(),
      server: { connected: this.#connection !== null, graphs: graphs === null ? null : [...graphs], tools, message: this.#message },
    };
  }

  /** Ends its process; nothing is connected to any more. */
  async close(): Promise<void> {
    this.#end.abort(new DossierError("unreachable", `The MCP server ${this.settings.name} has been closed.`));
    await this.#connecting?.catch(() => {});
    if (this.#connection !== null) this.#drop(this.#connection);
    await Promise.allSettled(this.#closing);
  }

  /** Remembers how it went. A tool that failed is an answer of its server. */
  async #watched<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    let answered: unknown = null;
    const result = await this.#lastTry.watch(
      () =>
        work().catch((error: unknown) => {
          if (!(error instanceof DossierError) || error.code !== "tool_failed") throw error;
          answered = error;
          return null;
        }),
      signal,
    );
    if (answered !== null) throw answered;
    return result as T;
  }

  /** What a connection is used for, on a new one where the one that was there proves to be lost and it may be done `again`. */
  async #use<T>(work: (connection: Connection) => Promise<T>, { signal, again }: { signal: AbortSignal; again: boolean }): Promise<T> {
    const old = this.#connection;
    const connection = await unlessAborted(this.#connected(), signal);
    try {
      return await work(connection);
    } catch (thrown) {
      if (isTimeUp(signal)) this.#message = `The MCP server ${this.settings.name} did not answer in time.`;
      signal.throwIfAborted();
      const { endsConnection, explainServer } = await import("./connection.ts");
      const reason = connection.broken() ?? thrown;
      const error = explainServer(this.settings, reason);
      // A session that the server no longer knows was refused before anything was done in it.
      const gone = error.code === "not_found";
      const lost = endsConnection(error, reason);
      if (gone || lost || connection.broken() !== null) this.#drop(connection);
      if (connection === old && (gone || (again && lost))) return this.#use(work, { signal, again: false });
      if (error.code === "timeout") this.#checkAlive(connection);
      this.#message = error.message;
      throw gone ? new DossierError("unreachable", error.message, { cause: error }) : error;
    } finally {
      // Who gives up on an answer may have given up on a server that is stuck.
      if (signal.aborted) this.#checkAlive(connection);
    }
  }

  /** The connection that is there, or the one that is being made; shared by all who need it. */
  #connected(): Promise<Connection> {
    if (this.#end.signal.aborted) return Promise.reject(this.#end.signal.reason);
    if (this.#connection !== null && this.#connection.broken() === null) return Promise.resolve(this.#connection);
    if (this.#connecting !== null) return this.#connecting;
    const waitMs = this.#notBefore - performance.now();
    if (waitMs > 0) return Promise.reject(this.#resting(waitMs));
    this.#connecting = this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #connect(): Promise<Connection> {
    const { connect } = await import("./connection.ts");
    const { version, openWay, onFailed } = this.#options;
    const { connectTimeoutMs } = this.settings;
    let opened: Connection | null = null;
    const onClose = (): void => void (opened !== null && this.#drop(opened));
    try {
      opened = await connect(this.settings, { version, openWay, timeoutMs: connectTimeoutMs, signal: this.#end.signal, onClose });
      this.#connection = opened;
      this.#failures = 0;
      this.#message = null;
      return opened;
    } catch (thrown) {
      const error = thrown as DossierError;
      this.#notBefore = performance.now() + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
      this.#failures += 1;
      this.#message = error.message;
      onFailed(this.id, error);
      throw error;
    }
  }

  #resting(waitMs: number): DossierError {
    const seconds = Math.ceil(waitMs / 1_000);
    return new DossierError("unreachable", `${this.#message ?? "The MCP server failed."} It is tried again in ${seconds} s.`);
  }

  #drop(connection: Connection): void {
    if (this.#connection === connection) this.#connection = null;
    const closing = connection.close().catch(() => {});
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }

  /** A server that does not even answer this is left, and ended where it is a process. */
  #checkAlive(connection: Connection): void {
    connection.client.ping({ timeout: PING_MS }).catch(() => this.#drop(connection));
  }
}

/** Names that mean something to the protocol itself: https://modelcontextprotocol.io/specification/2025-06-18/basic#meta. */
const RESERVED = /^progressToken$|^(?:[^/]*\.)?(?:modelcontextprotocol|mcp)(?:\.[^/]*)?\//i;

/** The `_meta` of a call: the run's id as `runId`, and the request's metadata under its own names. */
function metaOf(runId: string, metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...Object.fromEntries(Object.entries(metadata).filter(([name]) => !RESERVED.test(name))), runId };
}
