import { type Dispatcher, errors, request } from "undici";
import type { HttpReply, HttpRequest } from "../domain/ports/http-fetch.ts";
import { DossierError } from "../errors.ts";
import { decodeBody } from "./decode-body.ts";

export const DEFAULT_MAX_BYTES = 5_000_000;
/** Time to the first byte of an answer, and between two pieces of its body. */
const HEADERS_TIMEOUT_MS = 20_000;
const BODY_TIMEOUT_MS = 15_000;

/**
 * Sends one request, follows nothing, and reads the body up to its limit while it arrives.
 * @throws DossierError `unreachable`, `timeout`, `document_too_large`, what the connector refused; the reason of `signal`
 */
export async function sendRequest(url: URL, wanted: HttpRequest, dispatcher: Dispatcher, signal: AbortSignal): Promise<HttpReply> {
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      signal,
      method: wanted.method ?? "GET",
      headers: wanted.headers ?? {},
      body: wanted.body ?? null,
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: BODY_TIMEOUT_MS,
    });
    const bytes = await readBody(decodeBody(body, contentEncoding(headers)), wanted.maxBytes ?? DEFAULT_MAX_BYTES, url);
    return { url: url.href, status: statusCode, headers: flatten(headers), body: bytes };
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error, url);
  }
}

async function readBody(body: AsyncIterable<Buffer>, maxBytes: number, url: URL): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop destroys the body and with it the connection.
    if (size > maxBytes)
      throw new DossierError("document_too_large", `${url.host} sent more than ${maxBytes} bytes; the rest was not read.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function contentEncoding(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const value = headers["content-encoding"];
  return Array.isArray(value) ? value.join(", ") : value;
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

function explain(error: unknown, { host }: URL): DossierError {
  const ours = causes(error).find((cause) => cause instanceof DossierError);
  if (ours !== undefined) return ours;
  const codes = causes(error).flatMap((cause) => (cause instanceof Error && "code" in cause ? [String(cause.code)] : []));
  if (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError
  ) {
    return new DossierError("timeout", `${host} did not answer in time.`, { cause: error });
  }
  const [code = "no reason given"] = codes;
  if (/^(?:Z_|ERR__?BROTLI|ERR_BROTLI)/.test(code))
    return new DossierError("unreadable", `${host} sent a body that cannot be decompressed.`, { cause: error });
  const why = code === "ENOTFOUND" || code === "EAI_AGAIN" ? "its name could not be resolved" : code;
  return new DossierError("unreachable", `${host} could not be reached (${why}).`, { cause: error });
}

/** An error with the errors that it hides. */
function causes(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [error];
  const inner = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [error, ...inner.flatMap(causes)];
}
