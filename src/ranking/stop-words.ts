import { ara, ell, heb, hin, rus } from "stopword";
import { toSimplified } from "./simplified.ts";
import { tokenise } from "./tokenise.ts";

const ENGLISH = `
a about above after again all also am an and any anyone anything are aren't as at be because been before being below between both but by
can can't could couldn't did didn't do does doesn't doing don't done down during each either else ever few for from
further get gets got had has have having he her here hers him his how how's i i'm if in into is isn't it it's its itself
just let let's many may me might more most much must my no nor not of off on once only or other ought our out over own
per please same someone something everyone everything she should shouldn't so some such tell than that that's the their them then there these they this those
through to too under until up upon us very was wasn't we were weren't what what's when where where's whether which while
who who's whom whose why will with won't would wouldn't yet you your yours
describe explain exactly
`;

/** Words, as Intl.Segmenter cuts them: particles, pronouns, question words and the phrases that wrap a question. */
const CHINESE = `
的 地 得 了 着 过 吗 呢 吧 啊 呀 嘛 么 与 和 跟 及 以及 或 或者 还是 而且 并且 但是 是 不是 是不是 是否 在 由于 对于 把 被 因为 所以 如果 那么 能否
可以 可否 应该 需要 请 请问 请教 想要 想知道 知道 告诉 一下 说说 谈谈 介绍 解释 说明 关于 有关 没有 没 不
我 你 您 他 她 它 我们 你们 他们 她们 它们 自己 这个 那个 这些 那些 这里 那里 这样 那样 个 些 一个 一些 一种
什么 什么时候 什么时间 什么样 什么地方 啥时候 甚么 甚么时候 甚么样 甚么地方 是甚么 为甚么 啥 怎么 怎样 怎么样 怎么办 如何 何时 何地 何人 何处 何种 何以 为何 为什么 为啥
谁 谁是 是谁 哪 哪个 哪些 哪里 哪儿 哪位 哪种 哪一 哪一个 哪年 哪一年 几 几个 几种 多少 多 多久 多大 多长 多高 多远 是什么
时候 属于 出自 来自 进行 称为 叫做 名叫 又称 后来 的是 几点 几时 哪天 哪一天
`;

/** Stop words of one character with which names are written too. */
const LINKING =
  "之 其 而 并 但 也 都 就 才 又 再 还 则 且 为 于 从 自 由 对 给 让 同 以 因 到 将 会 能 可 要 应 想 有 这 那 此 该 某 何 叫 样 中 里 内 后 前 时 上 下 间 等 所 做 用 来 去 向 往 比 当 拿";

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

/** Chinese (in Simplified characters) and Japanese words that bear no content in a question. */
export const UNSPACED_STOP_WORDS: ReadonlySet<string> = new Set([...words(CHINESE), ...words(JAPANESE)].map(toSimplified));

/** Chinese characters (Simplified) that bear no content, except beside a lone character, where they are most often a piece of a name. */
export const LINKING_CHARACTERS: ReadonlySet<string> = new Set(words(LINKING));
