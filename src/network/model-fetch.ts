import { Agent, fetch as send } from "undici";
import { DossierError } from "../errors.ts";
import { explainFailure } from "./explain-failure.ts";

const MAX_BYTES = 16_000_000;
const MAX_CONNECTIONS = 64;
const CONNECT_MS = 10_000;
const IDLE_MS = 10_000;

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
        const reply = await send(target, { method, headers: { ...headers }, body: body ?? null, signal, redirect: "manual", dispatcher });
        const bytes = reply.body?.pipeThrough(limitBytes(target.host)) ?? null;
        return new Response(bytes as ReadableStream | null, { status: reply.status, headers: [...reply.headers] });
      } catch (error) {
        signal.throwIfAborted();
        throw explainFailure(error, target.host);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function limitBytes(host: string): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(bytes, controller) {
      size += bytes.byteLength;
      if (size <= MAX_BYTES) return controller.enqueue(bytes);
      controller.error(
        new DossierError("model_unavailable", `${host} sent more than ${MAX_BYTES} bytes; the answer was not read to its end.`),
      );
    },
  });
}
