import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { BUILDER, done, failed, NOWHERE, plan, summary, verdict, WALL, YEAR } from "../../fakes/scripted-roles.ts";
import { statuses } from "./ask-research.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const KNOWN = { id: "T1", description: BUILDER };
const UNKNOWN = { id: "T2", description: NOWHERE };
const QUESTION = `${BUILDER} ${NOWHERE}`;
const skip = say.component("executor-response", {
  nextAction: "skip",
  taskCompleted: false,
  shouldContinue: false,
  summary: "资料里没有。",
});

it("lists skipped todos with the reason, even if the summary lists others", async () => {
  const asked = await researchByModel(
    {
      "planner-response": [plan([KNOWN, UNKNOWN])],
      "executor-response": ({ said }) => (said.includes("Task T2:") ? skip : done()),
      "summary-response": summary(["别的还不清楚。"]),
    },
    { question: QUESTION },
  );
  expect(statuses(asked.run.todos)).toBe("T1 completed, T2 skipped");
  expect(asked.run.report?.missing).toEqual(["别的还不清楚。", `${NOWHERE}（资料里没有。）`]);
  expect(asked.run.report?.markdown).toContain(NOWHERE);
  expect(asked.run.termination).toEqual({ reason: "completed", node: "summarize", detail: `not answered: T2 ${NOWHERE}` });
  await expectReplay(asked);
});

it("lists all failed todos except the one that a complete new plan has replaced", async () => {
  const third = { id: "T3", description: "谁拥有这座灯塔的雾号？" };
  const asked = await researchByModel(
    {
      "planner-response": [plan([KNOWN, UNKNOWN, third]), plan([KNOWN, { id: "T9", description: WALL }])],
      "executor-response": ({ said }) => (/Task T[23]:/.test(said) ? failed("没有找到。") : done()),
    },
    { question: QUESTION },
  );
  expect(statuses(asked.run.todos)).toBe("T1 completed, T3 skipped, T9 completed");
  expect(asked.run.report?.missing).toEqual([`${third.description}（没有找到。）`]);
  expect(asked.run.termination?.reason).toBe("completed");
});

it("accepts no figure, address or host from a summary or a judge without a citation", async () => {
  const lies = ["The fee of 4,711 crowns is unknown.", "见 evil.example 。", "Read https://evil.example/x first."];
  const feedback = "Call 555-0199 or see evil.example";
  const asked = await researchByModel(
    {
      "planner-response": [plan([KNOWN, UNKNOWN])],
      "executor-response": ({ said }) => (said.includes("Task T2:") ? failed("没有找到。") : done()),
      "verifier-response": [verdict(true, [{ id: "T2", completed: false, feedback }])],
      "summary-response": summary([...lies, "谁画的没有找到。"]),
    },
    { question: QUESTION },
  );
  expect(asked.run.report?.missing).toEqual(["谁画的没有找到。", NOWHERE]);
  for (const said of ["4,711", "evil.example", "555-0199"]) expect(asked.run.report?.markdown).not.toContain(said);
});

it("ends without progress if the verifier only objects to the whole and the planner repeats its plan without ids", async () => {
  const again = plan([{ description: BUILDER }]);
  const objection = verdict(false, [{ id: "T1", completed: true, feedback: "" }], "没有写明年份。");
  const asked = await researchByModel(
    { "planner-response": [plan([KNOWN]), again], "verifier-response": [objection] },
    { question: `${BUILDER} ${YEAR}` },
  );
  expect(asked.run.todos?.every(({ status }) => status === "completed")).toBe(true);
  expect(asked.run.termination).toEqual({ reason: "no_progress", node: "verify", detail: "the verifier: 没有写明年份。" });
  expect(asked.run.report?.missing).toEqual(["没有写明年份。"]);
  expect(askedOf(asked, "planner-response")).toHaveLength(2);
  await expectReplay(asked);
});
