import { canonicalUrl, hostOf, parseAddress } from "../ranking/canonical-url.ts";
import { isLinkDestination, resolveEntities } from "./address-detection.ts";

/** Returns the known address with the same canonical URL, or null. Parameters that a model added could leak data. */
type FindKnownAddress = (candidate: string) => string | null;

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
export const MAX_ADDRESS_LENGTH = 2_048;

/** Reads the known addresses when the first candidate is met, because most texts contain none. */
export function createKnownAddresses(known: Iterable<string>): FindKnownAddress {
  let find: FindKnownAddress | undefined;
  return (candidate) => {
    find ??= readKnownAddresses(known);
    return find(candidate);
  };
}

function readKnownAddresses(known: Iterable<string>): FindKnownAddress {
  const byKey = new Map<string, string>();
  const hosts = new Set<string>();
  for (const address of known) {
    if (address.length > MAX_ADDRESS_LENGTH || /[\s<>"]/.test(address)) continue;
    const key = canonicalUrl(address);
    if (!byKey.has(key)) byKey.set(key, address);
    const parsed = parseAddress(address);
    if (parsed !== null && parsed.hostname !== "") hosts.add(hostOf(parsed));
  }
  return (candidate) => {
    if (candidate === "" || candidate.length > MAX_ADDRESS_LENGTH) return null;
    const whole = SCHEME.test(candidate) || candidate.startsWith("//") ? candidate : `https://${candidate}`;
    const found = byKey.get(canonicalUrl(whole));
    if (found !== undefined) return found;
    // The bare host name of a known address cannot leak data.
    return /^[\p{L}\p{N}.-]+$/u.test(candidate) && hosts.has(candidate.toLowerCase().replace(/^www\./, "")) ? candidate : null;
  };
}

/** `text` replaces the next `length` code units, and `[address removed]` follows if `removed` is true. `wait` asks for more text. */
export type Step = "wait" | { readonly text: string; readonly removed: boolean; readonly length: number };

const MAX_DEPTH = 32;
const MAX_TAG_LENGTH = 1_024;
const MAX_GAP = 64;
const BLANK_LINE = /\n[^\S\n]*\n/;
const ACTIVE = /^\/?(?:script|style|iframe|frame|object|embed|svg|math|base|form|template|noscript|link|meta|applet|portal)\b/i;

const write = (text: string, length: number): Step => ({ text, removed: false, length });
const remove = (text: string, length: number): Step => ({ text, removed: true, length });

/** Reads `](destination "title")` and removes an unknown destination. If this is no link, writes `] (`, which cannot become a link. */
export function readInlineLink(text: string, at: number, final: boolean, known: FindKnownAddress): Step {
  const close = closingParenthesis(text, at + 2);
  if (close === "wait" && !final) return "wait";
  if (typeof close !== "number") return write("] (", 2);
  const destination = destinationOf(text.slice(at + 2, close));
  if (!isLinkDestination(destination)) return write("] (", 2);
  const spelling = known(destination);
  return spelling === null ? remove("] ", close + 1 - at) : write(`](${escapeLinkTarget(spelling)})`, close + 1 - at);
}

/** Returns the destination of the link whose `](` is at `at`, as a reader's browser opens it; null if this is no link. */
export function linkDestination(text: string, at: number): string | null {
  const close = closingParenthesis(text, at + 2);
  return typeof close === "number" ? destinationOf(text.slice(at + 2, close)) : null;
}

export function readLinkDefinition(text: string, at: number, final: boolean, known: FindKnownAddress): Step {
  const gap = /^[^\S\n]{0,64}(?:\n[^\S\n]{0,64})?/.exec(text.slice(at + 2, at + 2 + 2 * MAX_GAP + 1))?.[0].length ?? 0;
  const start = at + 2 + gap;
  const token = /^(?:<[^<>\n]*>?|\S*)/.exec(text.slice(start, start + MAX_ADDRESS_LENGTH + 1))?.[0] ?? "";
  const end = start + token.length;
  if (end >= text.length && !final && token.length <= MAX_ADDRESS_LENGTH) return "wait";
  const destination = destinationOf(token);
  if (!isLinkDestination(destination)) return write("]:", 2);
  const spelling = known(destination);
  return spelling === null ? remove("]: ", end - at) : write(`]: ${escapeLinkTarget(spelling)}`, end - at);
}

export function readAngleBracket(text: string, at: number, final: boolean, known: FindKnownAddress): Step {
  if (at + 1 >= text.length) return final ? write("<", 1) : "wait";
  if (!/[a-z/!?]/i.test(text.charAt(at + 1))) return write("<", 1);
  const reach = text.slice(at + 1, at + 1 + MAX_TAG_LENGTH);
  const close = reach.indexOf(">");
  const blank = BLANK_LINE.exec(reach)?.index ?? -1;
  if (close < 0 && blank < 0 && reach.length < MAX_TAG_LENGTH && !final) return "wait";
  if (close < 0 || (blank >= 0 && blank < close)) return write("< ", 1);
  return tag(reach.slice(0, close), known);
}

function tag(inside: string, known: FindKnownAddress): Step {
  const length = inside.length + 2;
  const plain = resolveEntities(inside).text;
  if (/^(?:[a-z][a-z0-9+.-]{1,31}:|[^\s@]+@)[^\s<>]*$/i.test(plain)) {
    const spelling = known(plain);
    return spelling === null ? remove("", length) : write(`<${spelling}>`, length);
  }
  const link = /^(a|img)\s+(href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))\s*\/?$/i.exec(inside);
  const spelling = link === null ? null : known(resolveEntities(link[3] ?? link[4] ?? link[5] ?? "").text.trim());
  if (link !== null && spelling !== null) return write(`<${link[1]} ${link[2]}="${spelling.replaceAll("&", "&amp;")}">`, length);
  if (inside.includes("=")) return remove("", length);
  const isHarmless = /^\/?[a-z][a-z0-9-]*\s*\/?$/i.test(inside) && !ACTIVE.test(inside);
  return isHarmless ? write(`<${inside}>`, length) : write("< ", 1);
}

function closingParenthesis(text: string, from: number): number | "wait" | "none" {
  let depth = 1;
  const end = Math.min(text.length, from + MAX_ADDRESS_LENGTH);
  for (let at = from; at < end; at++) {
    const mark = text.charAt(at);
    if (mark === "\\" && /[()]/.test(text.charAt(at + 1))) at++;
    else if (mark === "(") depth++;
    else if (mark === ")") depth--;
    else if (mark === "\n" && isBlankLine(text, at + 1, end)) return "none";
    if (depth === 0) return at;
    if (depth > MAX_DEPTH) return "none";
  }
  return end === from + MAX_ADDRESS_LENGTH ? "none" : "wait";
}

function isBlankLine(text: string, from: number, end: number): boolean {
  let at = from;
  while (at < end && /[^\S\n]/.test(text.charAt(at))) at++;
  return at < end && text.charAt(at) === "\n";
}

function destinationOf(inside: string): string {
  const trimmed = inside.trim();
  const bare = trimmed.startsWith("<") ? (trimmed.slice(1).split(">", 1)[0] ?? "") : (trimmed.split(/\s/, 1)[0] ?? "");
  return resolveEntities(bare).text;
}

function escapeLinkTarget(address: string): string {
  return address.replaceAll("(", "%28").replaceAll(")", "%29").replaceAll("\\", "%5C");
}
