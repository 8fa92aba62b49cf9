import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { BUILDER, done, failed, GRANITE, plan, verdict, WALL, YEAR } from "../../fakes/scripted-roles.ts";
import { statuses } from "./ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const CHAIN = [
  { id: "T1", description: BUILDER },
  { id: "T2", description: YEAR, dependsOn: ["T1"] },
  { id: "T3", description: WALL, dependsOn: ["T2"] },
];

it("downloads a document once for all todos and plans, and reads the run's copy after that", async () => {
  const asked = await researchByModel(
    {
      "planner-response": [plan(CHAIN), plan([{ id: "T3", description: `再查：${WALL}` }])],
      "executor-response": ({ said }) => (said.includes(`Task T3:\n${WALL}`) ? failed("没有找到。") : done()),
      "verifier-response": ({ count }) => verdict(count > 0),
    },
    { question: `${BUILDER} ${YEAR} ${WALL}` },
  );
  expect(statuses(asked.run.todos)).toBe("T1 completed, T2 completed, T3 completed");
  const read = asked.of("document-read").map(({ sourceId }) => sourceId);
  expect(read.length).toBe(new Set(read).size);
  expect(asked.run.usage.downloads).toBe(read.length);
  const downloads = asked.run.report?.ledger.filter(({ what }) => what === "download") ?? [];
  expect(downloads.filter(({ outcome }) => outcome === "reused").length).toBeGreaterThan(2);
  expect(asked.run.report?.citations.map(({ quote }) => quote)).toContain(GRANITE);
  await expectReplay(asked);
});

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
