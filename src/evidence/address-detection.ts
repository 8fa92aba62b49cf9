import { decodeHTMLStrict } from "entities";

/** `starts[i]` is the offset of `text[i]` in the original text. Null means that nothing was replaced. */
interface Rendered {
  readonly text: string;
  readonly starts: readonly number[] | null;
}

/** Matches, in this order: an escape or a joiner, which is removed; an HTML entity; other text. */
const PARTS = /(\\(?=[!-/:-@[-`{-~])|[\u200c\u200d])|(&(?:#x[0-9a-f]{1,10}|#\d{1,10}|[a-z]{2,32});?)|[^&\\\u200c\u200d]+|[&\\]/gi;

/** Decodes HTML entities and backslash escapes as Markdown renderers do, and removes zero-width joiners. */
export function resolveEntities(written: string): Rendered {
  if (!/[&\\\u200c\u200d]/.test(written)) return { text: written, starts: null };
  const starts: number[] = [];
  let text = "";
  for (const { 0: whole, 1: hidden, 2: entity, index } of written.matchAll(PARTS)) {
    const shown = hidden !== undefined ? "" : entity === undefined ? whole : decode(entity);
    for (let i = 0; i < shown.length; i++) starts.push(shown === whole ? index + i : index);
    text += shown;
  }
  return { text, starts: [...starts, written.length] };
}

/** Browsers ignore tabs and line breaks in addresses, and nobody sees format characters. */
function decode(written: string): string {
  const entity = written.endsWith(";") ? written : `${written};`;
  const text = decodeHTMLStrict(entity);
  return text === entity ? written : text.replace(/^[\t\n\r\p{Cf}]$/u, "");
}

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}_\-]{0,62})\.`;
const COMMON_ENDING =
  "(?:com|net|org|edu|gov|mil|info|biz|int|name|pro|asia|cn|ru|io|xyz|top|site|online|club|shop|store|link|click|live|icu|vip|cc|tk|example|test|invalid|onion)";
const ENDING = `(?:(?!js|ts|cs|vb|rb|go|kt)[a-z]{2}|${COMMON_ENDING}|app|dev|page|cloud|tech|space|website|blog|news|media|host|run|zip|mov|local|localhost|internal)`;
const SCHEMES = [
  String.raw`[a-z][a-z0-9+.\-]{0,31}:[\\/]{2}`,
  String.raw`(?:https?|ftps?|wss?|javascript|vbscript|livescript|mailto|xmpp|magnet|filesystem|view-source):(?=[^\s])`,
  String.raw`(?<![\p{L}\p{N}_\-])(?:data|file|tel|sms|blob|about|intent|skype|ssh|geo|jar|ms-[a-z]{2,20}):(?=[^\s])`,
  String.raw`(?<![\p{L}\p{N}])www\d{0,3}\.(?=[!-~]{0,64}[\p{L}\p{N}])`,
  String.raw`(?<![:\\/\p{L}\p{N}])[\\/]{2}(?=[\p{L}\p{N}\[%][^\s\\/]{0,255}[.:/\\@])`,
];
const NAMES = [
  String.raw`[a-z0-9._%+\-]{1,64}@(?=[\p{L}\p{N}\-]{1,63}\.[\p{L}\p{N}])`,
  String.raw`(?<![\p{L}\p{N}_\-])(?:${LABEL}){1,8}${ENDING}(?=[/?#]|:\d)`,
  String.raw`(?<![\p{L}\p{N}_\-.@])(?=[\p{L}\p{N}\-.]{0,70}[\p{L}\p{N}\-]{3})(?:${LABEL}){2,8}${COMMON_ENDING}(?![\p{L}\p{N}_\-])`,
  String.raw`(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?=:\d|/(?!\d{1,2}(?!\d)))`,
];
const SCHEME_START = new RegExp(SCHEMES.join("|"), "giu");
const START = new RegExp([...SCHEMES, ...NAMES].join("|"), "giu");
export function addressStart(text: string, from: number): number {
  const plain = /[。．｡]/.test(text) ? text.replaceAll(WIDE_DOT, ".") : text;
  // START also matches host names without a scheme, but is slower. Such names contain a dot.
  const pattern = plain.includes(".") ? START : SCHEME_START;
  pattern.lastIndex = from;
  return pattern.exec(plain)?.index ?? -1;
}

/** Returns false for a plain word such as `below` in `[see](below)`. */
export function isLinkDestination(destination: string): boolean {
  return /[/\\:%&#?@=]|\p{L}[\p{L}\p{N}-]{0,62}\.\p{L}{2}/u.test(destination);
}

/** Removes punctuation at the end of an address, but keeps the `)` of `wiki/Go_(game)`. */
export function trimPunctuation(token: string): string {
  let end = token.length;
  for (; end > 0; end--) {
    const last = token.charAt(end - 1);
    if (/[.,;:!?'*_~\]}\\]/.test(last)) continue;
    const rest = token.slice(0, end);
    if (last !== ")" || rest.split("(").length >= rest.split(")").length) break;
  }
  return token.slice(0, end);
}

/** Browsers read these dots as a full stop in host names (UTS 46, section 2.3). */
const WIDE_DOT = /(?<=\p{L}[\p{N}-]{0,10})[。．｡]|(?<=\d)[。．｡](?=\d)/gu;
