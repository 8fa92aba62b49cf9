/** How many bytes at the start are looked at for a charset declaration and for signs of a binary file. */
const HEAD_BYTES = 4_096;
const META_CHARSET = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)/i;
const XML_ENCODING = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w:.-]+)/i;
/** So many non-ASCII characters that are valid UTF-8 are no accident, whatever charset the page declares. */
const CONVINCING_CHARACTERS = 8;
/** Of this many at the start are undeclared bytes judged. */
const SAMPLE_BYTES = 65_536;

/**
 * Bytes as text. A byte order mark decides; then bytes that are plainly UTF-8; then `charset` as the transport declared
 * it; then the page's own declaration; then UTF-8 where (almost) valid, otherwise GB 18030 or windows-1252, whichever the
 * bytes look like. Never throws: unknown labels are ignored, invalid bytes become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, charset = ""): string {
  const evident = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : wideEncoding(bytes);
  if (evident !== null) return new TextDecoder(evident).decode(bytes);
  const utf8 = decodeStrictly(bytes);
  const declared = [charset, declaredCharset(bytes)].map(decoderFor).find((decoder) => decoder !== null);
  if (utf8 !== null && (!declared || isConvincing(utf8))) return utf8;
  return (declared ?? new TextDecoder(likelyEncoding(bytes))).decode(bytes);
}

/** For bytes that are not wholly UTF-8: UTF-8 with a cut or broken character, Chinese by its pairs of high bytes, or Western. */
function likelyEncoding(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const text = new TextDecoder("utf-8").decode(sample);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  if (whole > broken) return "utf-8";
  const runs = new TextDecoder("latin1").decode(sample).match(/[^\0-\x7f]+/g) ?? [];
  const paired = runs.filter((run) => run.length % 2 === 0).length;
  return runs.length > 0 && paired >= runs.length * 0.9 ? "gb18030" : "windows-1252";
}

/** UTF-16, by its mark or by every other byte being NUL in a text of mostly ASCII. */
function wideEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = bytes.subarray(0, HEAD_BYTES);
  const zeros = [0, 0];
  head.forEach((byte, i) => {
    if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 4 && even === 0) return "utf-16le";
  return even > head.length / 4 && odd === 0 ? "utf-16be" : null;
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

function decoderFor(label: string): InstanceType<typeof TextDecoder> | null {
  if (label === "") return null;
  try {
    const decoder = new TextDecoder(label);
    // A page that can be read as ASCII in order to say that it is UTF-16 is not (HTML, "prescan a byte stream").
    return decoder.encoding.startsWith("utf-16") ? new TextDecoder("utf-8") : decoder;
  } catch {
    return null;
  }
}

/** Whether the first 4 KB hold more control characters than any text does. UTF-16 is text. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (wideEncoding(bytes) !== null) return false;
  const head = bytes.subarray(0, HEAD_BYTES);
  // ESC (0x1b) is how ISO-2022-JP switches its alphabets.
  const controls = head.reduce((sum, byte) => sum + (byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) ? 1 : 0), 0);
  return controls > head.length / 20;
}
