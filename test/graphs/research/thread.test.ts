import { expect, it } from "vitest";
import { verifyBundle } from "../../../src/reports/bundle/verify-bundle.ts";
import { openDossier, TENANT, type TestDossier } from "../../helpers/open-dossier.ts";
import { expectSameAgain } from "./ask-research.ts";

const CORPUS = {
  "harbour.md":
    "# Tolmere\n\nThe Orin Bridge was opened in 1931. It is painted green.\n\nThe Kest Mill was built in 1808 by Mara Lind. The mill has two wheels.\n",
  "湖.md": "# 雾川湖\n\n雾川湖的面积是42平方公里。湖水来自雪山。\n\n银湾湖的面积是17平方公里。\n",
};

async function ask(dossier: TestDossier, question: string, more: object = {}) {
  const { id } = await dossier.start({ question, graph: "research", ...more });
  return dossier.finish(id);
}

it.each([
  ["When was the Orin Bridge opened?", "When did the Orin Bridge open?", "The Orin Bridge was opened in 1931."],
  ["雾川湖的面积是多少？", "请问雾川湖的面积是多少？", "雾川湖的面积是42平方公里。"],
])("answers “%s” a second time with the quotes of the thread's earlier run, and looks for nothing", async (first, again, sentence) => {
  const dossier = await openDossier({ corpus: CORPUS });
  const before = await ask(dossier, first, { threadId: "thread" });
  const { id } = await dossier.start({ question: again, graph: "research", threadId: "thread" });
  const run = await dossier.finish(id);
  expect(run.todos?.map(({ status, answeredBy }) => [status, answeredBy])).toEqual([["completed", "conversation"]]);
  expect(run.termination).toEqual({ reason: "answered", node: "summarise", detail: "from the conversation" });
  expect(run.usage.sourceRequests).toBe(0);
  const claims = run.report?.claims ?? [];
  expect(claims.map(({ text }) => text)).toContain(sentence);
  expect(claims.every(({ supported, origins }) => supported && origins === 1)).toBe(true);
  expect(run.report?.coverage).toMatchObject({ unsupported: 0 });
  const quotes = (before.report?.citations ?? []).map(({ quote }) => quote);
  for (const { quote } of run.report?.citations ?? []) expect(quotes).toContain(quote);
  expect(run.report?.sources.map(({ status }) => status)).toEqual(["read"]);
  await expectSameAgain({ dossier, run }, {});
  const bundle = (await Array.fromAsync(dossier.runs.bundle(TENANT, id))).join("");
  expect(verifyBundle(new TextEncoder().encode(bundle), `dossier ${dossier.version}`).faults).toEqual([]);
});

it("keeps the quotes when the earlier run is deleted, and a run of another thread is told nothing of it", async () => {
  const dossier = await openDossier({ corpus: CORPUS });
  const question = "Who built the Kest Mill?";
  const before = await ask(dossier, question, { threadId: "one" });
  const run = await ask(dossier, question, { threadId: "one" });
  await dossier.runs.delete(TENANT, before.id);
  const [citation] = run.report?.citations ?? [];
  const document = await dossier.runs.document(TENANT, run.id, citation?.contentHash ?? "");
  expect(document.text.slice(citation?.start, citation?.end)).toBe("The Kest Mill was built in 1808 by Mara Lind.");
  const other = await ask(dossier, question, { threadId: "two" });
  expect(other.todos?.map(({ answeredBy }) => answeredBy)).toEqual(["execution"]);
});

it("says of an answer that was given elsewhere the sentence that answers, as not verified", async () => {
  const answer =
    "# Bridges\n\n## Orin Bridge\n\n1. The Orin Bridge was opened in **1931** [1].\n2. The Kest Mill grinds barley. [2]\n\n> a quote\n\n[1] harbour.md";
  const messages = [
    { role: "user", content: "When was the Orin Bridge opened?" },
    { role: "assistant", content: answer },
  ];
  const run = await ask(await openDossier({ corpus: CORPUS }), "When did the Orin Bridge open?", { messages });
  expect(run.report?.claims.map(({ text, supported }) => [text, supported])).toEqual([["The Orin Bridge was opened in 1931.", false]]);
});

const UNANSWERED = { a: "Who is the keeper of the Orin Bridge?", b: "银湾湖有多深？", c: "Does the Kest Mill sell flour?" };

it.each(["executor", "research"])("looks again for what a run of the graph %s has not answered before", async (graph) => {
  const dossier = await openDossier({ corpus: CORPUS });
  for (const [threadId, question] of Object.entries(UNANSWERED)) {
    const before = await ask(dossier, question, { graph, threadId });
    expect(before.termination?.reason).toBe("no_answer");
    const run = await ask(dossier, question, { threadId });
    expect(run.termination?.reason).toBe("no_answer");
    expect(run.todos?.map(({ answeredBy }) => answeredBy)).not.toContain("conversation");
    expect(run.usage.sourceRequests).toBeGreaterThan(0);
  }
});

it.each([
  ["When was the Orin Bridge opened?", "I do not know when the Orin Bridge was opened.", "The Orin Bridge was opened in 1931."],
  ["雾川湖的面积是多少？", "我来查一下雾川湖的面积是多少。", "雾川湖的面积是42平方公里。"],
])("looks for “%s” where “%s” was all that was said", async (question, said, sentence) => {
  const messages = [
    { role: "user", content: question },
    { role: "assistant", content: said },
  ];
  const run = await ask(await openDossier({ corpus: CORPUS }), question, { messages });
  expect(run.todos?.map(({ status, answeredBy }) => [status, answeredBy])).toEqual([["completed", "execution"]]);
  expect(run.report?.claims.map(({ text }) => text)).toContain(sentence);
});
