import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { DossierError } from "../errors.ts";

/** What is asked for, and understood. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";
/** More than one layer is a trick. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The body as it was before it was compressed, while it arrives, so that whoever reads it can stop a bomb in time.
 * @throws DossierError `unreadable` for an encoding that was not asked for
 */
export function decodeBody(body: Readable, contentEncoding: string | undefined): AsyncIterable<Buffer> {
  const encoding = contentEncoding?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return body;
  const decoder = DECODERS[encoding]?.();
  if (decoder === undefined) {
    body.destroy();
    throw new DossierError("unreadable", `The answer is encoded as ${encoding.slice(0, 50)}, which was not asked for.`);
  }
  // Whoever reads the decoder gets the errors of both.
  return pipeline(body, decoder, () => {});
}
