import { Agent, type Dispatcher, request } from "undici";
import { DossierError } from "../errors.ts";
import { decodeBody, explainFailure } from "./read-response.ts";

const CONNECT_MS = 10_000;
const IDLE_MS = 10_000;
/** Statuses of answers that have none. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** What is asked of a server. */
interface ServerRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface AnswerLimit {
  /** What errors call the server: its address may hold what readers must not see. */
  readonly name: string;
  /** The most bytes of one answer, decompressed. */
  readonly maxBytes: number;
  /** What an answer is that has more of them. */
  readonly tooLarge: () => DossierError;
  /** Told when an answer broke off, or was too large, while it was read. */
  readonly onBroken?: (error: DossierError) => void;
}

/** A pool of connections to one server, without limits of time of its own; `destroy` ends what is under way. */
function openPool(connections: number): Agent {
  return new Agent({ connections, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: IDLE_MS, connect: { timeout: CONNECT_MS } });
}

/**
 * Asks what the operator configured, in whatever network it is; no redirect is followed, and an abort of the signal closes the
 * connection at once.
 * @throws DossierError `unreachable`, `timeout`; the reason of the signal; while the body is read also what `tooLarge` makes
 */
async function askServer(dispatcher: Agent, url: URL, asked: ServerRequest, limit: AnswerLimit): Promise<Response> {
  const { method, headers, body, signal } = asked;
  try {
    const said = { method: method as Dispatcher.HttpMethod, headers: { ...headers }, body: body ?? null, signal: signal ?? null };
    // Not undici's fetch, which refuses ports that browsers refuse.
    return responseOf(await request(url, { ...said, dispatcher }), limit);
  } catch (error) {
    signal?.throwIfAborted();
    throw explainFailure(error, limit.name);
  }
}

function responseOf({ statusCode: status, headers, body }: Dispatcher.ResponseData, limit: AnswerLimit): Response {
  // A body that is given up on ends with an error, which nobody may be left to hear.
  body.on("error", () => {});
  const said = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  const bytes = limited(decodeBody(body, headers["content-encoding"]?.toString()), limit);
  return new Response(WITHOUT_BODY.has(status) ? null : ReadableStream.from(bytes), { status, headers: said });
}

async function* limited(bytes: AsyncIterable<Uint8Array>, { name, maxBytes, tooLarge, onBroken }: AnswerLimit): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    onBroken?.(explainFailure(error, name));
    throw error;
  }
}

const MAX_ANSWER_BYTES = 16_000_000;
const MAX_CONNECTIONS = 64;

interface ModelRequest extends ServerRequest {
  readonly method: "GET" | "POST";
  readonly signal: AbortSignal;
}

/** The way to a model's server; `close` ends what is under way. */
interface ModelWay {
  /**
   * Goes nowhere but below the base URL, follows no redirect, has no limit of time of its own, and ends an answer of more than
   * 16 MB with an error. An abort of the signal closes the connection at once.
   * @throws DossierError `out_of_scope`, `unreachable`, `timeout`; the reason of the signal
   */
  readonly fetch: (url: string, request: ModelRequest) => Promise<Response>;
  close(): Promise<void>;
}

/** Connects to what the operator configured, in whatever network it is. */
export function createModelFetch(baseUrl: string): ModelWay {
  const base = new URL(`${baseUrl.replace(/\/+$/, "")}/`);
  const dispatcher = openPool(MAX_CONNECTIONS);
  const tooLarge = (): DossierError =>
    new DossierError("model_unavailable", `${base.host} sent more than ${MAX_ANSWER_BYTES} bytes; the answer was not read to its end.`);
  const limit: AnswerLimit = { name: base.host, maxBytes: MAX_ANSWER_BYTES, tooLarge };
  return {
    async fetch(url, asked) {
      const target = new URL(url);
      if (target.origin !== base.origin || !target.pathname.startsWith(base.pathname))
        throw new DossierError("out_of_scope", `${target.host}${target.pathname} is not below the address of the model's server.`);
      return askServer(dispatcher, target, asked, limit);
    },
    close: () => dispatcher.destroy(),
  };
}

const MAX_SERVER_CONNECTIONS = 16;

type ServerFetchOptions = Required<Omit<AnswerLimit, "tooLarge">>;

/** The way to a server that speaks over HTTP; `close` ends what is under way. */
interface ServerWay {
  /** As `fetch`, for requests with a body of text. Goes to the server's origin alone, and follows no redirect. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Connects to what the operator configured, in whatever network it is. */
export function createServerFetch(baseUrl: string, options: ServerFetchOptions): ServerWay {
  const { name, maxBytes } = options;
  const { origin } = new URL(baseUrl);
  const dispatcher = openPool(MAX_SERVER_CONNECTIONS);
  const tooLarge = (): DossierError =>
    new DossierError("document_too_large", `${name} sent more than ${maxBytes} bytes; they were not read.`);
  return {
    async fetch(url, { method = "GET", headers, body, signal } = {}) {
      const target = new URL(url);
      if (target.origin !== origin)
        throw new DossierError("out_of_scope", `${name} asks for a place that is not its own; it was not asked there.`);
      const said = { method, headers: Object.fromEntries(new Headers(headers)), signal: signal ?? undefined };
      return askServer(dispatcher, target, { ...said, body: typeof body === "string" ? body : undefined }, { ...options, tooLarge });
    },
    close: () => dispatcher.destroy(),
  };
}
