import { contentHashOf, type ExtractedDocument } from "../domain/document.ts";
import type { DocumentExtractor } from "../domain/ports/sources.ts";
import { DOCX, PDF, type UploadedFile, uploadTypeOf, uploadUrl } from "../domain/upload.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { isPdf } from "./document-kind.ts";

/** The container of encrypted Word documents, and of those before 2007. */
const COMPOUND_FILE = Buffer.from("d0cf11e0a1b11ae1", "hex");
const ZIPPED = "a DOCX file or another archive";
const ZIP = Buffer.from("PK\x03\x04", "latin1");

/**
 * Reads a file that a user gave. Its name says what it is, or its media type if the name has no known ending; the content must agree.
 * @throws DossierError `unsupported_document`, `encrypted_document`, `document_too_large`, `unreadable`, `empty`, `timeout`
 */
export async function readUpload(file: UploadedFile, extractor: DocumentExtractor, signal: AbortSignal): Promise<ExtractedDocument> {
  const { name, bytes } = file;
  if (bytes.byteLength === 0) throw new DossierError("empty", `${name} has no bytes.`);
  const mediaType = typeOf(file);
  const url = encodeURIComponent(name);
  const document = await extractor.extract({ bytes, mediaType, url }, signal).catch((error: unknown) => {
    throw failureOf(toDossierError(error), name);
  });
  return { ...document, url: uploadUrl(contentHashOf(document.text), name) };
}

function typeOf({ name, mediaType, bytes }: UploadedFile): string {
  const type = uploadTypeOf({ name, mediaType });
  if (type === null)
    throw new DossierError(
      "unsupported_document",
      `${name} is not a PDF, DOCX, HTML, Markdown, CSV or plain text file. Give one of these.`,
    );
  if (type === PDF && isPdf(bytes)) return type;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, COMPOUND_FILE.length));
  if (type === DOCX && start.equals(COMPOUND_FILE))
    throw new DossierError(
      "encrypted_document",
      `${name} is encrypted, or a Word document of before 2007. Save it as DOCX without a password.`,
    );
  const isOther = isPdf(bytes) ? "a PDF" : start.subarray(0, ZIP.length).equals(ZIP) ? ZIPPED : null;
  if (type === DOCX ? isOther === ZIPPED : type !== PDF && isOther === null) return type;
  const what = isOther ?? `not ${type === PDF ? "a PDF" : ZIPPED}`;
  throw new DossierError("unsupported_document", `${name} is not what its name or type says: its content is ${what}.`);
}

function failureOf({ code, message }: DossierError, name: string): DossierError {
  if (code === "blocked") return new DossierError("encrypted_document", `${name} needs a password. Give a copy without one.`);
  return new DossierError(code, `${name}: ${message}`);
}
