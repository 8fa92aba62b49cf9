import { useWords } from "../../i18n/language.tsx";
import { defineWords } from "../../i18n/words.ts";

const DOING = {
  llm_decision: "Deciding what is needed",
  optional_tool: "Using tools",
  confirm: "Waiting for your consent",
  search: "Searching the sources",
  rerank: "Sorting what was found",
  download: "Reading documents",
  summarize: "Writing the report",
  plan: "Planning",
  clarify: "Asking you",
  approve: "Waiting for your approval",
  todo: "Working on a todo",
  work: "Researching a todo",
  assess: "Judging what was found",
  findings: "Writing what was found",
  collect: "Collecting results",
  verify: "Verifying the results",
  think: "Thinking",
  act: "Using tools",
  ask: "Asking you",
  write: "Writing the answer",
  conclude: "Finishing the answer",
  compress: "Shortening the conversation",
  stage: "Starting agents",
  child: "An agent works",
  supervise: "Combining the results",
};

const DONE: Record<keyof typeof DOING, string> = {
  llm_decision: "Decided what is needed",
  optional_tool: "Used tools",
  confirm: "Asked for your consent",
  search: "Searched the sources",
  rerank: "Sorted what was found",
  download: "Read documents",
  summarize: "Wrote the report",
  plan: "Planned",
  clarify: "Asked you",
  approve: "Asked for your approval",
  todo: "Worked on a todo",
  work: "Researched a todo",
  assess: "Judged what was found",
  findings: "Wrote what was found",
  collect: "Collected results",
  verify: "Verified the results",
  think: "Thought",
  act: "Used tools",
  ask: "Asked you",
  write: "Wrote the answer",
  conclude: "Finished the answer",
  compress: "Shortened the conversation",
  stage: "Started agents",
  child: "An agent worked",
  supervise: "Combined the results",
};

const CHINESE: Record<keyof typeof DOING, string> = {
  llm_decision: "判断需要什么",
  optional_tool: "使用工具",
  confirm: "等待你的同意",
  search: "检索来源",
  rerank: "为结果排序",
  download: "阅读文档",
  summarize: "撰写报告",
  plan: "制定计划",
  clarify: "向你提问",
  approve: "等待你批准计划",
  todo: "处理一项任务",
  work: "研究一项任务",
  assess: "评估找到的内容",
  findings: "写下找到的内容",
  collect: "汇集结果",
  verify: "核对结果",
  think: "思考",
  act: "使用工具",
  ask: "向你提问",
  write: "撰写回答",
  conclude: "完成回答",
  compress: "压缩对话",
  stage: "启动智能体",
  child: "智能体工作",
  supervise: "汇总结果",
};

const ongoing = Object.fromEntries(Object.entries(CHINESE).map(([name, text]) => [name, `正在${text}`])) as typeof CHINESE;

interface NodePlace {
  readonly node: string;
  /** The todo or agent that it works for; empty for the run itself. */
  readonly path: string;
}

const doingWords = defineWords(DOING, ongoing);
const doneWords = defineWords(DONE, CHINESE);
const purposeWords = defineWords(DOING, CHINESE);

/** A todo has the nodes of a whole run; what it writes is no report. */
function nameIn(node: string, path: string): string {
  return node === "summarize" && path.startsWith("todo:") ? "findings" : node;
}

/** Names a node by what it does or did. Nodes of other graphs keep their own names. */
export function useNodeNames(): {
  readonly doing: (step: NodePlace) => string;
  readonly done: (step: NodePlace) => string;
  /** What the node is for, whether it ran or not. */
  readonly purpose: (node: string) => string;
} {
  const [doing, done, purpose] = [useWords(doingWords), useWords(doneWords), useWords(purposeWords)];
  const isKnown = (node: string): node is keyof typeof DOING => Object.hasOwn(DOING, node);
  return {
    doing: ({ node, path }) => {
      const name = nameIn(node, path);
      return isKnown(name) ? doing(name) : name;
    },
    done: ({ node, path }) => {
      const name = nameIn(node, path);
      return isKnown(name) ? done(name) : name;
    },
    purpose: (node) => (isKnown(node) ? purpose(node) : node),
  };
}
