import { expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { startService } from "../helpers/start-service.ts";

const CORPUS = {
  "深度求索.md": "# 深度求索公司\n\n深度求索公司成立于2023年，总部在杭州，由梁文锋创立，研发大语言模型。\n",
  "harbour.md":
    "# The harbour of Aldermoor\n\nThe harbour of Aldermoor freezes over in January. Its wall is made of granite from Tolmere.\n",
  "tea.txt": "白毫银针产于福鼎，是用茶芽制成的白茶，冲泡后滋味清鲜。\n",
  "quillmark.md": "# Quillmark Robotics\n\nQuillmark Robotics builds sorting machines in Trondheim. It employs four hundred people.\n",
};

it.each<[question: string, quoted: RegExp, missing: string]>([
  ["深度求索公司的基本情况", /总部在杭州/, "基本"],
  ["深度求索的大致面貌", /总部在杭州/, "大致"],
  ["请介绍深度求索公司的总体情况", /总部在杭州/, "总体"],
  ["白毫银针的口碑", /产于福鼎/, "口碑"],
  ["深度求索公司的基本背景与口碑", /总部在杭州/, "口碑"],
  ["What is the general shape of the harbour of Aldermoor?", /freezes over/, "general"],
  ["Give me the basic facts about Quillmark Robotics", /sorting machines/, "basic"],
  ["Tell me about the reputation of Quillmark Robotics", /sorting machines/, "reputation"],
])("%s is answered, and the report says which word no source has", async (question, quoted, missing) => {
  const service = await startService({ corpus: CORPUS });
  await service.prepare(new AbortController().signal);
  const { termination, report } = (await service.ask({ question })) as Run;
  expect([termination?.reason, report?.markdown]).toEqual(["completed", expect.stringMatching(quoted)]);
  expect(termination?.detail).toContain(missing);
});

it("several words that no source has still refuse, if no page has all the others in its title", async () => {
  const service = await startService({ corpus: CORPUS });
  await service.prepare(new AbortController().signal);
  const { termination } = (await service.ask({ question: "白毫银针的口碑与排名" })) as Run;
  expect(termination).toMatchObject({ reason: "no_answer", detail: expect.stringContaining("口碑") });
});
