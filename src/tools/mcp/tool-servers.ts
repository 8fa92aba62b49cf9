import { failureCodeOf } from "../../domain/failures.ts";
import type { SourceState } from "../../domain/ports/run-service.ts";
import type { ToolContext, ToolListing, ToolServers } from "../../domain/ports/tools.ts";
import { type OfferedTool, SERVER_PREFIX, type ToolResult } from "../../domain/tool.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { unlessAborted } from "../../util/abort.ts";
import { maskJson } from "../../util/mask-values.ts";
import { isTimeUp, type SourceHealth, trackHealth } from "../source-health.ts";
import type { Connection, ConnectOptions } from "./connection.ts";
import type { ServerSettings, ServersFile } from "./servers-file.ts";

const LIST_MS = 5_000;
const PING_MS = 2_000;
/** The delay before a new attempt to connect. It doubles with each failure. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

export interface ToolServersOptions extends Pick<ConnectOptions, "version" | "openHttp"> {
  readonly clock: () => number;
  /** Called when a connection fails. The error's cause contains the output of the server's process. */
  readonly onFailed: (server: string, error: DossierError) => void;
}

export interface OpenToolServers extends ToolServers {
  /** The enabled servers. `graphs` names the graphs that may use a server; null means all. */
  readonly known: readonly { readonly id: string; readonly graphs: readonly string[] | null }[];
  readonly off: readonly string[];
  states(): SourceState[];
  close(): Promise<void>;
}

export function createToolServers(
  { servers, disabled }: Pick<ServersFile, "servers" | "disabled">,
  options: ToolServersOptions,
): OpenToolServers {
  const byId = new Map(servers.map((settings) => [idOf(settings.name), new McpServer(settings, options)]));
  return {
    known: [...byId].map(([id, { settings }]) => ({ id, graphs: settings.graphs })),
    off: disabled.map(idOf),
    async list(ids, signal) {
      const listed = await Promise.all(ids.map((id) => listOne(id, byId.get(id), signal)));
      signal.throwIfAborted();
      return { tools: listed.flatMap(({ tools }) => tools), failures: listed.flatMap(({ failures }) => failures) };
    },
    async call(called, args, context) {
      const server = byId.get(called.server);
      if (!context.scope.includes(called.server))
        throw new DossierError("out_of_scope", `${called.server} was not called: it is outside the scope of the run.`);
      if (server === undefined) throw removed(called.server);
      return server.call(called, args, context);
    },
    states: () => [...[...byId.values()].map((server) => server.state()), ...disabled.map(stateOfDisabled)],
    async close() {
      await Promise.all([...byId.values()].map((server) => server.close()));
    },
  };
}

async function listOne(id: string, server: McpServer | undefined, signal: AbortSignal): Promise<ToolListing> {
  try {
    if (server === undefined) throw removed(id);
    return { tools: await server.list(signal), failures: [] };
  } catch (thrown) {
    const error = toDossierError(thrown);
    return { tools: [], failures: [{ server: id, failure: failureCodeOf(error, "unreachable"), message: error.message }] };
  }
}

function removed(id: string): DossierError {
  return new DossierError("unreachable", `The MCP server ${id} is no longer in MCP_SERVERS. Add it there again, or start a new run.`);
}

function interrupted(cause: DossierError): DossierError {
  const unknown = "The server has a new session. Whether the call took effect is unknown, so it was not repeated.";
  return new DossierError("interrupted", `${cause.message} ${unknown}`, { cause });
}

function idOf(name: string): string {
  return `${SERVER_PREFIX}${name}`;
}

function stateOfDisabled(name: string): SourceState {
  const title = `MCP server ${name} (disabled)`;
  return { id: idOf(name), kind: "mcp", title, configured: false, needsKey: false, lastTry: null };
}

type CalledTool = Pick<OfferedTool, "server" | "tool" | "kind">;

class McpServer {
  readonly settings: ServerSettings;
  readonly #id: string;
  readonly #options: ToolServersOptions;
  readonly #health: SourceHealth;
  #connecting: Promise<Connection> | null = null;
  #connection: Connection | null = null;
  readonly #closing = new Set<Promise<void>>();
  #failures = 0;
  #notBefore = 0;
  readonly #end = new AbortController();
  #message: string | null = null;
  #offered: readonly OfferedTool[] = [];

  constructor(settings: ServerSettings, options: ToolServersOptions) {
    this.settings = settings;
    this.#id = idOf(settings.name);
    this.#options = options;
    // A failed tool still shows that the server answers.
    this.#health = trackHealth(options.clock, ["tool_failed"]);
  }

