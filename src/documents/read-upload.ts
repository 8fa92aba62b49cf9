import { contentHashOf, type ExtractedDocument } from "../domain/document.ts";
import type { DocumentExtractor } from "../domain/ports/sources.ts";
import { DOCX, NOT_A_READ_TYPE, PDF, PPTX, type UploadedFile, uploadTypeOf, uploadUrl, XLSX } from "../domain/upload.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { isPdf, nameOf } from "./document-kind.ts";

/** The container of encrypted Office documents, and of those before 2007. */
const COMPOUND_FILE = Buffer.from("d0cf11e0a1b11ae1", "hex");
const ZIPPED = "a DOCX, XLSX or PPTX file or another archive";
const ZIP = Buffer.from("PK\x03\x04", "latin1");
/** Key: a media type. Value: the name of the type. */
const OFFICE: ReadonlyMap<string, string> = new Map([
  [DOCX, "DOCX"],
  [XLSX, "XLSX"],
  [PPTX, "PPTX"],
]);

/**
 * Reads a file that a user gave. Its name says what it is, or its media type if the name has no known ending; the content must agree.
 * @throws DossierError `unsupported_document`, `encrypted_document`, `document_too_large`, `unreadable`, `empty`, `timeout`
 */
export async function readUpload(file: UploadedFile, extractor: DocumentExtractor, signal: AbortSignal): Promise<ExtractedDocument> {
  const { name, bytes } = file;
  const url = encodeURIComponent(name);
  const document = await extractAs(() => typeOf(file), { bytes, url }, extractor, signal);
  return { ...document, url: uploadUrl(contentHashOf(document.text), name) };
}

/** Reads the files of a folder as files that a user gave. A PDF is also read under another name. @throws DossierError as `readUpload` */
export function createFileExtractor(extractor: DocumentExtractor): DocumentExtractor {
  return {
    extract({ bytes, mediaType, url }, signal) {
      const type = () => (isPdf(bytes) ? PDF : typeOf({ name: nameOf(url), mediaType, bytes }));
      return extractAs(type, { bytes, url }, extractor, signal);
    },
  };
}

type Named = Pick<Parameters<DocumentExtractor["extract"]>[0], "bytes" | "url">;

async function extractAs(type: () => string, { bytes, url }: Named, extractor: DocumentExtractor, signal?: AbortSignal) {
  const mediaType = type();
  return extractor.extract({ bytes, mediaType, url }, signal).catch((error: unknown) => {
    const known = toDossierError(error);
    throw known.code === "blocked" ? new DossierError("encrypted_document", "It needs a password. Give a copy without one.") : known;
  });
}

function typeOf({ name, mediaType, bytes }: UploadedFile): string {
  const type = uploadTypeOf({ name, mediaType });
  if (type === null) throw new DossierError("unsupported_document", NOT_A_READ_TYPE);
  if (bytes.byteLength === 0) throw new DossierError("empty", "It has no bytes.");
  if (type === PDF && isPdf(bytes)) return type;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, COMPOUND_FILE.length));
  const office = OFFICE.get(type);
  if (office !== undefined && start.equals(COMPOUND_FILE))
    throw new DossierError("encrypted_document", `It is encrypted, or of before 2007. Save it as ${office} without a password.`);
  const isOther = isPdf(bytes) ? "a PDF" : start.subarray(0, ZIP.length).equals(ZIP) ? ZIPPED : null;
  if (office !== undefined ? isOther === ZIPPED : type !== PDF && isOther === null) return type;
  const what = isOther ?? `not ${type === PDF ? "a PDF" : ZIPPED}`;
  throw new DossierError("unsupported_document", `It is not what its name or type says: its content is ${what}.`);
}
