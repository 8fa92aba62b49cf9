import { splitSentences } from "../../../../ranking/sentences.ts";

/** A sentence of what a user wrote. */
export interface AskedSentence {
  readonly text: string;
  /** Whether it asks or requests something; what does not only says what the rest is about. */
  readonly asks: boolean;
}

const REQUEST =
  /^(?:please|kindly|can you|could you|compare|contrast|list|name|explain|describe|summari[sz]e|find|give|tell|show|analy[sz]e|research(?:ing)?|investigate|discuss|evaluate|assess|provide|cover|identify|outline|explore|exploring|write|prepare|produce|say|i (?:want|need|would like) to know)(?!\p{L})/iu;
const CHINESE_REQUEST =
  /^(?:请|麻烦|帮我|帮忙|能否|我想知道|比较|对比|列出|介绍|说明|分析|总结|收集|整理|调研|评估|概述|查找|写|给出|研究|梳理|结合|为我)|请|告诉我|(?:区别|差异|异同|对比|比较)[。？?]?$/u;
const ASKING = /^\s*(?:and\s+)?(?:(?:in|at|by|for|to|from|of|on|with)\s+)?(?:who|whom|whose|what|when|where|which|why|how)(?!\p{L})/iu;
const CHINESE_ASKING = /什么|甚么|谁|哪|几|多少|多[大长高远久重深宽快]|何|怎么|怎样|如何|为什么|是否|是不是|有没有|吗|呢$|能否/u;
const VERSUS = /\S\s+(?:vs\.?|versus)\s+\S/iu;
/** A line of its own is a sentence although no mark ends it. */
const LINE_BREAK = /[\r\n]+/;
const LIST_MARK = /^(?:[-*•·]|\(?\d{1,2}[.)、）]|[（(][一二三四五六七八九十]+[)）]|[一二三四五六七八九十]+、)\s*/u;

/** The sentences of a question, in order, without the numbers of a list. */
export function readAskedSentences(text: string): AskedSentence[] {
  return text
    .split(LINE_BREAK)
    .flatMap((line) => splitSentences(line).map(({ start, end }) => line.slice(start, end)))
    .map((sentence) => sentence.trim().replace(LIST_MARK, ""))
    .filter((sentence) => /[\p{L}\p{N}\uE000-\uF8FF]/u.test(sentence))
    .map((sentence) => ({ text: sentence, asks: asks(sentence) }));
}

function asks(sentence: string): boolean {
  if (/[?？]\s*$/.test(sentence) || ASKING.test(sentence) || VERSUS.test(sentence) || REQUEST.test(sentence)) return true;
  return /\p{sc=Han}/u.test(sentence) && (CHINESE_ASKING.test(sentence) || CHINESE_REQUEST.test(sentence));
}