  list(signal: AbortSignal): Promise<OfferedTool[]> {
    return this.#health.track(async () => {
      const { offerTools } = await import("./offered-tools.ts");
      const offer = ({ client }: Connection) => offerTools(client, this.settings, { id: this.#id, timeoutMs: LIST_MS, signal });
      this.#offered = await this.#use(offer, { signal, repeatable: true });
      return [...this.#offered];
    }, signal);
  }

  call(called: CalledTool, args: unknown, { signal, ...origin }: ToolContext): Promise<ToolResult> {
    return this.#health.track(async () => {
      const { AnswerSchema, readResult } = await import("./read-result.ts");
      const { timeoutMs, maxResultCharacters, secrets } = this.settings;
      const limits = { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal };
      const params = { name: called.tool, arguments: args as Record<string, unknown>, _meta: metaOf(origin) };
      const request = ({ client }: Connection) => client.request({ method: "tools/call", params }, AnswerSchema, limits);
      const result = await this.#use(request, { signal, repeatable: called.kind === "query" });
      return readResult(maskJson(result, secrets), { offered: called, args, maxCharacters: maxResultCharacters });
    }, signal);
  }

  state(): SourceState {
    const { name, graphs, transport } = this.settings;
    const tools = this.#offered.map((tool) => ({ name: tool.name, kind: tool.kind }));
    return {
      id: this.#id,
      kind: "mcp",
      title: `MCP server ${name} (${transport === "stdio" ? "a process here" : "over HTTP"})`,
      configured: true,
      needsKey: false,
      lastTry: this.#health.latest(),
      server: { connected: this.#connection !== null, graphs: graphs === null ? null : [...graphs], tools, message: this.#message },
    };
  }

  async close(): Promise<void> {
    this.#end.abort(new DossierError("unreachable", `The connection to the MCP server ${this.settings.name} has been closed.`));
    await this.#connecting?.catch(() => {});
    if (this.#connection !== null) this.#drop(this.#connection);
    await Promise.allSettled(this.#closing);
  }

  /**
   * Repeats `work` once if the connection is lost or the server has forgotten the session. Work that is not `repeatable` is repeated only if the
   * server is known not to have done it. @throws DossierError `interrupted` if that is not known
   */
  async #use<T>(
    work: (connection: Connection) => Promise<T>,
    { signal, repeatable }: { signal: AbortSignal; repeatable: boolean },
    old = this.#connection,
  ): Promise<T> {
    const connection = await unlessAborted(this.#connected(), signal);
    try {
      return await work(connection);
    } catch (thrown) {
      if (isTimeUp(signal)) this.#message = `The MCP server ${this.settings.name} did not answer in time.`;
      signal.throwIfAborted();
      const { endsConnection, explainError, isUnprocessed } = await import("./connection.ts");
      const reason = connection.broken() ?? thrown;
      const error = explainError(this.settings, reason);
      const lost = endsConnection(error, reason);
      if (lost || connection.broken() !== null) this.#drop(connection);
      const isReady = connection === old && (lost ? repeatable : await this.#renew(connection, thrown, signal));
      signal.throwIfAborted();
      if (isReady && !repeatable && !isUnprocessed(thrown)) throw interrupted(error);
      if (isReady) return this.#use(work, { signal, repeatable: false }, null);
      if (error.code === "timeout") this.#checkAlive(connection);
      this.#message = error.message;
      throw error;
    } finally {
      // The caller may have given up because the server hangs.
      if (signal.aborted) this.#checkAlive(connection);
    }
  }

  /** Replaces a connection whose session the server has forgotten. The old one stays unless the server gives a new session. */
  async #renew(connection: Connection, thrown: unknown, signal: AbortSignal): Promise<boolean> {
    if (!(await connection.hasLostSession(thrown, signal))) return false;
    if (this.#connection === connection) await unlessAborted(this.#connectAnew(), signal).catch(() => null);
    if (this.#connection === null || this.#connection === connection) return false;
    this.#drop(connection);
    return true;
  }

  #connected(): Promise<Connection> {
    if (this.#end.signal.aborted) return Promise.reject(this.#end.signal.reason);
    if (this.#connection !== null && this.#connection.broken() === null) return Promise.resolve(this.#connection);
    return this.#connectAnew();
  }

  #connectAnew(): Promise<Connection> {
    if (this.#connecting !== null) return this.#connecting;
    const waitMs = this.#notBefore - this.#options.clock();
    if (waitMs > 0) return Promise.reject(this.#pausing(waitMs));
    this.#connecting = this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #connect(): Promise<Connection> {
    const { connect } = await import("./connection.ts");
    const { version, openHttp } = this.#options;
    let opened: Connection | null = null;
    const onClose = (): void => void (opened !== null && this.#drop(opened));
    const timeoutMs = this.settings.connectTimeoutMs;
    const options = { version, openHttp, timeoutMs, signal: this.#end.signal, onClose };
    try {
      opened = await connect(this.settings, options);
      this.#connection = opened;
      this.#failures = 0;
      this.#message = null;
      return opened;
    } catch (thrown) {
      const error = thrown as DossierError;
      this.#failed(error, Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures));
      this.#failures += 1;
      throw error;
    }
  }

  #failed(error: DossierError, pauseMs: number): void {
    this.#notBefore = this.#options.clock() + pauseMs;
    this.#message = error.message;
    this.#options.onFailed(this.#id, error);
  }

  #pausing(waitMs: number): DossierError {
    const seconds = Math.ceil(waitMs / 1_000);
    return new DossierError("unreachable", `${this.#message ?? "The MCP server failed."} The next attempt is in ${seconds} s.`);
  }

  #drop(connection: Connection): void {
    if (this.#connection === connection) this.#connection = null;
    const closing = connection.close().catch(() => {});
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }

  #checkAlive(connection: Connection): void {
    connection.client.ping({ timeout: PING_MS }).catch(() => this.#drop(connection));
  }
}

/** MCP reserves these names: https://modelcontextprotocol.io/specification/2025-06-18/basic#meta. */
const RESERVED = /^progressToken$|^(?:[^/]*\.)?(?:modelcontextprotocol|mcp)(?:\.[^/]*)?\//i;

function metaOf({ runId, metadata, idempotencyKey }: Omit<ToolContext, "signal">): Record<string, unknown> {
  const own = Object.entries(metadata).filter(([name]) => !RESERVED.test(name));
  return { ...Object.fromEntries(own), runId, ...(idempotencyKey !== undefined && { idempotencyKey }) };
}
