import { type Dispatcher, request } from "undici";
import type { HttpReply, HttpRequest } from "../domain/ports/http-fetch.ts";
import { DossierError } from "../errors.ts";
import { decodeBody } from "./decode-body.ts";
import { explainFailure } from "./explain-failure.ts";
import { isRedirect } from "./follow-redirects.ts";
import type { TimeLimits } from "./time-limits.ts";

const DEFAULT_MAX_BYTES = 5_000_000;
/** What is read of an answer that says nothing but where to go on, to keep its connection. */
const MAX_REDIRECT_BYTES = 16_384;
/** Has no body, though it may name the encoding of the one it speaks of. */
const NOT_MODIFIED = 304;

export interface Way {
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
