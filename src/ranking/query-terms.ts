import { ara, ell, eng, heb, hin, rus } from "stopword";
import { requestWordsOf } from "./request-words.ts";
import type { WeightedTerm } from "./scoring.ts";
import { normalizeText, tokenize, toSimplified } from "./tokenize.ts";

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

const words = (list: string): string[] => list.split(/\s+/).filter((word) => word.length > 0);

/** Contains no French or German stop words, because some are content words in English, such as "die". */
export const STOP_TERMS: ReadonlySet<string> = new Set([...words(ENGLISH), ...ara, ...ell, ...heb, ...hin, ...rus].flatMap(tokenize));
const ENGLISH_STOP_TERMS: ReadonlySet<string> = new Set(eng.flatMap(tokenize));

/** Whether a word is a stop word of questions or of English texts. */
export function isStopWord(word: string): boolean {
  return tokenize(word).every((term) => STOP_TERMS.has(term) || ENGLISH_STOP_TERMS.has(term));
}

const UNSPACED_STOP_WORDS: ReadonlySet<string> = new Set([...words(CHINESE), ...words(JAPANESE)].map(toSimplified));
const LINKING_CHARACTERS: ReadonlySet<string> = new Set(words(LINKING));

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
const MAX_JOINED_LENGTH = 4;
const IDEOGRAPHS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+/gu;

/** Returns the distinct terms of a question without stop words, or all its terms if they are all stop words. */
export function queryTerms(text: string): string[] {
  const terms = tokenize(withSpacesFor(text, ["gap"])).filter((term) => !STOP_TERMS.has(term));
  return [...new Set(terms.length > 0 ? terms : tokenize(text))];
}

/** Whether a text has a term that is no stop word. */
export function hasContentTerms(text: string): boolean {
  return tokenize(withSpacesFor(text, ["gap"])).some((term) => !STOP_TERMS.has(term));
}

const COMPOUND = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_/][\p{L}\p{N}]+)+/gu;
const WHOLE_WEIGHT = 0.2;

/** A compound such as `last-event-id` weighs 0.2, because its parts are terms too. All other terms weigh 1. */
export function weighQueryTerms(text: string): WeightedTerm[] {
  const compounds = (normalizeText(text).match(COMPOUND) ?? []).map((word) => tokenize(word));
  const wholes = new Set(compounds.flatMap(([whole, ...parts]) => (parts.length > 0 ? [whole] : [])));
  return queryTerms(text).map((term) => ({ term, weight: wholes.has(term) ? WHOLE_WEIGHT : 1 }));
}

/** Replaces Chinese and Japanese words of these kinds with a space, so that `tokenize` builds no character pair across them. */
function withSpacesFor(text: string, kinds: readonly WordKind[]): string {
  const normalized = normalizeText(text);
  const runs = cutRuns(normalized.match(IDEOGRAPHS) ?? []).values();
  return normalized.replaceAll(IDEOGRAPHS, () => spaced(runs.next().value ?? [], kinds));
}

function spaced(words: readonly Word[], kinds: readonly WordKind[]): string {
  return words.map(({ word, kind }) => (kinds.includes(kind) ? " " : word)).join("");
}

/** Returns the words of Chinese or Japanese text except stop words. Joins single characters, which are often parts of a name. */
export function contentWords(run: string): string[] {
  const words: string[] = [];
  let previous: WordKind = "gap";
  for (const { word, kind } of cutRuns([run])[0] ?? []) {
    const joined = `${words.at(-1) ?? ""}${word}`;
    const meets = previous === "character" || (previous === "word" && kind === "character");
    const isContent = kind === "word" || kind === "character";
    if (isContent && meets && joined.length <= MAX_JOINED_LENGTH) words[words.length - 1] = joined;
    else if (isContent) words.push(word);
    previous = kind;
  }
  return words;
}

/** `gap`: a stop word. `link`: a linking word such as 并 (and). `character`: another word of one character. `word`: a longer word. */
type WordKind = "gap" | "link" | "word" | "character";

interface Word {
  readonly word: string;
  readonly kind: WordKind;
}

/** Returns the words of each run. Segments all runs at once, because each call of the segmenter takes tens of microseconds. */
function cutRuns(runs: readonly string[]): Word[][] {
  const joined = runs.join("\n");
  const cut: { words: string[]; segments: string[] }[] = [{ words: [], segments: [] }];
  for (const { segment, index } of segmenter.segment(toSimplified(joined))) {
    if (segment === "\n") cut.push({ words: [], segments: [] });
    else {
      cut.at(-1)?.segments.push(segment);
      cut.at(-1)?.words.push(joined.slice(index, index + segment.length));
    }
  }
  return cut.map(({ words, segments }) => {
    const kinds = kindsOf(segments);
    return words.map((word, i) => ({ word, kind: kinds[i] ?? "word" }));
  });
}

