import { tokenise } from "../../ranking/tokenise.ts";

const ENGLISH = `
report document page article text passage source sources paper file according question answer mention mentioned mentions
describe described say says said state stated write written
happen happens work works handle handled contain contains include includes use uses used using call called mean means
name named define defined definition type types kind kinds sort way ways thing things
give gives show list find make makes take need needs want help possible difference main good best number amount total
vs versus compare compared compares comparison comparing differ differences bigger larger higher lower smaller greater less
latest last newest recent recently current currently profitable overview respectively
`;
const CHINESE = `
报告 文档 文件 文章 文中 页面 资料 问题 答案 提到 提及 描述 记载 内容 主要 包括 包含 含有 使用 处理 意思 含义 定义 名字 名称
名 种类 类型 方式 方法 办法 情况 东西 事情 发生 找到 列出 给出 需要 作为 成为 发现 通过 進行 包括 哪些 具体 相关 报告中 文章中 時間 时间 现在 目前 当时 数量 數量 数目 总数
比较 对比 相比 比 更 哪个更 最新 最近 近期 年报 季报 财报 增长 区别 差别 差异 差距 不同 赚钱 更赚钱 一家 分别 各自 基本 概况 简介 基本情况 公司
`;

const words = (list: string): string[] => list.split(/\s+/).filter((word) => word.length > 0);
const ENGLISH_TERMS: ReadonlySet<string> = new Set(words(ENGLISH).flatMap(tokenise));
const CHINESE_WORDS: ReadonlySet<string> = new Set(words(CHINESE));

/**
 * Whether a word frames a question rather than naming what it is about ("what is the price of bitcoin in the report"):
 * such words must not make a passage look like an answer.
 */
export function isScaffolding(surface: string, tokens: readonly string[]): boolean {
  return CHINESE_WORDS.has(surface) || tokens.every((token) => ENGLISH_TERMS.has(token));
}
