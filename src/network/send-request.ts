import { type Dispatcher, request } from "undici";
import type { HttpReply, HttpRequest } from "../domain/ports/sources.ts";
import { DossierError } from "../errors.ts";
import { limitTime } from "../util/abort.ts";
import { forbidden } from "./check-link.ts";
import { decodeBody, explainFailure } from "./read-response.ts";

export interface TimeLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly silenceMs: number;
  /** Limits the whole request, so that a very slow body ends too. */
  readonly totalMs: number;
  /** False turns off the rate limits of services and hosts. Use it only if all services run on this machine. */
  readonly paced: boolean;
}

export const TIME_LIMITS: TimeLimits = { connectMs: 5_000, headersMs: 15_000, silenceMs: 10_000, totalMs: 40_000, paced: true };

const DEFAULT_MAX_BYTES = 5_000_000;
/** Reads at most this much of a redirect's body. A connection is reused only if the body ends earlier. */
const MAX_REDIRECT_BYTES = 16_384;
const NOT_MODIFIED = 304;

interface Transport {
  readonly dispatcher: Dispatcher;
  readonly limits: TimeLimits;
  readonly signal: AbortSignal;
}

export async function sendRequest(url: URL, wanted: HttpRequest, { dispatcher, limits, signal }: Transport): Promise<HttpReply> {
  using deadline = limitTime(limits.totalMs, signal);
  try {
    const { statusCode: status, ...answer } = await request(url, {
      dispatcher,
      signal: deadline.signal,
      method: wanted.method ?? "GET",
      headers: wanted.headers ?? {},
      body: wanted.body ?? null,
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.silenceMs,
    });
    // Without this listener, an error of a destroyed body would crash the process.
    answer.body.on("error", () => {});
    const headers = flatten(answer.headers);
    const body =
      isRedirect({ status, headers }) || status === NOT_MODIFIED || headers["content-length"] === "0"
        ? await skipBody(answer.body)
        : await readBody(answer.body, headers, { maxBytes: wanted.maxBytes ?? DEFAULT_MAX_BYTES, host: url.host });
    return { url: url.href, status, headers, body };
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.isOver) throw new DossierError("timeout", `${url.host} took longer than ${limits.totalMs} ms.`, { cause: error });
    throw explainFailure(error, url.host);
  }
}

type Body = Dispatcher.ResponseData["body"];

async function skipBody(body: Body): Promise<Uint8Array> {
  await body.dump({ limit: MAX_REDIRECT_BYTES });
  return new Uint8Array();
}

async function readBody(body: Body, headers: HttpReply["headers"], limit: { maxBytes: number; host: string }): Promise<Uint8Array> {
  const { maxBytes, host } = limit;
  const tooLarge = () => new DossierError("document_too_large", `${host} sent more than ${maxBytes} bytes; the rest was not read.`);
  if (Number(headers["content-length"] ?? 0) > maxBytes) {
    body.destroy();
    throw tooLarge();
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decodeBody(body, headers["content-encoding"])) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Another origin gets only these headers, because other headers may contain keys. */
const HARMLESS = new Set(["accept", "accept-encoding", "accept-language", "user-agent"]);

function isRedirect({ status, headers }: Pick<HttpReply, "status" | "headers">): boolean {
  return REDIRECTS.has(status) && headers.location !== undefined;
}

/**
 * `send` checks the URL of each redirect. DOI resolvers redirect from https to http. @throws DossierError `unreachable`,
 * `forbidden_address`
 */
export async function followRedirects(first: HttpRequest, send: (request: HttpRequest) => Promise<HttpReply>): Promise<HttpReply> {
  let request = first;
  for (let step = 0; step <= MAX_REDIRECTS; step++) {
    const reply = await send(request);
    const { location } = reply.headers;
    if (!isRedirect(reply) || location === undefined) return reply;
    if (!URL.canParse(location, reply.url)) throw forbidden(location, "it is not a URL");
    request = nextStep(request, reply, new URL(location, reply.url));
  }
  throw new DossierError("unreachable", `${new URL(first.url).host} redirects more than ${MAX_REDIRECTS} times.`);
}

function nextStep(request: HttpRequest, { url: from, status }: HttpReply, url: URL): HttpRequest {
  const sameOrigin = url.origin === new URL(from).origin;
  const repeated = status === 307 || status === 308;
  const { body, headers = {}, method = "GET", ...rest } = request;
  if (repeated && method !== "GET" && !sameOrigin) {
    const hosts = `${new URL(from).host} redirects a ${method} to another host, ${url.host}`;
    throw new DossierError("unreachable", `${hosts}. The request was not repeated there.`);
  }
  const kept = Object.entries(headers).filter(([name]) => (sameOrigin && (repeated || name !== "content-type")) || HARMLESS.has(name));
  const next = { ...rest, url: url.href, headers: Object.fromEntries(kept) };
  return repeated ? { ...next, method, ...(body !== undefined && { body }) } : { ...next, method: "GET" };
}
