import { expect, test } from "vitest";
import { openDossier } from "../helpers/open-dossier.ts";

const DOCS = new URL("../../docs", import.meta.url).pathname;

/** What a newcomer asks, and what one of the quotes must say; null where the documentation does not tell. */
const QUESTIONS: readonly (readonly [question: string, says: string | null])[] = [
  ["Which graphs are there?", "The agent graph is a model in a loop"],
  ["How does the optional-tool loop end?", "no_progress"],
  ["When is the corpus indexed?", "The corpus is indexed when"],
  ["When is a run cancelled?", "cancel"],
  ["How large may a corpus be?", "50,000 files"],
  ["How big can a file be?", "5,000,000 bytes"],
  ["How many nodes does the executor have?", "seven nodes"],
  ["How long does the service wait at a shutdown?", "20 seconds"],
  ["What is the default port?", "3000"],
  ["Does Dossier need an API key?", "needs no API key"],
  ["可选工具循环怎样结束？", "五种结束方式"],
  ["什么时候会出现 no_progress？", "no_progress"],
  ["一次运行有几个节点？", "七个节点"],
  ["默认端口是多少？", "3000"],
  ["怎样取消一次运行？", "POST /research/{id}/cancel"],
  ["How much does Dossier cost per month?", null],
  ["What is the price of the enterprise plan?", null],
  ["When was Dossier founded?", null],
  ["Who founded Dossier?", null],
  ["How old is Dossier?", null],
  ["Which universities use Dossier?", null],
  ["How much memory does Dossier need?", null],
  ["Is there a discount for students?", null],
  ["Is there a Slack channel?", null],
  ["Dossier 每月多少钱？", null],
  ["Dossier 是哪一年成立的？", null],
  ["Dossier 有多少用户？", null],
  ["谁开发了 Dossier？", null],
];
const IDEOGRAPH = /\p{sc=Han}/u;

test("the documentation answers what it tells, in the language of the question, and nothing else", async () => {
  const dossier = await openDossier({ environment: { CORPUS_DIR: DOCS } });
  for (const [question, says] of QUESTIONS) {
    const { id } = await dossier.start({ question });
    const { termination, report } = await dossier.finish(id);
    const quotes = report?.citations.map(({ quote }) => quote) ?? [];
    expect([question, termination?.reason]).toEqual([question, says === null ? "no_answer" : "completed"]);
    if (says === null) continue;
    expect(quotes.join("\n")).toContain(says);
    if (!IDEOGRAPH.test(question)) expect([question, ...quotes.filter((quote) => IDEOGRAPH.test(quote))]).toEqual([question]);
  }
}, 60_000);