function kindsOf(segments: readonly string[]): WordKind[] {
  const kinds = segments.map((segment): WordKind => {
    if (LINKING_CHARACTERS.has(segment)) return "link";
    if (Array.from(segment).every((character) => UNSPACED_STOP_WORDS.has(character))) return "gap";
    return Array.from(segment).length === 1 ? "character" : "word";
  });
  for (const [i] of segments.entries()) {
    // The segmenter splits some stop words, such as 哪种 and 哪一年.
    for (const end of [i + 1, i + 2, i + 3]) if (UNSPACED_STOP_WORDS.has(segments.slice(i, end).join(""))) kinds.fill("gap", i, end);
  }
  return kinds.map((kind, i) => {
    // A linking word before a single character may be part of a name, such as 应 in 吴应龙.
    const isInName = kinds[i + 1] === "character" && ["character", "gap", undefined].includes(kinds[i - 1]);
    return kind === "link" && isInName ? "character" : kind;
  });
}

const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー`;
const RUN = new RegExp(String.raw`[${UNSPACED}]+|[\p{L}\p{N}][[\p{L}\p{N}\p{M}'’._+#&\/\-]--[${UNSPACED}]]*`, "gv");
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "v");

const LAST_PUNCTUATION = /[^\p{L}\p{N}\p{M}+#]+$/u;

/** Returns every word in its order. A run of Chinese or Japanese text is one word. */
export function plainWords(text: string): string[] {
  return (normalizeText(text).match(RUN) ?? []).map((run) => run.replace(LAST_PUNCTUATION, ""));
}

interface QuestionWord {
  /** A word, or a piece of Chinese or Japanese text between stop words. */
  readonly word: string;
  readonly isContent: boolean;
}

/**
 * The segmenter cuts a word that it does not know into single characters, such as 产能 (capacity) into 产 and 能 (can). So a linking word after
 * a single character is kept as part of its word. Where it is none, as in 铁会生锈, a search engine reads the whole just as well.
 */
function keepUnknownWords(words: readonly Word[]): Word[] {
  return words.map(({ word, kind }, i) => {
    const endsWord = kind === "link" && words[i - 1]?.kind === "character" && words[i + 1]?.kind !== "link";
    return { word, kind: endsWord ? "character" : kind };
  });
}

/** Returns the words of a question in their order, and whether it is a request for a text, such as "write a report". */
function readWords(question: string): { readonly words: readonly QuestionWord[]; readonly isRequest: boolean } {
  const runs = normalizeText(question).match(RUN) ?? [];
  const cut = cutRuns(runs.filter((run) => UNSPACED_START.test(run)));
  const all = [...runs.filter((run) => !UNSPACED_START.test(run)), ...cut.flat().map(({ word }) => word)];
  const isOfRequest = requestWordsOf(all);
  const unspaced = cut
    .map((own) => keepUnknownWords(own.map(({ word, kind }) => ({ word, kind: isOfRequest(word) ? "gap" : kind }))))
    .values();
  const found = runs.flatMap((run): QuestionWord[] => {
    if (UNSPACED_START.test(run)) {
      return words(spaced(unspaced.next().value ?? [], ["gap", "link"])).map((word) => ({ word, isContent: true }));
    }
    const word = run.replace(LAST_PUNCTUATION, "");
    return [{ word, isContent: !isOfRequest(word) && tokenize(word).some((term) => !STOP_TERMS.has(term)) }];
  });
  return { words: found, isRequest: all.some(isOfRequest) };
}

/** Whether all words of a question only ask for a text, as in "Summarize this". */
export function isBareRequest(question: string): boolean {
  const { words, isRequest } = readWords(question);
  return isRequest && !words.some(({ isContent }) => isContent);
}

/** Whether a question asks for a text, such as "write a report", so that it is no question to send to a search engine. */
export function isRequest(question: string): boolean {
  return readWords(question).isRequest;
}

/**
 * Returns the distinct words of a question without stop words and words that ask for a text, for a search engine. Chinese text is split
 * only at these.
 */
export function keywords(question: string): string[] {
  const found = readWords(question).words;
  const content = found.filter(({ isContent }) => isContent);
  return [...new Set((content.length > 0 ? content : found).map(({ word }) => word))];
}
