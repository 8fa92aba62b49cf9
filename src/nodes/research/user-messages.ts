import { isChinese, resolveLanguage } from "../../ranking/language.ts";

const ENGLISH = {
  approve: (todos: number) => (todos === 1 ? "Shall this todo be executed?" : `Shall these ${todos} todos be executed?`),
  /** Shown after a rejected plan if no model has read the user's reason. */
  rejectionNotRead: "No model has read your reason, and rules cannot use it: edit the plan yourself, or approve it. ",
  plannerUsedUp: "The planner is not asked again: edit the plan yourself, or approve it. ",
  dependency: (id: string) => `It needs ${id}, which was not answered.`,
  noTime: "The time of the run was used up before it began.",
  outOfTime: "The time of the run was used up before it was answered.",
  /** `read`: how many documents were read for it. */
  noDownloads: (read: number) =>
    read === 0
      ? "The run had no download left to read what was found."
      : `After ${read === 1 ? "one document" : `${read} documents`} read for it, the run had no download left to read more.`,
  noProgress: "Another look brought nothing new.",
  /** Of a todo in a later round: what the next search is for. */
  missing: (description: string, query: string) => `${description}\nStill missing: ${query}`,
  nothingFound: "Nothing was found for it.",
  notAccepted: "What was found was not accepted.",
  answeredBefore: (day: string) => `A run of this thread answered it on ${day}.`,
};

const CHINESE: typeof ENGLISH = {
  approve: (todos) => `是否执行这 ${todos} 项任务？`,
  rejectionNotRead: "没有模型阅读您的理由，规则也无法使用它：请自行修改计划，或批准它。",
  plannerUsedUp: "不再重新制定计划：请自行修改计划，或批准它。",
  dependency: (id) => `它需要的 ${id} 没有得到回答。`,
  noTime: "在它开始之前，本次运行的时间已经用完。",
  outOfTime: "在它得到回答之前，本次运行的时间已经用完。",
  noDownloads: (read) =>
    read === 0
      ? "本次运行的下载次数已用完，无法读取找到的内容。"
      : `为它阅读了 ${read} 篇文档之后，本次运行的下载次数已用完，无法继续阅读。`,
  noProgress: "再次查找没有新的发现。",
  missing: (description, query) => `${description}\n还缺：${query}`,
  nothingFound: "没有找到相关的内容。",
  notAccepted: "找到的内容没有被接受。",
  answeredBefore: (day) => `本会话中的一次运行已于 ${day} 回答。`,
};

export function languageOf({ question, language }: { readonly question: string; readonly language: string }): string {
  return resolveLanguage(language, question);
}

export function textsFor(task: { readonly question: string; readonly language: string }): typeof ENGLISH {
  return isChinese(task) ? CHINESE : ENGLISH;
}
