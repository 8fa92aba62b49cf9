import { defineWords } from "../../i18n/words.ts";

export const askWords = defineWords(
  { title: "What do you want to know?", question: "Your question", send: "Ask", failed: "The run was not started" },
  { title: "想了解什么？", question: "你的问题", send: "提问", failed: "没有开始研究" },
);
