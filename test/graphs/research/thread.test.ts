import { expect, it } from "vitest";
import { openDossier, type TestDossier } from "../../helpers/open-dossier.ts";
import { expectSameAgain } from "./ask-research.ts";

const CORPUS = { "湖.md": "# 雾川湖\n\n雾川湖的面积是42平方公里。湖水来自雪山。\n" };
const QUESTION = "雾川湖的面积是多少？";
const AREA = "雾川湖的面积是42平方公里。";

async function ask(dossier: TestDossier, more: object) {
  const { id } = await dossier.start({ question: QUESTION, graph: "research", ...more });
  return dossier.finish(id);
}

it("without a model, searches again for a question that an earlier run of the thread has answered, in what the sources have now", async () => {
  const dossier = await openDossier({ corpus: CORPUS });
  await ask(dossier, { threadId: "thread" });
  const run = await ask(dossier, { threadId: "thread" });
  expect(run.todos?.map(({ status, answeredBy }) => [status, answeredBy])).toEqual([["completed", "execution"]]);
  expect(run.usage.sourceRequests).toBeGreaterThan(0);
  expect(run.report?.claims.map(({ text }) => text)?.join("\n")).toContain(AREA);
  await expectSameAgain({ dossier, run }, {});
});

it("searches again for the content of the conversation, and shows none of it as its own finding", async () => {
  const messages = [
    { role: "user", content: QUESTION },
    { role: "assistant", content: "雾川湖的面积是17平方公里。" },
  ];
  const run = await ask(await openDossier({ corpus: CORPUS }), { messages });
  expect(run.todos?.map(({ status, answeredBy }) => [status, answeredBy])).toEqual([["completed", "execution"]]);
  expect(run.report?.claims.every(({ supported }) => supported)).toBe(true);
  expect(run.report?.markdown).not.toContain("17平方公里");
});
