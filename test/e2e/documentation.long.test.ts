import { test } from "vitest";
import { expectAnswer, useDocumentation } from "./documentation-under-test.ts";

/** Questions of a newcomer, and a text that one of the quotes must contain; null for questions that the documentation does not answer. */
const QUESTIONS: readonly (readonly [question: string, says: string | null])[] = [
  ["How does the optional-tool loop end?", "no_progress"],
  ["When is the corpus indexed?", "The corpus is indexed when"],
  ["When is a run cancelled?", "cancel"],
  ["How large may a corpus be?", "50,000 files"],
  ["How big can a file be?", "5,000,000 bytes"],
  ["How many nodes does the executor have?", "seven nodes"],
  ["How long does the service wait at a shutdown?", "20 seconds"],
  ["What is the default port?", "3000"],
  ["Does Dossier need an API key?", "needs no API key"],
  ["Tell me about citations", "citation"],
  ["可选工具循环怎样结束？", "五种结束方式"],
  ["可選工具循環怎樣結束？", "五种结束方式"],
  ["一次运行有几个节点？", "七个节点"],
  ["默认端口是多少？", "3000"],
  ["怎样取消一次运行？", "POST /research/{id}/cancel"],
  ["How do I cook risotto?", null],
  ["Which football club won the championship?", null],
  ["法国的首都是哪里？", null],
];

const open = useDocumentation();

test.each(["English", "Chinese"])("the documentation answers in %s what it covers, and nothing else", async (language) => {
  const dossier = await open();
  for (const [question, says] of QUESTIONS)
    if (/\p{sc=Han}/u.test(question) === (language === "Chinese")) await expectAnswer(dossier, question, says);
});
