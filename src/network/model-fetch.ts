import { Agent, type Dispatcher, request } from "undici";
import { DossierError } from "../errors.ts";
import { decodeBody } from "./decode-body.ts";
import { explainFailure } from "./explain-failure.ts";

const MAX_BYTES = 16_000_000;
const MAX_CONNECTIONS = 64;
const CONNECT_MS = 10_000;
const IDLE_MS = 10_000;
/** Statuses of answers that have none. */
const WITHOUT_BODY = new Set([204, 205, 304]);

interface ModelRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** The way to a model's server; `close` ends what is under way. */
export interface ModelWay {
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
  const dispatcher = new Agent({
    connections: MAX_CONNECTIONS,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    connect: { timeout: CONNECT_MS },
  });
  return {
    async fetch(url, { method, headers, body, signal }) {
      const target = new URL(url);
      if (target.origin !== base.origin || !target.pathname.startsWith(base.pathname))
        throw new DossierError("out_of_scope", `${target.host}${target.pathname} is not below the address of the model's server.`);
      try {
        // Not undici's fetch, which refuses ports that browsers refuse.
        const reply = await request(target, { method, headers: { ...headers }, body: body ?? null, signal, dispatcher });
        return responseOf(reply, target.host);
      } catch (error) {
        signal.throwIfAborted();
        throw explainFailure(error, target.host);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function responseOf({ statusCode: status, headers, body }: Dispatcher.ResponseData, host: string): Response {
  // A body that is given up on ends with an error, which nobody may be left to hear.
  body.on("error", () => {});
  const said = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  const bytes = limitBytes(decodeBody(body, headers["content-encoding"]?.toString()), host);
  return new Response(WITHOUT_BODY.has(status) ? null : ReadableStream.from(bytes), { status, headers: said });
}

async function* limitBytes(bytes: AsyncIterable<Uint8Array>, host: string): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > MAX_BYTES)
      throw new DossierError("model_unavailable", `${host} sent more than ${MAX_BYTES} bytes; the answer was not read to its end.`);
    yield chunk;
  }
}
