import { DossierError } from "../errors.ts";
import { safeDecode } from "../ranking/canonical-url.ts";
import { looksBinary } from "./decode-text.ts";

const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml|html?|xhtml)$/;
const CSV_TYPE = /^(?:(?:text|application)\/(?:x-)?(?:csv|tab-separated-values)|csv|tsv)$/;
const DOCX_TYPE = /^(?:application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document|docx)$/;
const ZIP_START = "PK\x03\x04";
const MARKDOWN_TYPE = /^(?:text\/(?:x-)?markdown|md|markdown)$/;
const UNREADABLE_MEDIA_TYPE = /^(?:image|audio|video|font)\/|^application\/(?:zip|gzip|x-tar|x-7z-compressed|msword|vnd\.)/;
/** Servers send these media types for any file, so they say nothing about the format. */
const VAGUE_MEDIA_TYPE = /^$|^text\/plain$|^application\/(?:octet-stream|x-unknown)$|^binary\/octet-stream$/;
const PDF_MEDIA_TYPE = /^application\/(?:x-)?pdf$/;
const PDF_HEAD_BYTES = 1_024;
const PDF_HEADER = /%PDF-\d/;
const PDF_START_BYTES = 4_096;
const PDF_OBJECT = /\b\d+\s+\d+\s+obj\b/;
const HTML_START = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

export type DocumentKind = "pdf" | "docx" | "html" | "markdown" | "csv" | "text";

/** Detects the format by PDF header, media type, URL suffix, then content. @throws DossierError `unreadable` or `empty` */
export function documentKind(input: { bytes: Uint8Array; mediaType: string; url: string; charset?: string }): DocumentKind {
  const mediaType = input.mediaType.toLowerCase().split(";")[0]?.trim() ?? "";
  const head = headOf(input.bytes);
  const suffix = VAGUE_MEDIA_TYPE.test(mediaType) ? (/\.([^.]+)$/.exec(nameOf(input.url))?.[1] ?? "").toLowerCase() : "";
  if (isPdf(input.bytes)) return "pdf";
  if (PDF_MEDIA_TYPE.test(mediaType) || suffix === "pdf") {
    if (input.bytes.byteLength === 0) throw new DossierError("empty", "The document has no bytes.");
    if (HTML_START.test(head)) return "html";
    throw new DossierError("unreadable", "The document has the media type of a PDF, but its content is not a PDF.");
  }
  if (DOCX_TYPE.test(suffix || mediaType)) {
    if (input.bytes.byteLength === 0) throw new DossierError("empty", "The document has no bytes.");
    if (head.startsWith(ZIP_START)) return "docx";
    throw new DossierError("unreadable", "The document has the media type of a DOCX file, but its content is not one.");
  }
  if (UNREADABLE_MEDIA_TYPE.test(mediaType)) {
    const advice = "Use PDF, DOCX, HTML, Markdown, CSV or plain text.";
    throw new DossierError("unreadable", `Documents of the type ${mediaType} are not supported. ${advice}`);
  }
  if (looksBinary(input.bytes, input.charset)) throw new DossierError("unreadable", "The document is a binary file, not text.");
  if (HTML_TYPE.test(suffix || mediaType)) return "html";
  if (MARKDOWN_TYPE.test(suffix || mediaType)) return "markdown";
  if (CSV_TYPE.test(suffix || mediaType)) return "csv";
  const isText = mediaType === "text/plain" || /^te?xt$/.test(suffix);
  return !isText && HTML_START.test(head) ? "html" : "text";
}

export function isPdf(bytes: Uint8Array): boolean {
  const at = headOf(bytes).search(PDF_HEADER);
  if (at <= 0) return at === 0;
  return PDF_OBJECT.test(new TextDecoder("latin1").decode(bytes.subarray(at, at + PDF_START_BYTES)));
}

function headOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes.subarray(0, PDF_HEAD_BYTES));
}

export function nameOf(url: string): string {
  const path = url.split(/[?#]/)[0] ?? "";
  const segment = path.split("/").findLast((part) => part !== "") ?? url;
  return safeDecode(segment.replace(/^(?:corpus|upload):/, ""));
}
