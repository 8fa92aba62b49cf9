import type { Readable } from "node:stream";
import { type Dispatcher, request } from "undici";
import { DEFAULT_CONNECTIONS } from "../domain/ports/models.ts";
import { DossierError } from "../errors.ts";
import { traceHeaders } from "../util/trace-context.ts";
import type { AllowedHosts } from "./check-link.ts";
import { createGuardedConnector, createLocator, createNameResolver, type Resolve, resolveBySystem } from "./guarded-connector.ts";
import { openAgent, type Proxies } from "./proxies.ts";
import { decodeBody, explainFailure } from "./read-response.ts";

const CONNECT_MS = 10_000;
const IDLE_MS = 10_000;
const WITHOUT_BODY = new Set([204, 205, 304]);

interface ServerRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Readable | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface AnswerLimit {
  /** Errors show this name, because the server's URL may contain secrets. */
  readonly name: string;
  readonly maxBytes: number;
  readonly tooLarge: () => DossierError;
  readonly onBroken?: (error: DossierError) => void;
}

/** For a server that the operator has not configured: it is reached only at public addresses, and those that the operator allows. */
export interface Guard {
  readonly allowed: AllowedHosts;
  readonly resolve?: Resolve | undefined;
}

const RETRY_NAME_MS = 2_000;

function openPool(connections: number, proxies: Proxies | null, guard: Guard | undefined) {
  const options = { connections, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: IDLE_MS, connectTimeout: CONNECT_MS };
  if (guard === undefined) return openAgent({ ...options, connect: { timeout: CONNECT_MS } }, proxies);
  const { allowed, resolve = createNameResolver(undefined, RETRY_NAME_MS) } = guard;
  const closing = new AbortController();
  const checked = { allowed, resolve, resolveListed: resolveBySystem, timeoutMs: CONNECT_MS, signal: closing.signal };
  const opened = openAgent({ ...options, connect: createGuardedConnector(checked) }, proxies, createLocator(checked));
  const close = (): Promise<void> => {
    closing.abort();
    return opened.close();
  };
  return { dispatcher: opened.dispatcher, close };
}

async function askServer(dispatcher: Dispatcher, url: URL, wanted: ServerRequest, limit: AnswerLimit): Promise<Response> {
  const { method, headers, body, signal } = wanted;
  try {
    const options = {
      method: method as Dispatcher.HttpMethod,
      headers: { ...traceHeaders(), ...headers },
      body: body ?? null,
      signal: signal ?? null,
    };
    // undici's `fetch` refuses the ports that browsers refuse; `request` does not.
    return responseOf(await request(url, { ...options, dispatcher }), limit);
  } catch (error) {
    signal?.throwIfAborted();
    throw explainFailure(error, limit.name);
  }
}

function responseOf({ statusCode: status, headers, body }: Dispatcher.ResponseData, limit: AnswerLimit): Response {
  // Without this listener, an error of a destroyed body would crash the process.
  body.on("error", () => {});
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const bytes = limited(decodeBody(body, headers["content-encoding"]?.toString()), limit);
  return new Response(WITHOUT_BODY.has(status) ? null : ReadableStream.from(bytes), { status, headers: fields });
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

/** Creates a `fetch` that allows only URLs below the base URL and responses up to 16 MB. It has no time limit. */
export function createModelFetch(baseUrl: string, connections = DEFAULT_CONNECTIONS, proxies: Proxies | null = null, guard?: Guard) {
  const base = new URL(`${baseUrl.replace(/\/+$/, "")}/`);
  const { dispatcher, close } = openPool(connections, proxies, guard);
  const tooLarge = (): DossierError =>
    new DossierError("model_unavailable", `${base.host} sent more than ${MAX_ANSWER_BYTES} bytes; the rest of the response was not read.`);
  const limit: AnswerLimit = { name: base.host, maxBytes: MAX_ANSWER_BYTES, tooLarge };
  return {
    async fetch(url: string, wanted: ServerRequest): Promise<Response> {
      const target = new URL(url);
      if (target.origin !== base.origin || !target.pathname.startsWith(base.pathname))
        throw new DossierError(
          "out_of_scope",
          `${target.host}${target.pathname} does not start with the path of the model's base URL, so the request was not sent. Check OPENAI_BASE_URL.`,
        );
      return askServer(dispatcher, target, wanted, limit);
    },
    close,
  };
}

const MAX_SERVER_CONNECTIONS = 16;

type ServerOptions = Required<Omit<AnswerLimit, "tooLarge">> & { readonly anyOrigin?: boolean };

/** Creates a `fetch` that allows only the server's origin, unless it is trusted to name others, and text bodies. It follows no redirect. */
export function createServerFetch(baseUrl: string, options: ServerOptions, proxies: Proxies | null = null, guard?: Guard) {
  const { name, maxBytes, anyOrigin = false } = options;
  const { origin } = new URL(baseUrl);
  const { dispatcher, close } = openPool(MAX_SERVER_CONNECTIONS, proxies, guard);
  const tooLarge = (): DossierError =>
    new DossierError("document_too_large", `${name} sent more than ${maxBytes} bytes; the rest of the response was not read.`);
  return {
    async fetch(url: string | URL, { method = "GET", headers, body, signal }: RequestInit = {}): Promise<Response> {
      const target = new URL(url);
      if (target.origin !== origin && !anyOrigin)
        throw new DossierError("out_of_scope", `${name} named an address at another origin. The request was not sent.`);
      const sent = { method, headers: Object.fromEntries(new Headers(headers)), signal: signal ?? undefined };
      const text = typeof body === "string" || body instanceof URLSearchParams ? String(body) : undefined;
      return askServer(dispatcher, target, { ...sent, body: text }, { ...options, tooLarge });
    },
    close,
  };
}
