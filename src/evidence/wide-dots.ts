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
export function withPlainDots(text: string): string {
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
