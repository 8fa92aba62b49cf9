import { type Dispatcher, request } from "undici";
import type { HttpReply, HttpRequest } from "../domain/ports/sources.ts";
import { DossierError } from "../errors.ts";
import { forbidden } from "./check-link.ts";
import { decodeBody, explainFailure } from "./read-response.ts";

/** How many milliseconds a request may take, whoever waits for it. */
export interface TimeLimits {
  /** For resolving, connecting and TLS together; the name may take three fifths of it. */
  readonly connectMs: number;
  /** From the request to the end of the answer's headers. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly silenceMs: number;
  /** For all of it, so that a body in drops ends too. */
  readonly totalMs: number;
  /** Keep to the request rates of services and hosts; false only where every service stands on this machine. */
  readonly paced: boolean;
}

export const TIME_LIMITS: TimeLimits = { connectMs: 5_000, headersMs: 15_000, silenceMs: 10_000, totalMs: 40_000, paced: true };

const DEFAULT_MAX_BYTES = 5_000_000;
/** What is read of an answer that says nothing but where to go on, to keep its connection. */
const MAX_REDIRECT_BYTES = 16_384;
/** Has no body, though it may name the encoding of the one it speaks of. */
const NOT_MODIFIED = 304;

interface Way {
  readonly dispatcher: Dispatcher;
  readonly limits: TimeLimits;
  readonly signal: AbortSignal;
}

/**
 * Sends one request, follows nothing, and reads the body up to its limit while it arrives. Of redirects the body is left out.
 * @throws DossierError `unreachable`, `timeout`, `unreadable`, `document_too_large`, what the connector refused; the reason of `signal`
 */
export async function sendRequest(url: URL, wanted: HttpRequest, { dispatcher, limits, signal }: Way): Promise<HttpReply> {
  const deadline = AbortSignal.timeout(limits.totalMs);
  try {
    const { statusCode: status, ...answer } = await request(url, {
      dispatcher,
      signal: AbortSignal.any([signal, deadline]),
      method: wanted.method ?? "GET",
      headers: wanted.headers ?? {},
      body: wanted.body ?? null,
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.silenceMs,
    });
    // A body that is given up on ends with an error, which nobody may be left to hear.
    answer.body.on("error", () => {});
    const headers = flatten(answer.headers);
    const body =
      isRedirect({ status, headers }) || status === NOT_MODIFIED || headers["content-length"] === "0"
        ? await skipBody(answer.body)
        : await readBody(answer.body, headers, { maxBytes: wanted.maxBytes ?? DEFAULT_MAX_BYTES, host: url.host });
    return { url: url.href, status, headers, body };
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) throw new DossierError("timeout", `${url.host} took longer than ${limits.totalMs} ms.`, { cause: error });
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
    // Leaving the loop destroys the body and with it the connection.
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
/** What may go along to another origin; all else, keys above all, is for the one it was made for. */
const HARMLESS = new Set(["accept", "accept-encoding", "accept-language", "user-agent"]);

/** Whether an answer says nothing but where to go on. */
function isRedirect({ status, headers }: Pick<HttpReply, "status" | "headers">): boolean {
  return REDIRECTS.has(status) && headers.location !== undefined;
}

/**
 * Sends a request and each step it is redirected to, at most 5. Every step goes through `send`, which checks it like the
 * first one. Only 307 and 308 repeat a body, and only at the same origin. From https to http is followed, as the
 * resolvers of DOIs lead there; nothing secret goes along.
 * @throws DossierError `unreachable` for a redirect that goes on too long, `forbidden_address` for one to what is no URL
 */
export async function followRedirects(first: HttpRequest, send: (request: HttpRequest) => Promise<HttpReply>): Promise<HttpReply> {
  let request = first;
  for (let step = 0; step <= MAX_REDIRECTS; step++) {
    const reply = await send(request);
    const { location } = reply.headers;
    if (!isRedirect(reply) || location === undefined) return reply;
    // The request may have gone elsewhere than it says, see `configuredAddress`.
    if (!URL.canParse(location, reply.url)) throw forbidden(location, "it is not a URL");
    request = nextStep(request, reply, new URL(location, reply.url));
  }
  throw new DossierError("unreachable", `${new URL(first.url).host} redirects more than ${MAX_REDIRECTS} times.`);
}

function nextStep(request: HttpRequest, { url: said, status }: HttpReply, url: URL): HttpRequest {
  const sameOrigin = url.origin === new URL(said).origin;
  const repeated = status === 307 || status === 308;
  const { body, headers = {}, method = "GET", ...rest } = request;
  if (repeated && method !== "GET" && !sameOrigin) {
    throw new DossierError("unreachable", `${new URL(said).host} wants to be asked at another place, ${url.host}.`);
  }
  const kept = Object.entries(headers).filter(([name]) => (sameOrigin && (repeated || name !== "content-type")) || HARMLESS.has(name));
  const next = { ...rest, url: url.href, headers: Object.fromEntries(kept) };
  return repeated ? { ...next, method, ...(body !== undefined && { body }) } : { ...next, method: "GET" };
}
