import type { Span } from "../ranking/sentences.ts";
import { STOP_TERMS } from "../ranking/stop-words.ts";
import { replaceSpans } from "../util/replace-spans.ts";
import { replaceTracked, resolveEntities } from "./address-detection.ts";

const ENDING =
  "(?:com|org|net|io|cn|example|edu|gov|mil|info|biz|dev|app|ai|eu|uk|de|fr|jp|ru|cc|tk|xyz|icu|vip|shop|site|club|online|onion|test|invalid)";
/** Top-level domains that are words are missing, because AI or Info may begin a sentence after a 。 without a space. */
const PLAIN_ENDING = "(?:com|net|org|edu|gov|mil|biz|xyz|icu|vip|cn|ru|cc|tk|example|invalid|onion)";
const OTHER_ENDING = `(?:${[
  "中国|中國|香港|台湾|台灣|澳门|澳門|新加坡|公司|网络|網絡|網路|在线|中文网|网址|網址|网站|網站|商城|商店|商标|手机|政务|公益|集团|网店|信息|移动|我爱你",
  "рф|рус|укр|бел|бг|мкд|мон|срб|қаз|ею|орг|ком|сайт|онлайн|дети|москва|католик",
  "ελ|ευ|հայ|გე|קום|ישראל|भारत|कॉम|नेट|संगठन|ไทย|คอม|한국|닷컴|닷넷|みんな|コム|ストア|セール|ファッション",
  "مصر|السعودية|امارات|ایران|الجزائر|المغرب|موقع|شبكة|عمان|قطر|الاردن|فلسطين|تونس|سورية|كوم|بازار|بھارت|پاکستان",
].join("|")})`;
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}`;
const WORD = String.raw`[[\p{L}\p{N}]--[${UNSPACED}]]`;
const LABEL = String.raw`(?<![${WORD}\p{M}@.\/_\-])${WORD}[${WORD}\p{M}\-]{0,62}\.`;
const UNSPACED_LABEL = String.raw`(?<![${UNSPACED}\p{M}@.\/_\-])[${UNSPACED}][${UNSPACED}\p{M}\p{N}\-]{0,62}\.`;
const MORE_LABELS = String.raw`(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}\-]{0,62}\.){0,5}`;
const HOST = new RegExp(
  String.raw`(?:${LABEL}|${UNSPACED_LABEL})${MORE_LABELS}(?:${ENDING}(?![\p{sc=Latin}\p{N}_\-]|\.\p{sc=Latin})|${OTHER_ENDING}(?![\p{L}\p{M}\p{N}_\-]|\.\p{L}))`,
  "giv",
);
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "v");

const DISGUISE = new RegExp(
  [
    String.raw`(?<=[\p{L}\p{N}])\s?[\[\(\{（【［]\s?(?:[.．。｡]|dot|点)\s?[\]\)\}）】］]\s?(?=[\p{L}\p{N}])`,
    String.raw`(?<=[\p{L}\p{N}])\s{1,3}dot\s{1,3}(?=(?:[\p{L}\p{N}\-]{1,63}\s{1,3}dot\s{1,3})?${ENDING}(?![\p{L}\p{N}_\-]))`,
    "[．｡․﹒]",
    String.raw`(?<=[a-z0-9])。(?=(?:[a-z0-9\-]{1,63}[.。．｡]){0,3}${PLAIN_ENDING}(?![\p{sc=Latin}\p{N}_\-]))`,
    String.raw`[\p{Cf}\u034f\ufe00-\ufe0f]`,
    String.raw`[ªº\u02b0-\u02b8\u1d2c-\u1d6a\u2070-\u209c\u2100-\u214f\u2160-\u217f\u2460-\u24ff\uff0d\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f169}]`,
  ].join("|"),
  "giv",
);

/** Also finds disguised host names, such as `example[.]com` and `example dot com`. */
export function hostNames(text: string): (Span & { readonly name: string })[] {
  const view = resolveDisguises(text);
  const at = (offset: number): number => view.starts?.[offset] ?? offset;
  return [...view.text.matchAll(HOST)].map(({ 0: name, index }) => ({ name, start: at(index), end: at(index + name.length) }));
}

export function replaceHosts(text: string, replace: (name: string, written: string) => string | null): string {
  return replaceSpans(text, hostNames(text), ({ name, start, end }) => {
    const written = text.slice(start, end);
    return replace(name, written) ?? written;
  });
}

/** Returns the whole text in lower case, with `example[.]com` written as `example.com`. */
export function plainHosts(text: string): string {
  return resolveDisguises(text).text.toLowerCase();
}

/** Chinese characters at the start of `name` may belong to the sentence before it, so shorter names are tried too. */
export function isNamedIn(plain: string, name: string): boolean {
  const host = name.toLowerCase().replace(/^www\./, "");
  const [label = ""] = host.split(".", 1);
  const cuts = UNSPACED_START.test(label) ? Math.max(0, label.length - 2) : 0;
  return Array.from({ length: cuts + 1 }, (_, i) => host.slice(i)).some((part) => plain.includes(part) || plain.includes(asciiForm(part)));
}

/** Web addresses spell 例.com as `xn--fsq.com` (punycode, RFC 3492). */
function asciiForm(host: string): string {
  return /^\p{ASCII}*$/u.test(host) ? host : (URL.parse(`https://${host}`)?.hostname ?? host);
}

function resolveDisguises(text: string) {
  const view = resolveEntities(text);
  return view.text.search(DISGUISE) < 0 ? view : replaceTracked(view, DISGUISE, plainForm);
}

/** Returns null for ordinary words ("the dot com bubble") and an empty string for invisible characters. */
function plainForm({ 0: disguise, index, input }: RegExpExecArray): string | null {
  if (/^\s+dot/i.test(disguise)) {
    const word = /[\p{L}\p{N}-]+$/u.exec(input.slice(Math.max(0, index - 63), index))?.[0] ?? "";
    return STOP_TERMS.has(word.toLowerCase()) ? null : ".";
  }
  if (/[.．。｡․﹒点]|dot/i.test(disguise)) return ".";
  const plain = disguise.normalize("NFKC");
  return /[\p{L}\p{N}-]/u.test(plain) ? plain : "";
}
