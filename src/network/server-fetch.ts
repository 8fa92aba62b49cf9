import { Agent, type Dispatcher, request } from "undici";
import { DossierError } from "../errors.ts";
import { decodeBody } from "./decode-body.ts";
import { explainFailure } from "./explain-failure.ts";

const MAX_CONNECTIONS = 16;
const CONNECT_MS = 10_000;
const IDLE_MS = 10_000;
/** Statuses of answers that have none. */
const WITHOUT_BODY = new Set([204, 205, 304]);

export interface ServerFetchOptions {
  /** What errors call the server: its address may hold what readers must not see. */
  readonly name: string;
  /** The most bytes of one answer, decompressed. */
  readonly maxBytes: number;
  /** Told when an answer broke off, or was too large, while it was read. */
  readonly onBroken: (error: DossierError) => void;
}

/** The way to a server that speaks over HTTP; `close` ends what is under way. */
export interface ServerWay {
  /** As `fetch`, for requests with a body of text. Goes to the server's origin alone, and follows no redirect. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Connects to what the operator configured, in whatever network it is. */
export function createServerFetch(baseUrl: string, options: ServerFetchOptions): ServerWay {
  const { origin } = new URL(baseUrl);
  const dispatcher = new Agent({
    connections: MAX_CONNECTIONS,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    connect: { timeout: CONNECT_MS },
  });
  return {
    async fetch(url, { method = "GET", headers, body, signal } = {}) {
      const target = new URL(url);
      if (target.origin !== origin)
        throw new DossierError("out_of_scope", `${options.name} asks for a place that is not its own; it was not asked there.`);
      const asked = {
        method: method as Dispatcher.HttpMethod,
        headers: Object.fromEntries(new Headers(headers)),
        body: typeof body === "string" ? body : null,
      };
      try {
        // Not undici's fetch, which refuses ports that browsers refuse.
        const reply = await request(target, { ...asked, signal: signal ?? null, dispatcher });
        return responseOf(reply, options);
      } catch (error) {
        signal?.throwIfAborted();
        throw explainFailure(error, options.name);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function responseOf({ statusCode: status, headers, body }: Dispatcher.ResponseData, options: ServerFetchOptions): Response {
  // A body that is given up on ends with an error, which nobody may be left to hear.
  body.on("error", () => {});
  const said = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  const bytes = limited(decodeBody(body, headers["content-encoding"]?.toString()), options);
  return new Response(WITHOUT_BODY.has(status) ? null : ReadableStream.from(bytes), { status, headers: said });
}

async function* limited(bytes: AsyncIterable<Uint8Array>, { name, maxBytes, onBroken }: ServerFetchOptions): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new DossierError("document_too_large", `${name} sent more than ${maxBytes} bytes; they were not read.`);
      yield chunk;
    }
  } catch (error) {
    const explained = explainFailure(error, name);
    onBroken(explained);
    throw explained;
  }
}
