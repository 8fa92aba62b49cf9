import { analyse } from "chardet";
import { DossierError } from "../errors.ts";

type Decoder = InstanceType<typeof TextDecoder>;

/** Bytes at the start that are searched for a charset declaration and for signs of a binary file. */
const HEAD_BYTES = 4_096;
const META_CHARSET = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)/i;
const XML_ENCODING = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w:.-]+)/i;
/** So many valid non-ASCII characters prove UTF-8, whatever charset the page declares. */
const CONVINCING_CHARACTERS = 8;
const SAMPLE_BYTES = 65_536;
/** Of 100. On 136 samples in 23 encodings all right guesses had more, and all wrong ones but one had less. */
const MIN_CONFIDENCE = 33;
const TAG = /<[^<>]*>/g;
const MAX_HOLES_SHARE = 0.05;
const UTF_16 = /^(?:utf-?16|ucs-?2|unicode)[-_]?(le|be)?$/i;
/** Characters that any text has, and that two bytes of ASCII or UTF-8 never form by accident. */
const USUAL = /[\t\n\r -~\u00a0-\u06ff\u0e00-\u0e7f\u2013-\u201f\u3000-\u300f\u3080-\u30ff\uff01-\uff1f]/g;
const MIN_USUAL_SHARE = 0.03;
const EAST_ASIAN = /^(?:gb|big5|euc|shift_jis|iso-2022)/;

/**
 * Decodes bytes by the first of: a byte order mark, plain UTF-8, `charset` of the transport, the page's own declaration (unless the
 * bytes refute these two), statistics. Never throws: unknown labels are ignored, invalid bytes become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, charset = ""): string {
  const evident = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : wideEncoding(bytes, charset);
  if (evident !== null) return new TextDecoder(evident).decode(bytes);
  const utf8 = decodeStrictly(bytes);
  const declared = [charset, declaredCharset(bytes)].map(decoderFor).filter((decoder) => decoder !== null);
  if (utf8 !== null && (declared.length === 0 || isConvincing(utf8))) return utf8.includes(JAPANESE_ESCAPE) ? decodeJapanese(bytes) : utf8;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const guess = confidentGuess(sample);
  const sound = declared.find((decoder) => !isRefuted(decoder, sample, guess));
  return (sound ?? guess ?? declared[0] ?? new TextDecoder(likelyEncoding(sample))).decode(bytes);
}

/** Switches ISO-2022-JP, which is otherwise ASCII, to Japanese. */
const JAPANESE_ESCAPE = "\u001b$";

function decodeJapanese(bytes: Uint8Array): string {
  return new TextDecoder("iso-2022-jp").decode(bytes);
}

/** Whether the bytes contradict a declared charset: it leaves holes, or it is the Western default and the bytes are East Asian. */
function isRefuted(declared: Decoder, sample: Uint8Array, guess: Decoder | null): boolean {
  if (declared.encoding === "windows-1252") return guess !== null && EAST_ASIAN.test(guess.encoding);
  const text = new TextDecoder(declared.encoding).decode(sample);
  const holes = text.match(/\ufffd/g)?.length ?? 0;
  return holes > 1 && holes > MAX_HOLES_SHARE * (text.match(/[^\0-\x7f]/g)?.length ?? 0);
}

/** The guess of a library, or null if it is unsure: short texts fit many encodings. */
function confidentGuess(sample: Uint8Array): Decoder | null {
  if (looksLikeUtf8(sample)) return null;
  // The English of the markup would be taken for the language of the page.
  const written = Buffer.from(sample).toString("latin1").replaceAll(TAG, " ");
  const [best] = analyse(Buffer.from(written, "latin1"));
  return best !== undefined && best.confidence >= MIN_CONFIDENCE ? decoderFor(best.name) : null;
}

/** Without a confident guess: UTF-8 with a broken character, Chinese by its pairs of high bytes, or Western. */
function likelyEncoding(sample: Uint8Array): string {
  if (looksLikeUtf8(sample)) return "utf-8";
  const runs = new TextDecoder("latin1").decode(sample).match(/[^\0-\x7f]+/g) ?? [];
  const paired = runs.filter((run) => run.length % 2 === 0).length;
  return runs.length > 0 && paired >= runs.length * 0.9 ? "gb18030" : "windows-1252";
}

function looksLikeUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(sample);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return whole > broken;
}

/** UTF-16 by its mark, by `charset` if the bytes fit it, or by NUL as every other byte; null otherwise. */
function wideEncoding(bytes: Uint8Array, charset: string): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = bytes.subarray(0, HEAD_BYTES);
  const declared = UTF_16.exec(charset.trim());
  const orders = declared ? [`utf-16${declared[1]?.toLowerCase() ?? "le"}`, "utf-16le", "utf-16be"] : [];
  const sound = orders.find((order) => isWideText(head, order));
  if (sound !== undefined) return sound;
  const zeros = [0, 0];
  head.forEach((byte, i) => {
    if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 4 && even === 0) return "utf-16le";
  return even > head.length / 4 && odd === 0 ? "utf-16be" : null;
}

