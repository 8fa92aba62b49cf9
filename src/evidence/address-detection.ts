/** Dots that resolvers of names take for a full stop (UTS 46, section 2.3): ideographic, full-width and half-width ones. */
const WIDE_DOT = /(?<=\p{L}[\p{N}-]{0,10})[。．｡]|(?<=\d)[。．｡](?=\d)/gu;
/** What is looked at on both sides of a dot. */
const REACH = 300;
/** Nothing behind one of these belongs to the word of a dot before it. */
const OVER = /[\s<>"|`，；：！？、（）「」『』《》〈〉【】“”‘’…]/;
/** The host of an address with a scheme or slashes, or one that begins with `www`. */
const IN_HOST = /(?:[\\/]{2}|(?<![\p{L}\p{N}])www\d{0,3}(?=$|[.。．｡]))[^\s\\/?#]*$/iu;
/** Endings that are no words of a text: `debug。info/warn` is two sentences. */
const PLAIN_ENDING = "(?:com|net|org|edu|gov|mil|biz|xyz|icu|vip|cn|ru|cc|tk|co|uk|de|jp|kr|tv|example|invalid|onion)";
const MORE_OF_HOST = new RegExp(
  String.raw`^[a-z0-9\-]{1,63}(?:[/?#.。．｡]|:\d)|^(?:${PLAIN_ENDING}|test|info|io|top|site)(?![a-z0-9\-])`,
  "i",
);
const MORE_OF_OTHER_HOST = /^[\p{L}\p{N}-]{1,63}(?:[/?#．｡]|:\d)/u;
const MORE_OF_NAME = new RegExp(
  [
    String.raw`^${PLAIN_ENDING}(?:[/?#]|:\d)`,
    String.raw`^(?:[a-z0-9\-]{1,63}[。．｡]){1,3}[a-z]{2,12}(?:[/?#]|:\d)`,
    String.raw`^(?:[a-z0-9\-]{1,63}[。．｡]){1,3}${PLAIN_ENDING}(?![a-z0-9\-])`,
    "^[a-z]{2,12}/[!-~]{0,200}[?=&%#]",
  ].join("|"),
  "i",
);
/** Behind a dot that is one already. */
const END_OF_NAME = new RegExp(String.raw`^[a-z]{2,12}(?:[/?#]|:\d)|^${PLAIN_ENDING}(?![a-z0-9\-])`, "i");

/** `text`, of the same length, with the wide dots of names as full stops. */
function withPlainDots(text: string): string {
  return /[。．｡]/.test(text) ? text.replaceAll(WIDE_DOT, ".") : text;
}

/**
 * Whether the ideographic full stop at `at` stands within the name of a host that begins at or behind `from`, rather than at the end of
 * a sentence; null where that depends on what comes behind `text`.
 */
export function isDotOfHost(text: string, from: number, at: number, final: boolean): boolean | null {
  const before = text.slice(Math.max(from, at - REACH), at);
  const inHost = IN_HOST.test(before);
  if (!inHost && !/[a-z0-9]$/i.test(before)) return false;
  const after = text.slice(at + 1, at + 1 + REACH);
  if (!final && after.length < REACH && !OVER.test(after) && !/^[^\p{L}\p{N}]/u.test(after))
    return after === "" || inHost || /^[a-z0-9]/i.test(after) ? null : false;
  if (!inHost) return MORE_OF_NAME.test(after) || (/[a-z0-9-][。．｡][a-z0-9-]{1,63}$/i.test(before) && END_OF_NAME.test(after));
  return MORE_OF_HOST.test(after) || (!/[\x21-\x7e]$/.test(before) && MORE_OF_OTHER_HOST.test(after));
}

/** A stretch of text as a renderer reads it; `starts[i]` is where its code unit i begins in the original, with one more for the end. */
export interface Rendered {
  readonly text: string;
  readonly starts: readonly number[] | null;
}

const NAMED: Readonly<Record<string, string>> = {
  colon: ":",
  sol: "/",
  bsol: "\\",
  period: ".",
  lpar: "(",
  rpar: ")",
  lsqb: "[",
  lbrack: "[",
  rsqb: "]",
  rbrack: "]",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  commat: "@",
  num: "#",
  quest: "?",
  equals: "=",
  percnt: "%",
  lowbar: "_",
  hyphen: "-",
  amp: "&",
};
/** An entity, a backslash that makes a mark plain, or a joiner that nobody sees. Tabs and line breaks in addresses count for nothing. */
const HIDDEN = /&(?:#x([0-9a-f]{1,10})|#(\d{1,10})|([a-z]{2,16}));?|\\(?=[!-/:-@[-`{-~])|[\u200c\u200d]/gi;
const INVISIBLE = new Set(["tab", "newline", "shy", "zerowidthspace", "zwj", "zwnj", "nobreak"]);

/** `text` with entities, escapes and joiners resolved. */
export function rendered(text: string): Rendered {
  if (!/[&\\\u200c\u200d]/.test(text)) return { text, starts: null };
  const starts: number[] = [];
  let plain = "";
  let from = 0;
  const copy = (until: number): void => {
    for (let i = from; i < until; i++) starts.push(i);
    plain += text.slice(from, until);
  };
  for (const match of text.matchAll(HIDDEN)) {
    const decoded = decode(match);
    if (decoded === null || match.index < from) continue;
    copy(match.index);
    for (let i = 0; i < decoded.length; i++) starts.push(match.index);
    plain += decoded;
    from = match.index + match[0].length;
  }
  copy(text.length);
  starts.push(text.length);
  return { text: plain, starts };
}

/** Where the code unit `at` of a rendered text begins in the original. */
export function originalOffset({ starts }: Rendered, at: number): number {
  return starts === null ? at : (starts[at] ?? 0);
}

function decode([whole, hex, decimal, name]: RegExpExecArray): string | null {
  if (name !== undefined) return INVISIBLE.has(name.toLowerCase()) ? "" : (NAMED[name.toLowerCase()] ?? null);
  if (hex === undefined && decimal === undefined) return whole.startsWith("&") ? null : "";
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code === 9 || code === 10 || code === 13) return "";
  return code > 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : null;
}

const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}_\-]{0,62})\.`;
const COMMON_ENDING =
  "(?:com|net|org|edu|gov|mil|info|biz|int|name|pro|asia|cn|ru|io|xyz|top|site|online|club|shop|store|link|click|live|icu|vip|cc|tk|example|test|invalid|onion)";
const ENDING = `(?:(?!js|ts|cs|vb|rb|go|kt)[a-z]{2}|${COMMON_ENDING}|app|dev|page|cloud|tech|space|website|blog|news|media|host|run|zip|mov|local|localhost|internal)`;
const SCHEMES = [
  // Any scheme with its slashes, whichever way they lean.
  String.raw`[a-z][a-z0-9+.\-]{0,31}:[\\/]{2}`,
  String.raw`(?:https?|ftps?|wss?|javascript|vbscript|livescript|mailto|xmpp|magnet|filesystem|view-source):(?=[^\s])`,
  String.raw`(?<![\p{L}\p{N}_\-])(?:data|file|tel|sms|blob|about|intent|skype|ssh|geo|jar|ms-[a-z]{2,20}):(?=[^\s])`,
  String.raw`(?<![\p{L}\p{N}])www\d{0,3}\.(?=[\p{L}\p{N}])`,
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
/** So far behind its beginning an address shows itself at the latest. */
export const MAX_START_LENGTH = 700;

/** Where in `text` an address begins, at or behind `from`; -1 where none does. */
export function addressStart(text: string, from: number): number {
  // Names of hosts have a dot; looking for them takes longer.
  const plain = withPlainDots(text);
  const pattern = plain.includes(".") ? START : SCHEME_START;
  pattern.lastIndex = from;
  return pattern.exec(plain)?.index ?? -1;
}

/** Whether a destination of a link leads anywhere but to a plain word of the same page. */
export function leadsSomewhere(destination: string): boolean {
  return /[/\\:%&#?@=]|\p{L}[\p{L}\p{N}-]*\.\p{L}{2}/u.test(destination);
}

/** What ends an address in a text of people, and what stands around one. */
const BETWEEN = /[\s<>"|`，。；：！？、（）「」『』《》〈〉【】“”‘’…]+|\]\(/;
const MAX_ADDRESSES = 20;

/** The addresses of the web that a user wrote, which need not be kept from that user; nothing else that leads somewhere. */
export function addressesIn(text: string): string[] {
  return text
    .split(BETWEEN)
    .flatMap((word) => {
      const plain = rendered(word).text;
      const start = addressStart(plain, 0);
      const address = start < 0 ? "" : withoutClosing(plain.slice(start));
      if (/^https?:\/\//i.test(address)) return [address];
      return address === "" || /^[a-z][a-z0-9+.-]*:|^[\\/]|@/i.test(address) ? [] : [`https://${address}`];
    })
    .slice(0, MAX_ADDRESSES);
}

/** Without the punctuation that ends the sentence around an address rather than the address. */
export function withoutClosing(token: string): string {
  let end = token.length;
  for (; end > 0; end--) {
    const last = token.charAt(end - 1);
    if (/[.,;:!?'*_~\]}]/.test(last)) continue;
    if (last !== ")" || isBalanced(token.slice(0, end))) break;
  }
  return token.slice(0, end);
}

function isBalanced(text: string): boolean {
  return text.split("(").length >= text.split(")").length;
}
