import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { BUILDER, failed, plan, WALL, YEAR } from "../../fakes/scripted-roles.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const CHAIN = [
  { id: "T1", description: BUILDER },
  { id: "T2", description: YEAR, dependsOn: ["T1"] },
  { id: "T3", description: WALL, dependsOn: ["T2"] },
];

it("names the download limit to planner and user if nothing may be read any more", async () => {
  const asked = await researchByModel(
    { "planner-response": [plan(CHAIN.slice(0, 1))], "executor-response": [failed("")] },
    { question: BUILDER, limits: { downloads: 0 } },
  );
  expect(asked.run.todos).toMatchObject([{ status: "failed", feedback: "The run had no download left to read what was found." }]);
  expect(asked.run.termination).toMatchObject({ reason: "no_answer" });
  expect(asked.run.termination?.detail).toMatch(/^no download was left \(limits\.downloads, or the depth\); /);
  expect(asked.run.report?.ledger.filter(({ failure }) => failure === "download_cap")).not.toEqual([]);
  expect(asked.run.report?.markdown).toContain("limits.downloads");
  expect(askedOf(asked, "planner-response").length).toBeGreaterThan(1);
  await expectReplay(asked);
});

it.each([
  ["en", "After one document read for it, the run had no download left to read more."],
  ["zh", "为它阅读了 1 篇文档之后，本次运行的下载次数已用完，无法继续阅读。"],
])("says how much was read before no download was left: %s", async (language, feedback) => {
  const again = say.component("executor-response", {
    ...{
      taskCompleted: false,
      shouldContinue: true,
      nextAction: "continue",
      summary: "",
      nextQuery: WALL,
    },
  });
  const asked = await researchByModel(
    {
      "planner-response": [plan([{ id: "T1", description: BUILDER }])],
      "executor-response": ({ count }) => (count % 2 === 0 ? again : failed("")),
      text: [say.text("NO ANSWER: no passage says it")],
    },
    { question: BUILDER, language, limits: { downloads: 1 } },
  );
  expect(asked.run.todos?.[0]).toMatchObject({ status: "failed", feedback });
  await expectReplay(asked);
});
