import { tokenize, toSimplified } from "./tokenize.ts";

/** Returns the words of a list that stand between spaces or line ends. */
export const words = (list: string): string[] => list.split(/\s+/).filter((word) => word !== "");

/** Words that ask for a text. A question that has one of them is a request. */
const ASKING = "write summarize summarise compare discuss analyze analyse give provide show explain describe please";
const ASKING_CHINESE = "请 一下 告诉 帮 帮我 写 撰写 编写 总结 概括 归纳 概述 简述 论述 阐述 列出 列举 给出 介绍 解释 说明";
/** Words for the text that is asked for. In other questions they may be the subject: an annual report, 比较文学. */
const FORM = "detailed comprehensive thorough report overview summary comparison analysis essay article";
const FORM_CHINESE = "一份 一篇 份 篇 详细 全面 报告 综述 文章 比较 对比 分析";

const ASKING_TERMS: ReadonlySet<string> = new Set([...words(ASKING).flatMap(tokenize), ...words(ASKING_CHINESE)]);
const FORM_TERMS: ReadonlySet<string> = new Set([...words(FORM).flatMap(tokenize), ...words(FORM_CHINESE)]);

/** The terms of a word that the lists have: its stem, or a Chinese word in simplified characters. */
function termsOf(word: string): string[] {
  return [...tokenize(word), toSimplified(word)];
}

/**
 * Returns a test for the words of a question that only ask for a text, such as "write", "detailed" and "report". Like a list of stop
 * words it looks at single words: of "summarize the annual report of Apple" it leaves "annual" and "Apple".
 */
export function requestWordsOf(question: readonly string[]): (word: string) => boolean {
  const asks = (word: string): boolean => termsOf(word).some((term) => ASKING_TERMS.has(term));
  if (!question.some(asks)) return () => false;
  return (word) => asks(word) || termsOf(word).some((term) => FORM_TERMS.has(term));
}
