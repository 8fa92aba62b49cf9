import { fastifyMultipart } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { MAX_DOCUMENTS_AT_ONCE, MAX_NAME_LENGTH, MAX_UPLOAD_BYTES, MAX_UPLOADS_BYTES, type UploadedFile } from "../domain/upload.ts";
import { DossierError } from "../errors.ts";
import { limitTime, unlessAborted } from "../util/abort.ts";
import type { HttpApp } from "./http-app.ts";
import { sendProblem } from "./problems.ts";
import { parseJsonBody } from "./request-validation.ts";

const REQUEST_PART = "request";
const DOCUMENTS_PART = "documents";
const MAX_REQUEST_BYTES = 1_048_576;
export const UPLOAD_MS = 120_000;
/** The files of each are in memory until they are read. */
const MAX_UPLOADS_IN_PROGRESS = 4;

const uploads = new WeakMap<FastifyRequest, readonly UploadedFile[]>();

/** Returns the files of a request, in their order. */
export function uploadsOf(request: FastifyRequest): readonly UploadedFile[] {
  return uploads.get(request) ?? [];
}

/**
 * Lets the routes of `app` accept multipart/form-data that arrives within `uploadMs`. The part `request` becomes the body, and is validated
 * like a body of JSON.
 */
export async function acceptUploads(app: HttpApp, uploadMs: number): Promise<void> {
  let inProgress = 0;
  await app.register(fastifyMultipart, {
    // A browser gives each part that is made of a Blob a file name.
    isPartAFile: () => true,
    throwFileSizeLimit: false,
    limits: { files: MAX_DOCUMENTS_AT_ONCE + 1, parts: MAX_DOCUMENTS_AT_ONCE + 1, fileSize: MAX_UPLOAD_BYTES + 1, headerPairs: 20 },
  });
  app.addHook("preValidation", async (request, reply) => {
    if (!request.isMultipart()) return;
    if (Number(request.headers["content-length"] ?? 0) > MAX_UPLOADS_BYTES) throw tooLarge();
    if (inProgress === MAX_UPLOADS_IN_PROGRESS)
      throw new DossierError("overloaded", `${MAX_UPLOADS_IN_PROGRESS} uploads are in progress. Nothing was stored; try again later.`);
    inProgress += 1;
    using limit = limitTime(uploadMs, new AbortController().signal);
    try {
      const { body, files } = await unlessAborted(receive(request), limit.signal);
      request.body = body;
      uploads.set(request, files);
    } catch (error) {
      if (!limit.isOver) throw error;
      const late = new DossierError("timeout", `The body did not arrive within ${uploadMs / 1_000} seconds. Nothing was stored.`);
      return sendProblem(request, reply.header("connection", "close"), late, 408);
    } finally {
      inProgress -= 1;
    }
  });
}

async function receive(request: FastifyRequest): Promise<{ body: unknown; files: UploadedFile[] }> {
  const files: UploadedFile[] = [];
  let body: unknown;
  let room = MAX_UPLOADS_BYTES;
  try {
    for await (const part of request.parts()) {
      if (part.type !== "file") throw invalidPart(part.fieldname);
      const { fieldname, filename = "", mimetype: mediaType } = part;
      const bytes = await readPart(part.file, fieldname === REQUEST_PART ? MAX_REQUEST_BYTES : room);
      room -= bytes.byteLength;
      if (fieldname === REQUEST_PART && body === undefined) body = parseJsonBody(bytes);
      else if (fieldname === DOCUMENTS_PART) files.push({ name: plainName(filename), mediaType, bytes });
      else throw invalidPart(fieldname);
    }
  } catch (error) {
    throw asRefusal(error);
  }
  return { body: body ?? {}, files };
}

async function readPart(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.byteLength;
    if (length > maxBytes) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

/** Returns a name without folders and without characters that are not shown. */
function plainName(name: string): string {
  const base = name.normalize("NFC").split(/[\\/]/).at(-1) ?? "";
  const shown = base
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "")
    .toWellFormed()
    .trim();
  const ending = /\.[^.]{1,20}$/.exec(shown)?.[0] ?? "";
  const short = shown.length <= MAX_NAME_LENGTH ? shown : shown.slice(0, MAX_NAME_LENGTH - ending.length).toWellFormed() + ending;
  return short.replaceAll(".", "") === "" ? "document" : short;
}

function tooLarge(): DossierError {
  return new DossierError(
    "too_large",
    `The body is larger than ${MAX_UPLOADS_BYTES} bytes, or its part request than ${MAX_REQUEST_BYTES}. Nothing was stored.`,
  );
}

function invalidPart(name: string): DossierError {
  const fault = { path: `/${name.slice(0, 100).toWellFormed()}`, message: `is not a part of this request, or is given twice` };
  return new DossierError("invalid_request", `In the body: ${fault.path} ${fault.message}. Send one part request and parts documents.`, {
    faults: [fault],
  });
}

function asRefusal(error: unknown): unknown {
  if (error instanceof DossierError) return error;
  const { code } = error as { readonly code?: unknown };
  if (code === "FST_FILES_LIMIT" || code === "FST_PARTS_LIMIT")
    return new DossierError("too_many_documents", `At most ${MAX_DOCUMENTS_AT_ONCE} documents are taken at once. Nothing was stored.`);
  const message = "The body is not whole multipart/form-data. Nothing was stored.";
  return new DossierError("invalid_request", message, { cause: error });
}
