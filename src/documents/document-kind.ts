import { DossierError } from "../errors.ts";
import { looksBinary } from "./decode.ts";

export type DocumentKind = "html" | "markdown" | "text";

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
const HTML_START = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

/**
 * How the bytes are to be read: by media type, then by the suffix of the address, then by how the content begins.
 * @throws DossierError `unreadable` for PDF, images, archives and whatever else holds no plain characters
 */
export function documentKind(input: { bytes: Uint8Array; mediaType: string; url: string }): DocumentKind {
  const mediaType = input.mediaType.toLowerCase().split(";")[0]?.trim() ?? "";
  const head = new TextDecoder("latin1").decode(input.bytes.subarray(0, 1_024));
  if (head.startsWith("%PDF-") || mediaType === "application/pdf") {
    throw new DossierError("unreadable", "The document is a PDF, which this version does not read.");
  }
  if (UNREADABLE_MEDIA_TYPE.test(mediaType)) {
    throw new DossierError("unreadable", `The document is of type ${mediaType}, which holds no text that could be read.`);
  }
  if (looksBinary(input.bytes)) throw new DossierError("unreadable", "The document is a binary file, not a text.");
  const declared = KIND_OF_MEDIA_TYPE[mediaType];
  if (declared) return declared;
  const bySuffix = VAGUE_MEDIA_TYPE.test(mediaType) ? KIND_OF_SUFFIX[suffixOf(input.url)] : undefined;
  if (bySuffix) return bySuffix;
  return mediaType !== "text/plain" && HTML_START.test(head) ? "html" : "text";
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
