import { stopwords as english } from "@orama/stopwords/english";
import { stopwords as spanish } from "@orama/stopwords/spanish";
import * as library from "stopword";
import { evidentLanguage, likelyLanguages, scriptOf } from "./language.ts";
import { words } from "./request-words.ts";
import { isUnspaced, tokenize, toSimplified } from "./tokenize.ts";

/**
 * The lists of `stopword` by language, whose names have three letters there, as in ISO 639-3. Its English one lacks "when", which that of
 * Orama has, and that lacks "a"; its Spanish one lacks "cuándo".
 */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(library).flatMap(([code, list]) =>
    /^[a-z]{3}$/.test(code) && Array.isArray(list) ? [[Intl.getCanonicalLocales(code)[0] ?? code, list] as const] : [],
  ),
  ["en", ["a", ...english]] as const,
  ["es", spanish] as const,
]);
const isLatin = (language: string): boolean => scriptOf(language) === "Latn";

/** Words of scripts without spaces would be pairs of characters, which are parts of other words too. */
function termsOf(languages: Iterable<string>): Set<string> {
  const all = [...languages].flatMap((language) => WORDS.get(language) ?? []);
  return new Set(all.flatMap(tokenize).filter((term) => /\p{L}/u.test(term) && !isUnspaced(term)));
}

const OTHER_SCRIPTS = [...WORDS.keys()].filter((language) => !isLatin(language));
const known = new Map<string, ReadonlySet<string>>();

/** Returns the stop words of a language as terms, and those of all scripts but Latin, which no other language has. English if it is unknown. */
export function stopTermsOf(language: string): ReadonlySet<string> {
  const own = WORDS.has(language) && isLatin(language) ? language : "en";
  const terms = known.get(own) ?? termsOf([...OTHER_SCRIPTS, own]);
  known.set(own, terms);
  return terms;
}

/**
 * Returns the stop words for a question. If its language is not evident, it is the one of which the question has most stop words: English, or
 * one that is more likely.
 */
export function stopTermsFor(question: string): ReadonlySet<string> {
  const evident = evidentLanguage(question);
  if (evident !== null) return stopTermsOf(evident);
  const terms = tokenize(question);
  const countOf = (stopTerms: ReadonlySet<string>): number => terms.filter((term) => stopTerms.has(term)).length;
  return likelyLanguages(question)
    .map(stopTermsOf)
    .reduce((most, one) => (countOf(one) > countOf(most) ? one : most), STOP_TERMS);
}

/** The stop words of a text whose language is not asked: "die" is a content word of English. */
export const STOP_TERMS: ReadonlySet<string> = stopTermsOf("en");

/**
 * Chinese and Japanese have lists of their own: those of the libraries take characters for stop words that are parts of names, such as 为 in
 * 华为, and do not tell them from others.
 */
const CHINESE = `
的 地 得 了 着 过 吗 呢 吧 啊 呀 嘛 么 与 和 跟 及 以及 或 或者 还是 而且 并且 但是 是 不是 是不是 是否 在 由于 对于 把 被 因为 所以 如果 那么 能否
可以 可否 应该 需要 请 请问 请教 想要 想知道 知道 告诉 一下 说说 谈谈 介绍 解释 说明 关于 有关 没有 没 不
我 你 您 他 她 它 我们 你们 他们 她们 它们 自己 这个 那个 这些 那些 这里 那里 这样 那样 个 些 一个 一些 一种
什么 什么时候 什么时间 什么样 什么地方 啥时候 甚么 甚么时候 甚么样 甚么地方 是甚么 为甚么 啥 怎么 怎样 怎么样 怎么办 如何 何时 何地 何人 何处 何种 何以 为何 为什么 为啥
谁 谁是 是谁 哪 哪个 哪些 哪里 哪儿 哪位 哪种 哪一 哪一个 哪年 哪一年 几 几个 几种 多少 多 多久 多大 多长 多高 多远 是什么
时候 属于 出自 来自 进行 称为 叫做 名叫 又称 后来 的是 几点 几时 哪天 哪一天
`;

const LINKING =
  "之 其 而 并 但 也 都 就 才 又 再 还 则 且 为 于 从 自 由 对 给 让 同 以 因 到 将 会 能 可 要 应 想 有 这 那 此 该 某 何 叫 样 中 里 内 后 前 时 上 下 间 等 所 做 用 来 去 向 往 比 当 拿";

const JAPANESE = `
は が の を に で と も や へ から まで より です ます でした ました か ね よ だ である これ それ あれ この その あの ここ そこ
何 なに なん どこ いつ だれ どれ どの どう どんな なぜ いくつ いくら どちら どのように について とは する した して なる ある いる
もの こと た て っ って い いた いま います てい ま ました さ れ られ しま しまい
`;

const UNSPACED: ReadonlySet<string> = new Set([...words(CHINESE), ...words(JAPANESE)].map(toSimplified));
const LINKING_CHARACTERS: ReadonlySet<string> = new Set(words(LINKING));

/** Whether a Chinese or Japanese word consists of stop words: `link` for a character that may be a part of another word. */
export function unspacedStopWord(word: string): "gap" | "link" | null {
  if (LINKING_CHARACTERS.has(word)) return "link";
  return UNSPACED.has(word) || Array.from(word).every((character) => UNSPACED.has(character)) ? "gap" : null;
}
