import { useWords } from "../../i18n/language.tsx";
import { defineWords } from "../../i18n/words.ts";

const ENGLISH = {
  "run-queued": "queued",
  "run-started": "started",
  "run-restarted": "started again after a change of the program",
  "run-resumed": "answer received",
  "run-waiting": "waiting for an answer",
  "run-ended": "ended",
  "node-started": "step started",
  "node-ended": "step ended",
  decision: "decision",
  "tool-started": "tool called",
  "tool-ended": "tool answered",
  "round-ended": "round of tools ended",
  "loop-ended": "no more tools",
  "source-found": "source found",
  "source-failed": "source failed",
  "rerank-failed": "sorting failed",
  "document-read": "document read",
  "document-failed": "document not read",
  "notes-taken": "notes taken",
  "queries-rewritten": "queries changed",
  content: "text of the model",
  reasoning: "thoughts of the model",
  "tool-calls": "model asks for tools",
  "call-ended": "model call ended",
  "call-waiting": "waiting for the model",
  "call-restarted": "model called again",
  "model-failed": "model failed",
  component: "plan or result shown",
  usage: "tokens counted",
};

const CHINESE: typeof ENGLISH = {
  "run-queued": "排队",
  "run-started": "开始",
  "run-restarted": "程序改动后重新开始",
  "run-resumed": "收到答复",
  "run-waiting": "等待答复",
  "run-ended": "结束",
  "node-started": "步骤开始",
  "node-ended": "步骤结束",
  decision: "决定",
  "tool-started": "调用工具",
  "tool-ended": "工具返回",
  "round-ended": "一轮工具结束",
  "loop-ended": "不再用工具",
  "source-found": "找到来源",
  "source-failed": "来源失败",
  "rerank-failed": "排序失败",
  "document-read": "读完文档",
  "document-failed": "文档无法读取",
  "notes-taken": "记下笔记",
  "queries-rewritten": "改写检索词",
  content: "模型的文字",
  reasoning: "模型的思考",
  "tool-calls": "模型要求用工具",
  "call-ended": "模型调用结束",
  "call-waiting": "等待模型",
  "call-restarted": "重新调用模型",
  "model-failed": "模型失败",
  component: "显示计划或结果",
  usage: "统计词元",
};

const words = defineWords(ENGLISH, CHINESE);

/** Names an event by what happened. A type of a newer server is shown as it is written. */
export function useEventName(): (type: string) => string {
  const say = useWords(words);
  return (type) => (Object.hasOwn(ENGLISH, type) ? say(type as keyof typeof ENGLISH) : type);
}