function isWideText(head: Uint8Array, encoding: string): boolean {
  const text = new TextDecoder(encoding).decode(head.subarray(0, head.length - (head.length % 2)));
  const usual = text.match(USUAL)?.length ?? 0;
  return text.length > 0 && usual > text.length * MIN_USUAL_SHARE;
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isConvincing(text: string): boolean {
  let characters = 0;
  for (const _ of text.matchAll(/[^\0-\x7f]/g)) {
    characters++;
    if (characters >= CONVINCING_CHARACTERS) return true;
  }
  return false;
}

function declaredCharset(bytes: Uint8Array): string {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_BYTES));
  return META_CHARSET.exec(head)?.[1] ?? XML_ENCODING.exec(head)?.[1] ?? "";
}

function decoderFor(label: string): Decoder | null {
  if (label === "") return null;
  try {
    const decoder = new TextDecoder(label);
    // A page that can be read as ASCII in order to say that it is UTF-16 is not (HTML, "prescan a byte stream").
    return decoder.encoding.startsWith("utf-16") ? new TextDecoder("utf-8") : decoder;
  } catch {
    return null;
  }
}

/** Whether the first 4 KB have more control characters than any text. UTF-16 is text, even if only `charset` says so. */
export function looksBinary(bytes: Uint8Array, charset = ""): boolean {
  if (wideEncoding(bytes, charset) !== null) return false;
  const head = bytes.subarray(0, HEAD_BYTES);
  // ESC (0x1b) is how ISO-2022-JP switches its alphabets.
  const controls = head.reduce((sum, byte) => sum + (byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) ? 1 : 0), 0);
  return controls > head.length / 20;
}

type DocumentKind = "pdf" | "html" | "markdown" | "text";

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
/** Media types that servers send for anything: suffix and content decide. */
const VAGUE_MEDIA_TYPE = /^$|^text\/plain$|^application\/(?:octet-stream|x-unknown)$|^binary\/octet-stream$/;
const PDF_MEDIA_TYPE = /^application\/(?:x-)?pdf$/;
/** PDF readers search this many bytes for the header. */
const PDF_HEAD_BYTES = 1_024;
const PDF_HEADER = /%PDF-\d/;
const PDF_START_BYTES = 4_096;
const PDF_OBJECT = /\b\d+\s+\d+\s+obj\b/;
const HTML_START = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

/**
 * The format of a document: PDF by its bytes, otherwise the media type, the suffix of the address, the first characters. A false
 * PDF is judged by its content alone.
 * @throws DossierError `unreadable` for images, archives and other binary files; `empty` without bytes
 */
export function documentKind(input: { bytes: Uint8Array; mediaType: string; url: string; charset?: string }): DocumentKind {
  const mediaType = input.mediaType.toLowerCase().split(";")[0]?.trim() ?? "";
  const head = headOf(input.bytes);
  if (isPdf(input.bytes)) return "pdf";
  if (PDF_MEDIA_TYPE.test(mediaType) || (VAGUE_MEDIA_TYPE.test(mediaType) && suffixOf(input.url) === "pdf"))
    return kindOfFalsePdf(input.bytes, head);
  if (UNREADABLE_MEDIA_TYPE.test(mediaType)) {
    throw new DossierError("unreadable", `Documents of type ${mediaType} have no text to read.`);
  }
  if (looksBinary(input.bytes, input.charset)) throw new DossierError("unreadable", "The document is a binary file, not a text.");
  const declared = KIND_OF_MEDIA_TYPE[mediaType];
  if (declared) return declared;
  const bySuffix = VAGUE_MEDIA_TYPE.test(mediaType) ? KIND_OF_SUFFIX[suffixOf(input.url)] : undefined;
  if (bySuffix) return bySuffix;
  return mediaType !== "text/plain" && HTML_START.test(head) ? "html" : "text";
}

/** Whether bytes are a PDF: they begin with its header, or have it further in with an object of a PDF after it. */
export function isPdf(bytes: Uint8Array): boolean {
  const at = headOf(bytes).search(PDF_HEADER);
  if (at <= 0) return at === 0;
  return PDF_OBJECT.test(new TextDecoder("latin1").decode(bytes.subarray(at, at + PDF_START_BYTES)));
}

function headOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes.subarray(0, PDF_HEAD_BYTES));
}

/** Servers send error pages in place of PDFs. */
function kindOfFalsePdf(bytes: Uint8Array, head: string): DocumentKind {
  if (bytes.byteLength === 0) throw new DossierError("empty", "The document has no bytes.");
  if (HTML_START.test(head)) return "html";
  throw new DossierError("unreadable", "The document is called a PDF and is none.");
}

function suffixOf(url: string): string {
  const name = nameOf(url);
  return name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
}

/** The last segment of an address's path, percent-decoded; the address itself if it has none. */
export function nameOf(url: string): string {
  const path = url.split(/[?#]/)[0] ?? "";
  const segment = path.split("/").findLast((part) => part !== "") ?? url;
  try {
    return decodeURIComponent(segment.replace(/^corpus:/, ""));
  } catch {
    return segment;
  }
}
