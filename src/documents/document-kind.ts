import { DossierError } from "../errors.ts";
import { safeDecode } from "../ranking/canonical-url.ts";
import { looksBinary } from "./decode-text.ts";

const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml|html?|xhtml)$/;
const CSV_TYPE = /^(?:(?:text|application)\/(?:x-)?(?:csv|tab-separated-values)|csv|tsv)$/;
const OFFICE_TYPES = {
  docx: /^(?:application\/vnd\.(?:openxmlformats-officedocument\.wordprocessingml\.(?:document|template)|ms-word\.document\.macroenabled\.12)|do[ct][xm])$/,
  xlsx: /^(?:application\/vnd\.(?:openxmlformats-officedocument\.spreadsheetml\.(?:sheet|template)|ms-excel\.sheet\.macroenabled\.12)|xl[st][xm])$/,
  pptx: /^(?:application\/vnd\.(?:openxmlformats-officedocument\.presentationml\.(?:presentation|slideshow|template)|ms-powerpoint\.(?:presentation|slideshow)\.macroenabled\.12)|p(?:pt|ps|ot)[xm])$/,
} as const;
const OFFICE_KINDS = ["docx", "xlsx", "pptx"] as const;
const ZIP_START = "PK\x03\x04";
/** The container of encrypted Office documents, and of those before 2007. */
const COMPOUND_FILE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
const MARKDOWN_TYPE = /^(?:text\/(?:x-)?markdown|md|markdown)$/;
const UNREADABLE_MEDIA_TYPE = /^(?:image|audio|video|font)\/|^application\/(?:zip|gzip|x-tar|x-7z-compressed|msword|vnd\.)/;
/** Servers send these media types for any file, so they say nothing about the format. */
const VAGUE_MEDIA_TYPE = /^$|^text\/plain$|^application\/(?:octet-stream|x-unknown)$|^binary\/octet-stream$/;
const PDF_MEDIA_TYPE = /^application\/(?:x-)?pdf$/;
const PDF_HEAD_BYTES = 1_024;
const PDF_HEADER = /%PDF-\d/;
const PDF_START_BYTES = 4_096;
const PDF_OBJECT = /\b\d+\s+\d+\s+obj\b/;
const HTML_START = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

export type DocumentKind = "pdf" | (typeof OFFICE_KINDS)[number] | "html" | "markdown" | "csv" | "text";

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
  const office = OFFICE_KINDS.find((kind) => OFFICE_TYPES[kind].test(suffix || mediaType));
  if (office !== undefined) {
    if (input.bytes.byteLength === 0) throw new DossierError("empty", "The document has no bytes.");
    if (head.startsWith(ZIP_START)) return office;
    const name = office.toUpperCase();
    if (head.startsWith(COMPOUND_FILE))
      throw new DossierError("blocked", `The document is encrypted, or of before 2007. Save it as ${name} without a password.`);
    throw new DossierError("unreadable", `The document has the media type of a ${name} file, but its content is not one.`);
  }
  if (UNREADABLE_MEDIA_TYPE.test(mediaType)) {
    const advice = "Use PDF, DOCX, XLSX, PPTX, HTML, Markdown, CSV or plain text.";
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
