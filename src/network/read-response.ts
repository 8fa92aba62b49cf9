import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { errors } from "undici";
import { DossierError } from "../errors.ts";

const UNRESOLVED = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "EAI_FAIL"]);
const SLOW = [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError];
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  UND_ERR_SOCKET: "connection closed",
  EPIPE: "connection closed",
  EHOSTUNREACH: "no route to host",
  ENETUNREACH: "no route to network",
  UND_ERR_HEADERS_OVERFLOW: "its headers are too long",
};

/** Converts an error of a request to a DossierError, or returns the DossierError among its causes. */
export function explainFailure(error: unknown, host: string): DossierError {
  const all = causes(error);
  const ours = all.find((cause) => cause instanceof DossierError);
  if (ours !== undefined) return ours;
  const codes = all.flatMap((cause) => (cause instanceof Error && "code" in cause && cause.code !== undefined ? [String(cause.code)] : []));
  const options = { cause: error };
  if (all.some((cause) => SLOW.some((kind) => cause instanceof kind)) || codes.includes("ETIMEDOUT")) {
    return new DossierError("timeout", `${host} did not answer in time.`, options);
  }
  const [code = "no reason given"] = codes;
  if (/^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING|BROTLI)/.test(code)) {
    return new DossierError("unreadable", `${host} sent a body that cannot be decompressed.`, options);
  }
  if (all.some((cause) => cause instanceof errors.HTTPParserError))
    return new DossierError("unreadable", `${host} sent an answer that is not HTTP.`, options);
  const why = UNRESOLVED.has(code) ? "its name could not be resolved" : (WORDS[code] ?? code);
  return new DossierError("unreachable", `${host} could not be reached (${why}).`, options);
}

function causes(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [error];
  const inner = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [error, ...inner.flatMap(causes)];
}

export const ACCEPTED_ENCODINGS = "gzip, deflate, br";
const DECODERS = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["br", createBrotliDecompress],
]);

/** These values mean no encoding. `none`, `utf-8` and `utf8` are invalid, but browsers accept them. */
const PLAIN = new Set(["", "identity", "none", "utf-8", "utf8"]);
const METHOD_BITS = 0x0f;
const METHOD_DEFLATE = 8;

/** Decompresses while bytes arrive, so that the reader can stop early. @throws DossierError `unreadable` for an unknown encoding */
export function decodeBody(body: Readable, contentEncoding: string | undefined): AsyncIterable<Buffer> {
  const encoding = contentEncoding?.trim().toLowerCase() ?? "";
  if (PLAIN.has(encoding)) return body;
  if (encoding === "deflate") return inflate(body);
  const decoder = DECODERS.get(encoding)?.();
  if (decoder === undefined) {
    body.destroy();
    throw new DossierError("unreadable", `The answer is encoded as ${encoding.slice(0, 50)}, which was not requested.`);
  }
  return pipeline(body, decoder, () => {});
}

/** Some servers send deflate without the zlib header (RFC 1950). */
async function* inflate(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const pieces = body[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done === true) return;
  const wrapped = ((first.value[0] ?? 0) & METHOD_BITS) === METHOD_DEFLATE;
  yield* pipeline(Readable.from(allOf(first.value, pieces)), wrapped ? createInflate() : createInflateRaw(), () => {});
}

async function* allOf(first: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
  } finally {
    await pieces.return?.();
  }
}
