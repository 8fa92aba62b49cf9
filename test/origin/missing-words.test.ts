import { expect, it } from "vitest";
import { PROGRAM } from "../../src/compose/process.ts";
import type { Run } from "../../src/domain/run.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import { startService } from "../helpers/start-service.ts";

const CORPUS = {
  "深度求索.md": "# 深度求索公司\n\n深度求索公司成立于2023年，总部在杭州，由梁文锋创立，研发大语言模型。\n",
  "harbour.md":
    "# The harbour of Aldermoor\n\nThe harbour of Aldermoor freezes over in January. Its wall is made of granite from Tolmere.\n",
  "tea.txt": "白毫银针产于福鼎，是用茶芽制成的白茶，冲泡后滋味清鲜。\n",
  "kestrel.md": "# The Kestrel company\n\nThe Kestrel company has its office in Molde and sells nets.\n",
  "quillmark.md": "# Quillmark Robotics\n\nQuillmark Robotics builds sorting machines in Trondheim. It employs four hundred people.\n",
};

async function openService() {
  const service = await startService({ corpus: CORPUS });
  await service.prepare(new AbortController().signal);
  return async (question: string) => (await service.ask({ question })) as Run;
}

it("a question about a known subject is answered, and the report says which word no source has", async () => {
  const ask = await openService();
  for (const [question, quoted, missing] of [
    ["深度求索公司的基本情况", /总部在杭州/, "基本"],
    ["白毫银针的口碑", /产于福鼎/, "口碑"],
    ["深度求索公司的基本背景与口碑", /总部在杭州/, "口碑"],
    ["What is the general shape of the harbour of Aldermoor?", /freezes over/, "general"],
    ["Tell me about the reputation of Quillmark Robotics", /sorting machines/, "reputation"],
  ] as const) {
    const { termination, report } = await ask(question);
    expect([termination?.reason, report?.markdown]).toEqual(["completed", expect.stringMatching(quoted)]);
    expect(termination?.detail).toContain(missing);
    expect(report?.missing).toEqual([termination?.detail]);
  }
});

it("a question is refused if no page has its name, or all other words in its title; the name is said to be missing", async () => {
  const ask = await openService();
  for (const [question, missing] of [
    ["白毫银针的口碑与排名", "口碑"],
    ["苹果公司的基本情况", "“苹果”"],
    ["Background of the Fabrikam company", "“Fabrikam”"],
  ] as const)
    expect((await ask(question)).termination).toMatchObject({ reason: "no_answer", detail: expect.stringContaining(missing) });
  // The segmenter does not know these names.
  for (const question of ["华为总部在哪里", "京东公司的总部"])
    expect((await ask(question)).termination?.detail).toContain(`所有来源中都找不到：“${question.slice(0, 2)}”。`);
});

it.each(["executor", "research"])("the report of %s names the missing word above its quotes in every file", async (graph) => {
  const service = await startService({ corpus: CORPUS });
  await service.prepare(new AbortController().signal);
  const { id, report } = (await service.ask({ question: "Which granite has the harbour of Bexley?", graph })) as Run;
  const file = async (path: string): Promise<string> => (await fetch(`${service.url}/research/${id}/${path}`)).text();
  const texts = [report?.markdown ?? "", await file("report?format=md"), await file("report?format=html")];
  for (const text of texts) expect(text).toMatch(/Missing: Not found in any source: “Bexley”\.[\s\S]*made of granite/);
  expect(verifyBundle(Buffer.from(await file("bundle")), PROGRAM)).toMatchObject({ faults: [], renderedAgain: true });
});
