import { canonicalUrl, hostOf, parseAddress } from "../ranking/canonical-url.ts";
import { leadsSomewhere, rendered } from "./address-detection.ts";

/** The addresses that sources have, in their own spelling. */
export interface KnownAddresses {
  /**
   * The known address that `candidate` is a spelling of, as its source spells it, so that nothing can be told by parameters that a
   * comparison leaves out; null where there is none.
   */
  spelling(candidate: string): string | null;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** An address that is longer is none that anybody shares. */
export const MAX_ADDRESS_LENGTH = 2_048;

export function createKnownAddresses(known: Iterable<string>): KnownAddresses {
  const byKey = new Map<string, string>();
  const hosts = new Set<string>();
  for (const address of known) {
    if (address.length > MAX_ADDRESS_LENGTH || /[\s<>"]/.test(address)) continue;
    if (!byKey.has(canonicalUrl(address))) byKey.set(canonicalUrl(address), address);
    const parsed = parseAddress(address);
    if (parsed !== null && parsed.hostname !== "") hosts.add(hostOf(parsed));
  }
  return {
    spelling: (candidate) => {
      if (candidate === "" || candidate.length > MAX_ADDRESS_LENGTH) return null;
      const whole = SCHEME.test(candidate) || candidate.startsWith("//") ? candidate : `https://${candidate}`;
      const found = byKey.get(canonicalUrl(whole));
      if (found !== undefined) return found;
      // The bare name of a site that was read says no more than the site.
      return /^[\p{L}\p{N}.-]+$/u.test(candidate) && hosts.has(candidate.toLowerCase().replace(/^www\./, "")) ? candidate : null;
    },
  };
}

/** What is done about a form that may be a link: wait for more, or say `text` and go on behind `length` code units. */
export type Step = "wait" | { readonly text: string; readonly removed: boolean; readonly length: number };

/** What a renderer would take for nested brackets at most. */
const MAX_DEPTH = 32;
const MAX_TAG_LENGTH = 1_024;
const MAX_GAP = 64;
const BLANK_LINE = /\n[^\S\n]*\n/;
/** Tags that bring something along even without attributes. */
const ACTIVE = /^\/?(?:script|style|iframe|frame|object|embed|svg|math|base|form|template|noscript|link|meta|applet|portal)\b/i;

const say = (text: string, length: number): Step => ({ text, removed: false, length });
const remove = (text: string, length: number): Step => ({ text, removed: true, length });

/** `](destination "title")` at `at`. What is no link, or leads nowhere, is parted by a space and read on as text. */
export function inlineLink(text: string, at: number, final: boolean, known: KnownAddresses): Step {
  const close = closingParenthesis(text, at + 2);
  if (close === "wait" && !final) return "wait";
  if (typeof close !== "number") return say("] (", 2);
  const destination = destinationOf(text.slice(at + 2, close));
  const spelling = known.spelling(destination);
  if (spelling !== null && leadsSomewhere(destination)) return say(`](${markdownSafe(spelling)})`, close + 1 - at);
  return leadsSomewhere(destination) ? remove("] ", close + 1 - at) : say("] (", 2);
}

/** `]: destination` at `at`, at the beginning of a line. */
export function linkDefinition(text: string, at: number, final: boolean, known: KnownAddresses): Step {
  const gap = /^[^\S\n]{0,64}(?:\n[^\S\n]{0,64})?/.exec(text.slice(at + 2, at + 2 + 2 * MAX_GAP + 1))?.[0].length ?? 0;
  const start = at + 2 + gap;
  const token = /^(?:<[^<>\n]*>?|\S*)/.exec(text.slice(start, start + MAX_ADDRESS_LENGTH + 1))?.[0] ?? "";
  const end = start + token.length;
  if (end >= text.length && !final && token.length <= MAX_ADDRESS_LENGTH) return "wait";
  const destination = destinationOf(token);
  if (!leadsSomewhere(destination)) return say("]:", 2);
  const spelling = known.spelling(destination);
  return spelling === null ? remove("]: ", end - at) : say(`]: ${markdownSafe(spelling)}`, end - at);
}

/** `<` at `at`: an autolink, a tag of HTML, or a mere sign. */
export function angleBracket(text: string, at: number, final: boolean, known: KnownAddresses): Step {
  if (at + 1 >= text.length) return final ? say("<", 1) : "wait";
  if (!/[a-z/!?]/i.test(text.charAt(at + 1))) return say("<", 1);
  const reach = text.slice(at + 1, at + 1 + MAX_TAG_LENGTH);
  const close = reach.indexOf(">");
  const blank = BLANK_LINE.exec(reach)?.index ?? -1;
  if (close < 0 && blank < 0 && reach.length < MAX_TAG_LENGTH && !final) return "wait";
  if (close < 0 || (blank >= 0 && blank < close)) return say("< ", 1);
  return tag(reach.slice(0, close), known);
}

function tag(inside: string, known: KnownAddresses): Step {
  const length = inside.length + 2;
  const plain = rendered(inside).text;
  if (/^(?:[a-z][a-z0-9+.-]{1,31}:|[^\s@]+@)[^\s<>]*$/i.test(plain)) {
    const spelling = known.spelling(plain);
    return spelling === null ? remove("", length) : say(`<${spelling}>`, length);
  }
  const link = /^(a|img)\s+(href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))\s*\/?$/i.exec(inside);
  const spelling = link === null ? null : known.spelling(rendered(link[3] ?? link[4] ?? link[5] ?? "").text.trim());
  if (link !== null && spelling !== null) return say(`<${link[1]} ${link[2]}="${spelling.replaceAll("&", "&amp;")}">`, length);
  if (inside.includes("=")) return remove("", length);
  const bare = /^\/?[a-z][a-z0-9-]*\s*\/?$/i.test(inside) && !ACTIVE.test(inside);
  return bare ? say(`<${inside}>`, length) : say("< ", 1);
}

function closingParenthesis(text: string, from: number): number | "wait" | "none" {
  let depth = 1;
  const reach = text.slice(from, from + MAX_ADDRESS_LENGTH);
  for (const { 0: mark, index } of reach.matchAll(/\\[()]|[()]|\n[^\S\n]*\n/g)) {
    if (mark === "(") depth++;
    else if (mark === ")") depth--;
    if (depth === 0) return from + index;
    if (depth > MAX_DEPTH || mark.startsWith("\n")) return "none";
  }
  return reach.length === MAX_ADDRESS_LENGTH ? "none" : "wait";
}

function destinationOf(inside: string): string {
  const trimmed = inside.trim();
  const bare = trimmed.startsWith("<") ? (trimmed.slice(1).split(">", 1)[0] ?? "") : (trimmed.split(/\s/, 1)[0] ?? "");
  return rendered(bare).text;
}

function markdownSafe(address: string): string {
  return address.replaceAll("(", "%28").replaceAll(")", "%29").replaceAll("\\", "%5C");
}
