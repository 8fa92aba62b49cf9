import { DossierError } from "../errors.ts";
import { looksBinary } from "./decode.ts";

export type DocumentKind = "pdf" | "html" | "markdown" | "text";

const KIND_OF_MEDIA_TYPE: Readonly<Record<string, DocumentKind>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
};
const KIND_OF_SUFFIX: Readonly<Record<string, DocumentKind>> = {
  html: "html",
  htm: "html",
  xhtml: "html",
  md: "markdown",
  markdown: "markdown",
  txt: "text",
  text: "text",
};
const UNREADABLE_MEDIA_TYPE = /^(?:image|audio|video|font)\/|^application\/(?:zip|gzip|x-tar|x-7z-compressed|msword|vnd\.)/;
/** These media types say so little that suffix and content know better. */
const VAGUE_MEDIA_TYPE = /^$|^text\/plain$|^application\/(?:octet-stream|x-unknown)$|^binary\/octet-stream$/;
const PDF_MEDIA_TYPE = /^application\/(?:x-)?pdf$/;
/** Where readers look for the header of a PDF, as Adobe's always have. */
const HEAD_BYTES = 1_024;
const PDF_HEADER = /%PDF-\d/;
const PDF_START_BYTES = 4_096;
const PDF_OBJECT = /\b\d+\s+\d+\s+obj\b/;
const HTML_START = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

/**
 * How the bytes are to be read: as PDF when they are one; otherwise by media type, then by the suffix of the address, then by
 * how the content begins. What is called PDF and is none is judged by its content alone.
 * @throws DossierError `unreadable` for images, archives and whatever else holds no plain characters; `empty` without bytes
 */
export function documentKind(input: { bytes: Uint8Array; mediaType: string; url: string; charset?: string }): DocumentKind {
  const mediaType = input.mediaType.toLowerCase().split(";")[0]?.trim() ?? "";
  const head = headOf(input.bytes);
  if (isPdf(input.bytes)) return "pdf";
  if (PDF_MEDIA_TYPE.test(mediaType) || (VAGUE_MEDIA_TYPE.test(mediaType) && suffixOf(input.url) === "pdf"))
    return kindOfFalsePdf(input.bytes, head);
  if (UNREADABLE_MEDIA_TYPE.test(mediaType)) {
    throw new DossierError("unreadable", `The document is of type ${mediaType}, which holds no text that could be read.`);
  }
  if (looksBinary(input.bytes, input.charset)) throw new DossierError("unreadable", "The document is a binary file, not a text.");
  const declared = KIND_OF_MEDIA_TYPE[mediaType];
  if (declared) return declared;
  const bySuffix = VAGUE_MEDIA_TYPE.test(mediaType) ? KIND_OF_SUFFIX[suffixOf(input.url)] : undefined;
  if (bySuffix) return bySuffix;
  return mediaType !== "text/plain" && HTML_START.test(head) ? "html" : "text";
}

/** Whether it is a PDF: by a header at its very beginning; further in, as after the header of a mail, an object of a PDF has to follow it. */
export function isPdf(bytes: Uint8Array): boolean {
  const at = headOf(bytes).search(PDF_HEADER);
  if (at <= 0) return at === 0;
  return PDF_OBJECT.test(new TextDecoder("latin1").decode(bytes.subarray(at, at + PDF_START_BYTES)));
}

function headOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_BYTES));
}

/** An error page in place of a PDF is read as what it is. */
function kindOfFalsePdf(bytes: Uint8Array, head: string): DocumentKind {
  if (bytes.byteLength === 0) throw new DossierError("empty", "The document has no bytes.");
  if (HTML_START.test(head)) return "html";
  throw new DossierError("unreadable", "The document is called a PDF and is none.");
}

function suffixOf(url: string): string {
  const name = nameOf(url);
  return name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
}

/** The last segment of an address's path, percent-decoded; the address itself where there is none. */
export function nameOf(url: string): string {
  const path = url.split(/[?#]/)[0] ?? "";
  const segment = path.split("/").findLast((part) => part !== "") ?? url;
  try {
    return decodeURIComponent(segment.replace(/^corpus:/, ""));
  } catch {
    return segment;
  }
}
