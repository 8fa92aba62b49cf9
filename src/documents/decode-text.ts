import { isUtf8 } from "node:buffer";
import { type EncodingGuess, guessEncoding } from "./guess-encoding.ts";

type Decoder = InstanceType<typeof TextDecoder>;

const HEAD_BYTES = 4_096;
const META_CHARSET = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)/i;
const XML_ENCODING = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w:.-]+)/i;
/** This many valid non-ASCII characters prove UTF-8, even if the page declares another charset. */
const MIN_CONVINCING_CHARACTERS = 8;
const SAMPLE_BYTES = 65_536;
const TAG = /<[^<>]*>/g;
const MAX_HOLES_SHARE = 0.05;
const UTF_16 = /^(?:utf-?16|ucs-?2|unicode)[-_]?(le|be)?$/i;
const USUAL = /[\t\n\r -~\u00a0-\u06ff\u0e00-\u0e7f\u2013-\u201f\u3000-\u300f\u3080-\u30ff\uff01-\uff1f]/g;
const MIN_USUAL_SHARE = 0.03;
const EAST_ASIAN = /^(?:gb|big5|euc|shift_jis|iso-2022)/;
/** ISO-2022-JP switches from ASCII to Japanese with an escape sequence that starts like this. */
const JAPANESE_ESCAPE = "\u001b$";

export interface DecodedText {
  readonly text: string;
  /** The encoding, if it was guessed and another is nearly as likely. */
  readonly doubtful: string | null;
}

export function decodeText(bytes: Uint8Array, charset = ""): string {
  return decodeBytes(bytes, charset).text;
}

/** Finds the charset by the byte order mark, valid UTF-8, the HTTP header, a declaration in the text, or its letters. Never throws. */
export function decodeBytes(bytes: Uint8Array, charset = ""): DecodedText {
  const evident = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : wideEncoding(bytes, charset);
  if (evident !== null) return { text: new TextDecoder(evident).decode(bytes), doubtful: null };
  const utf8 = isUtf8(bytes) ? new TextDecoder().decode(bytes) : null;
  const declared = [charset, declaredCharset(bytes)].map(decoderFor).filter((decoder) => decoder !== null);
  if (utf8 !== null && (declared.length === 0 || isConvincing(utf8)))
    return { text: utf8.includes(JAPANESE_ESCAPE) ? new TextDecoder("iso-2022-jp").decode(bytes) : utf8, doubtful: null };
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const unrefuted = declared.find((decoder) => !isRefuted(decoder, sample));
  if (unrefuted !== undefined) return { text: unrefuted.decode(bytes), doubtful: null };
  const guess = guessFor(sample);
  const text = new TextDecoder(guess?.encoding ?? declared[0]?.encoding ?? "windows-1252").decode(bytes);
  return { text, doubtful: guess?.isDoubtful === true ? guess.encoding : null };
}

/** Pages in an East Asian charset often declare windows-1252. Only then a guess is made, which takes tens of milliseconds. */
function isRefuted(declared: Decoder, sample: Uint8Array): boolean {
  if (declared.encoding === "windows-1252") return EAST_ASIAN.test(guessFor(sample)?.encoding ?? "");
  const text = new TextDecoder(declared.encoding).decode(sample);
  const holes = text.match(/\ufffd/g)?.length ?? 0;
  return holes > 1 && holes > MAX_HOLES_SHARE * (text.match(/[^\0-\x7f]/g)?.length ?? 0);
}

function guessFor(sample: Uint8Array): EncodingGuess | null {
  if (looksLikeUtf8(sample)) return { encoding: "utf-8", isDoubtful: false };
  // Tags are removed, because they would count as English words.
  const written = Buffer.from(sample).toString("latin1").replaceAll(TAG, " ");
  return guessEncoding(Buffer.from(written, "latin1"));
}

function looksLikeUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(sample);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return whole > broken;
}

function wideEncoding(bytes: Uint8Array, charset: string): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = bytes.subarray(0, HEAD_BYTES);
  const declared = UTF_16.exec(charset.trim());
  const orders = declared ? [`utf-16${declared[1]?.toLowerCase() ?? "le"}`, "utf-16le", "utf-16be"] : [];
  const fitting = orders.find((order) => isWideText(head, order));
  if (fitting !== undefined) return fitting;
  const zerosAt = (parity: number): number => head.filter((byte, i) => byte === 0 && i % 2 === parity).length;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  if (odd > head.length / 4 && even === 0) return "utf-16le";
  return even > head.length / 4 && odd === 0 ? "utf-16be" : null;
}

function isWideText(head: Uint8Array, encoding: string): boolean {
  const text = new TextDecoder(encoding).decode(head.subarray(0, head.length - (head.length % 2)));
  const usual = text.match(USUAL)?.length ?? 0;
  return text.length > 0 && usual > text.length * MIN_USUAL_SHARE;
}

function isConvincing(text: string): boolean {
  let characters = 0;
  for (const _ of text.matchAll(/[^\0-\x7f]/g)) if (++characters >= MIN_CONVINCING_CHARACTERS) return true;
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
    // The declaration was read as ASCII, so the text is not UTF-16 (HTML standard, "prescan a byte stream").
    return decoder.encoding.startsWith("utf-16") ? new TextDecoder("utf-8") : decoder;
  } catch {
    return null;
  }
}

/** UTF-16 text is not binary, although it may contain many NUL bytes. */
export function looksBinary(bytes: Uint8Array, charset = ""): boolean {
  if (wideEncoding(bytes, charset) !== null) return false;
  const head = bytes.subarray(0, HEAD_BYTES);
  const controls = head.reduce((sum, byte) => sum + (byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) ? 1 : 0), 0);
  return controls > head.length / 20;
}
