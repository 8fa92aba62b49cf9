import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { errors } from "undici";
import { DossierError } from "../errors.ts";

const UNRESOLVED = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "EAI_FAIL"]);
const SLOW = [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError];
/** Why nothing came, in words; any other code speaks for itself. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "it refuses connections",
  ECONNRESET: "it broke off the connection",
  UND_ERR_SOCKET: "it broke off the connection",
  EPIPE: "it broke off the connection",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no way to it",
  UND_ERR_HEADERS_OVERFLOW: "its headers are too long",
};

/** What went wrong with a request, as an error of ours; one that is hidden among the causes is given back as it is. */
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

/** An error with the errors that it hides. */
function causes(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [error];
  const inner = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [error, ...inner.flatMap(causes)];
}

/** What is asked for, and understood. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";
/** More than one layer is a trick. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  br: createBrotliDecompress,
};

/** No encoding at all; the latter ones are mistakes that browsers forgive. */
const PLAIN = new Set(["", "identity", "none", "utf-8", "utf8"]);
/** In the first byte of a zlib header (RFC 1950): the method, deflate. */
const METHOD_BITS = 0x0f;
const METHOD_DEFLATE = 8;

/**
 * The body as it was before it was compressed, while it arrives, so that whoever reads it can stop a bomb in time.
 * @throws DossierError `unreadable` for an encoding that was not asked for
 */
export function decodeBody(body: Readable, contentEncoding: string | undefined): AsyncIterable<Buffer> {
  const encoding = contentEncoding?.trim().toLowerCase() ?? "";
  if (PLAIN.has(encoding)) return body;
  if (encoding === "deflate") return inflate(body);
  const decoder = DECODERS[encoding]?.();
  if (decoder === undefined) {
    body.destroy();
    throw new DossierError("unreadable", `The answer is encoded as ${encoding.slice(0, 50)}, which was not asked for.`);
  }
  // Whoever reads the decoder gets the errors of both.
  return pipeline(body, decoder, () => {});
}

/** What is called deflate comes with the header of zlib, as it should, or without it. */
async function* inflate(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const pieces = body[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done === true) return;
  const wrapped = ((first.value[0] ?? 0) & METHOD_BITS) === METHOD_DEFLATE;
  yield* pipeline(Readable.from(allOf(first.value, pieces)), wrapped ? createInflate() : createInflateRaw(), () => {});
}

/** The pieces from the first one on; whoever stops early stops them too. */
async function* allOf(first: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
  } finally {
    await pieces.return?.();
  }
}
