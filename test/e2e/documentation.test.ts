import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROGRAM } from "../../src/compose/process.ts";
import { replay } from "../../src/compose.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import { makeHome, openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";

const DOCS = new URL("../../docs", import.meta.url).pathname;

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

/** Questions of which the documentation has all words but one. They are quoted, and the termination names that word. */
const ONE_WORD_MISSING = [
  ["What is the capital of France?", "France"],
  ["Is there a Slack channel?", "Slack"],
] as const;

let home = "";
beforeAll(async () => {
  home = await makeHome({});
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** The service over the documentation, which is indexed once for all tests. A search would wait for the index for a limited time. */
async function open(): Promise<TestDossier> {
  const dossier = await openDossier({ dir: home, environment: { CORPUS_DIR: DOCS } });
  await dossier.prepare(new AbortController().signal);
  return dossier;
}

const isChinese = ([question]: (typeof QUESTIONS)[number]): boolean => /\p{sc=Han}/u.test(question);

test.each(["English", "Chinese"])("the documentation answers in %s what it covers, and nothing else", async (language) => {
  const dossier = await open();
  for (const [question, says] of QUESTIONS.filter((one) => isChinese(one) === (language === "Chinese"))) {
    const { id } = await dossier.start({ question });
    const { termination, report } = await dossier.finish(id);
    const quotes = report?.citations.map(({ quote }) => quote) ?? [];
    expect([question, termination?.reason]).toEqual([question, says === null ? "no_answer" : "completed"]);
    if (says !== null) expect(quotes.join("\n")).toContain(says);
  }
});

test.each(ONE_WORD_MISSING)("%s is quoted, and the word that is missing is named", async (question, missing) => {
  const dossier = await open();
  const { termination } = await dossier.finish((await dossier.start({ question })).id);
  expect(termination).toMatchObject({ reason: "completed", detail: `Not found in any source: “${missing}”.` });
});

test("a run over the documentation can be replayed, and its bundle verifies", async () => {
  const dossier = await open();
  const { id } = await dossier.start({ question: "How does the optional-tool loop end?" });
  await dossier.finish(id);
  expect((await replay(await readRecording(await dossier.recordingLines(id)))).difference).toBeNull();
  const pieces = await Array.fromAsync(dossier.runs.bundle(TENANT, id));
  expect(verifyBundle(Buffer.from(pieces.join("")), PROGRAM)).toMatchObject({ faults: [], renderedAgain: true });
});
