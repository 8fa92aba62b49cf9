import { contentWords } from "../ranking/query-terms.ts";
import { words } from "../ranking/request-words.ts";
import { stopTermsFor } from "../ranking/stop-words.ts";
import { isUnspaced, normalizeText, tokenize, toSimplified } from "../ranking/tokenize.ts";

export interface Term {
  readonly surface: string;
  /** The tokens of the term: the parts of a compound, or the character pairs of a Chinese word. */
  readonly parts: readonly string[];
  readonly isContext: boolean;
  /** Whether the term has a digit, or a capital letter that is not the first letter of the question. */
  readonly isName: boolean;
}

export interface Question {
  readonly text: string;
  readonly terms: readonly Term[];
}

const MAX_TERMS = 40;
/** Reading a term takes a hundredth of a millisecond, and a question may have ten thousand. */
const MAX_SURFACES = 1_000;

const ENGLISH_INSTRUCTIONS = `
summarize summarise summary brief happen overview outline introduce discuss analyze analyse compare comparison contrast difference better versus
vs show give list report write find timeline information details known know learn understand help need article document say main best
describe explain please tell exactly
`;
const CHINESE_INSTRUCTIONS = `
总结 概括 归纳 概述 综述 介绍 简介 说明 解释 描述 对比 比较 区别 差别 差异 不同 分析 列出 列举 了解
整理 文章 报告 说说 讲讲 谈谈 资料 信息 情况 概况 详情 时间线 一共 总共 回事 相关 特点 特征 更 最 请问 告诉 一下
`;
/** These words ask, and stand in no answer. */
const QUESTION_WORDS = new RegExp(
  [
    String.raw`\bhow (?:many|much|long|far|old|tall|big|large|high|deep|heavy|often|fast|quickly)\b|\bwhen\b`,
    String.raw`\bwhat (?:year|date|percentage|number)\b`,
    "多少|[几幾]|多[长長久大高远遠重深快]|何[时時年]|哪一?年|什[么麼][时時]候",
  ].join("|"),
  "giu",
);

const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー`;
const RUN = new RegExp(String.raw`[${UNSPACED}]+|[^\s${UNSPACED}\(\)\[\]\{\}<>«»"“”„《》「」『』、。，；]+`, "gv");
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "v");
const EDGES = /^[^\p{L}\p{N}-]+|[^\p{L}\p{M}\p{N}%+#]+$/gu;
const NAME = /\p{N}|\p{Ll}\p{Lu}/u;

const ENGLISH_STEMS: ReadonlySet<string> = new Set(words(ENGLISH_INSTRUCTIONS).flatMap(tokenize));
const CHINESE_WORDS: ReadonlySet<string> = new Set(words(CHINESE_INSTRUCTIONS));

/** `before` is the previous question. Its terms get `isContext`, unless `question` has no terms. */
export function readQuestion(question: string, before = ""): Question {
  const { text, surfaces } = cutQuestion(question);
  const stopTerms = stopTermsFor(question);
  const own = readTerms(surfaces, stopTerms, false);
  const terms = [...own, ...readTerms(cutQuestion(before).surfaces, stopTerms, own.length > 0)];
  // Names such as 两会 and 和珅 consist of stop words.
  const pairs = terms.length > 0 ? [] : tokenize(question).filter((pair) => isUnspaced(pair) && !CHINESE_WORDS.has(pair));
  for (const pair of pairs) terms.push({ surface: pair, parts: [pair], isName: false, isContext: false });
  const once = new Map(terms.toReversed().map((term) => [term.parts.join(" "), term]));
  return { text, terms: [...once.values()].toReversed().slice(0, MAX_TERMS) };
}

function cutQuestion(question: string): { text: string; surfaces: string[] } {
  const text = normalizeText(question).replaceAll("’", "'");
  const matter = text.replaceAll(QUESTION_WORDS, " ");
  const surfaces = (matter.match(RUN) ?? []).flatMap((run) => (UNSPACED_START.test(run) ? contentWords(run) : [run]));
  return { text, surfaces: surfaces.slice(0, MAX_SURFACES) };
}

function readTerms(surfaces: readonly string[], stopTerms: ReadonlySet<string>, isContext: boolean): Term[] {
  const terms = surfaces.map((surface, i) => readTerm(surface.replace(EDGES, "").replace(/'s$/i, ""), stopTerms, i > 0));
  return terms.flatMap((term) => (term === null ? [] : [{ ...term, isContext }]));
}

/** Returns the words of a term without a part that is found: of 华为总部, 华为 if 总部 is found. A single Chinese character is no word. */
export function wordsOutside({ surface, parts }: Term, isFound: (part: string) => boolean): string[] {
  if (!UNSPACED_START.test(surface)) return parts.some(isFound) ? [] : [surface];
  const open = Array.from(surface, (character, i) => (parts.slice(Math.max(0, i - 1), i + 1).some(isFound) ? " " : character));
  return words(open.join("")).filter((word) => Array.from(word).length > 1);
}

/** Returns null for stop words, instructions such as "summarize", and single Chinese characters, which are in too many words. */
function readTerm(surface: string, stopTerms: ReadonlySet<string>, isInside: boolean): Omit<Term, "isContext"> | null {
  if (UNSPACED_START.test(surface)) {
    if (surface.length === 1 || CHINESE_WORDS.has(toSimplified(surface))) return null;
    return { surface, parts: tokenize(surface), isName: false };
  }
  const tokens = tokenize(surface).filter((token) => !stopTerms.has(token));
  if (tokens.every((token) => ENGLISH_STEMS.has(token))) return null;
  const parts = tokens.length > 1 ? tokens.slice(1) : tokens;
  return { surface, parts, isName: NAME.test(surface) || (isInside && /^\p{Lu}/u.test(surface)) };
}
