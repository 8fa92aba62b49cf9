import { ara, ell, fra, heb, hin, rus } from "stopword";
import { tokenise } from "./tokenise.ts";

const ENGLISH = `
a about above after again all also am an and any are aren't as at be because been before being below between both but by
can can't could couldn't did didn't do does doesn't doing don't done down during each either else ever few for from
further get gets got had has have having he her here hers him his how how's i i'm if in into is isn't it it's its itself
just let let's many may me might more most much must my no nor not of off on once only or other ought our out over own
per please same she should shouldn't so some such tell than that that's the their them then there these they this those
through to too under until up upon us very was wasn't we were weren't what what's when where where's whether which while
who who's whom whose why will with won't would wouldn't yet you your yours
describe explain exactly
`;

/** Words, as Intl.Segmenter cuts them: particles, pronouns, question words and the phrases that wrap a question. */
const CHINESE = `
的 地 得 了 着 过 吗 呢 吧 啊 呀 嘛 么 之 其 与 和 及 以及 或 或者 还是 而 而且 并 并且 但 但是 也 都 就 才 又 再 还 则 且
是 不是 是不是 是否 为 在 于 从 自 由 由于 对 对于 把 被 给 让 跟 同 以 因 因为 所以 如果 那么 到 将 会 能 能否
可 可以 可否 要 应 应该 需要 请 请问 请教 想 想要 想知道 知道 告诉 一下 说说 谈谈 介绍 解释 说明 关于 有关 有 没有 没 不
我 你 您 他 她 它 我们 你们 他们 她们 它们 自己 这 那 这个 那个 这些 那些 这里 那里 这样 那样 此 该 某 个 些 一个 一些 一种
什么 什么时候 什么时间 什么样 什么地方 啥时候 甚么 啥 怎么 怎样 怎么样 怎么办 如何 何 何时 何地 何人 何处 何种 何以 为何 为什么 为啥
谁 谁是 是谁 哪 哪个 哪些 哪里 哪儿 哪位 哪种 哪一 哪一个 哪年 哪一年 几 几个 几种 多少 多 多久 多大 多长 多高 多远 多 是什么
时候 属于 出自 来自 进行 称为 叫做 叫 名叫 又称 样 中 里 内 后 后来 前 时 上 下 间 等 所 的是 几点 几时 哪天 哪一天 做
`;

/** The same words where the traditional script writes them otherwise. */
const TRADITIONAL_CHINESE = `
著 過 嗎 麼 與 還 還是 則 並 並且 併 為 於 從 由於 對 對於 給 讓 因為 將 會 應 應該 請 請問 請教 告訴 說說 談談 介紹 解釋 說明 關於 有關 沒有 沒
我們 你們 他們 她們 它們 這 這個 那個 這些 這裡 這裏 這兒 那裡 那裏 那兒 這樣 那樣 這種 該 個 一個 一種
什麼 甚麼 什麼時候 甚麼時候 什麼時間 什麼樣 甚麼樣 什麼地方 甚麼地方 啥時候 怎麼 怎樣 怎麼樣 怎麼辦 何時 何處 何種 為何 為什麼 為甚麼 為啥
誰 誰是 是誰 哪個 哪裡 哪裏 哪兒 哪種 哪一個 幾 幾個 幾種 幾點 幾時 多長 多遠 是什麼 是甚麼 時候 屬於 來自 進行 稱為 又稱 樣 裡 裏 內 後 後來 時 間
`;

/** Words of one character that lead from one word to the next; in names they are pieces of the name. */
const LINKING_CHARACTERS = "用 来 來 去 向 往 比 当 當 跟 给 給 拿";

/** Particles and endings of Japanese as they stand between words. */
const JAPANESE = `
は が の を に で と も や へ から まで より です ます でした ました か ね よ だ である これ それ あれ この その あの ここ そこ
何 なに なん どこ いつ だれ どれ どの どう どんな なぜ いくつ いくら どちら どのように について とは する した して なる ある いる
もの こと た て っ って い いた いま います てい ま ました さ れ られ しま しまい
`;

const words = (list: string): string[] => list.split(/\s+/).filter((word) => word.length > 0);

/** Lists of languages whose script is their own; among Latin ones a stop word of one is a content word of another. */
const OTHER_SCRIPTS = [ara, ell, heb, hin, rus].flat();

/** Stems of the words that bear no content in a question. */
export const STOP_TERMS: ReadonlySet<string> = new Set([...words(ENGLISH), ...OTHER_SCRIPTS].flatMap(tokenise));

/** Those of French, for what is known to be French. */
export const FRENCH_STOP_TERMS: ReadonlySet<string> = new Set(
  [...fra, ...words("est-ce quand combien comment pourquoi")].flatMap(tokenise),
);

/** Chinese (simplified and traditional) and Japanese words that bear no content in a question. */
export const UNSPACED_STOP_WORDS: ReadonlySet<string> = new Set([...words(CHINESE), ...words(TRADITIONAL_CHINESE), ...words(JAPANESE)]);

/** Chinese characters that bear no content after a whole word or before a question word (电脑用什么). */
export const LINKING_WORDS: ReadonlySet<string> = new Set(words(LINKING_CHARACTERS));
