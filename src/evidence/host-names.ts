import { STOP_TERMS } from "../ranking/query-terms.ts";
import { type Rendered, rendered } from "./address-detection.ts";

/** A name of a host, as a resolver takes it, and where it stands in the text: UTF-16 offsets, end exclusive. */
export interface HostName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const ENDING =
  "(?:com|org|net|io|cn|example|edu|gov|mil|info|biz|dev|app|ai|eu|uk|de|fr|jp|ru|cc|tk|xyz|icu|vip|shop|site|club|online|onion|test|invalid)";
/** Endings that begin no sentence: behind an ideographic full stop AI, App and Info do. */
const PLAIN_ENDING = "(?:com|net|org|edu|gov|mil|biz|xyz|icu|vip|cn|ru|cc|tk|example|invalid|onion)";
/** Endings in other scripts: of countries, and those that anybody can register. */
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

/** What stands for a dot, what nobody sees, and letters in other forms. */
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
/** Of an unfinished text, the end that may come to be the name of a host. */
const OPEN = /(?:[\p{L}\p{N}-]{1,63}[.．｡․]|[a-z0-9-]{1,63}。)[\p{L}\p{N}]{0,16}$/iu;

/** The names of hosts in `text`, bare ones as well, also where escapes, invisible characters, other dots or brackets disguise them. */
export function hostNames(text: string): HostName[] {
  const view = undisguised(text);
  const at = (offset: number): number => (view.starts === null ? offset : (view.starts[offset] ?? text.length));
  return [...view.text.matchAll(HOST)].map(({ 0: name, index }) => ({ name, start: at(index), end: at(index + name.length) }));
}

/** `text` with names of hosts as a resolver takes them, in lower case: what `isNamedIn` looks into. */
export function plainHosts(text: string): string {
  return undisguised(text).text.toLowerCase();
}

/** Whether a host is named in one of the texts that `there` has been made of. What stands before a name without a space may be no part of it. */
export function isNamedIn(there: string, name: string): boolean {
  const host = name.toLowerCase().replace(/^www\./, "");
  if (there.includes(host) || there.includes(asciiForm(host))) return true;
  const [label = ""] = host.split(".", 1);
  if (!new RegExp(`^[${UNSPACED}]`, "v").test(label)) return false;
  return Array.from({ length: Math.max(0, label.length - 2) }, (_, i) => host.slice(i + 1)).some(
    (part) => there.includes(part) || there.includes(asciiForm(part)),
  );
}

/** Where in an unfinished text a name may begin that is not whole yet; its length where none does. */
export function openHost(text: string): number {
  const tail = text.slice(-100);
  const at = tail.search(OPEN);
  return at < 0 ? text.length : text.length - tail.length + at;
}

/** In addresses names of other scripts are spelt in ASCII (RFC 3492). */
function asciiForm(host: string): string {
  return /^\p{ASCII}*$/u.test(host) || !URL.canParse(`https://${host}`) ? host : new URL(`https://${host}`).hostname;
}

function undisguised(text: string): Rendered {
  const { text: shown, starts } = rendered(text);
  if (shown.search(DISGUISE) < 0) return { text: shown, starts };
  const own: number[] = [];
  let plain = "";
  let from = 0;
  const copy = (until: number): void => {
    for (let i = from; i < until; i++) own.push(starts?.[i] ?? i);
    plain += shown.slice(from, until);
    from = until;
  };
  for (const match of shown.matchAll(DISGUISE)) {
    const said = meaning(match);
    if (said === null) continue;
    copy(match.index);
    for (let i = 0; i < said.length; i++) own.push(starts?.[match.index] ?? match.index);
    plain += said;
    from = match.index + match[0].length;
  }
  copy(shown.length);
  own.push(text.length);
  return { text: plain, starts: own };
}

/** Null where it is what it looks like: "the dot com bubble". */
function meaning({ 0: disguise, index, input }: RegExpExecArray): string | null {
  if (/^\s+dot/i.test(disguise)) {
    const word = /[\p{L}\p{N}-]+$/u.exec(input.slice(Math.max(0, index - 63), index))?.[0] ?? "";
    return STOP_TERMS.has(word.toLowerCase()) ? null : ".";
  }
  if (/[.．。｡․﹒点]|dot/i.test(disguise)) return ".";
  const plain = disguise.normalize("NFKC");
  return /[\p{L}\p{N}-]/u.test(plain) ? plain : "";
}
