import { expect, it } from "vitest";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { jumpingClock } from "../../helpers/jumping-clock.ts";
import { expectSameAgain, research, statuses } from "./ask-research.ts";

const BUILDER = "Who built the lighthouse of Aldermoor?";
const WALL = "What is the harbour wall made of?";

it.each([
  [BUILDER, "The time of the run was used up before it began."],
  ["奥尔德穆尔的灯塔是谁建造的？", "在它开始之前，本次运行的时间已经用完。"],
])("says of todos that never started that the time was used up, and plans nothing that it cannot execute: %s", async (question, why) => {
  const time = jumpingClock();
  const parts = {
    clock: time.now,
    research: scriptedResearch({
      plan: () => ({ todos: [todo("T1", BUILDER), todo("T2", WALL), todo("三", "灯塔有多高？")] }),
      // The verdict of rules and models on a todo without findings.
      verify: ({ executed }) => ({
        allCompleted: false,
        overallFeedback: "Not all is answered.",
        tasks: executed.map(({ todo: { id, status } }) => ({ id, completed: status === "completed", feedback: "No passage answers it." })),
      }),
      onAsked: (asked) => time.jump(asked === "assess T1 1" ? 66_000 : asked === "verify verifier" ? 30_000 : 0),
    }),
  };
  const done = await research({ question, limits: { seconds: 90 } }, { parts, environment: { MAX_PARALLEL_TODOS: "1" } });
  expect(done.run.status).toBe("succeeded");
  expect(statuses(done.run.todos)).toBe("T1 completed, T2 failed, 三 failed");
  expect(done.run.todos?.slice(1).map(({ rounds, feedback }) => [rounds, feedback])).toEqual([
    [0, why],
    [0, why],
  ]);
  expect(parts.research.planned).toHaveLength(1);
  expect(done.run.termination).toEqual({
    reason: "time_budget",
    node: "summarize",
    detail: `the writing was cut short; not answered: T2 ${WALL}; 三 灯塔有多高？`,
  });
  await expectSameAgain(done, parts);
});

it("says of a todo that ran a round that the time was used up before its answer", async () => {
  const question = "什么是鹮鹮？";
  const time = jumpingClock();
  const parts = {
    clock: time.now,
    research: scriptedResearch({
      plan: () => ({ todos: [todo("T1", question)] }),
      assess: () => ({ taskCompleted: false, shouldContinue: true, nextAction: "retry" }),
      onAsked: (asked) => time.jump(asked === "assess T1 1" ? 66_000 : 0),
    }),
  };
  const done = await research({ question, limits: { seconds: 90 } }, { parts });
  expect(done.run.todos?.map(({ status, rounds, feedback }) => [status, rounds, feedback])).toEqual([
    ["failed", 1, "在它得到回答之前，本次运行的时间已经用完。"],
  ]);
});

it("keeps the findings of an earlier plan for a todo that there is no time to execute again, and ends with the limit", async () => {
  const time = jumpingClock();
  const parts = {
    clock: time.now,
    research: scriptedResearch({
      plan: (_, round) => ({ todos: round === 1 ? [todo("T1", BUILDER), todo("T2", WALL)] : [todo("T2", WALL)] }),
      verify: () => ({ allCompleted: false, tasks: [{ id: "T2", completed: false, feedback: "太薄弱" }] }),
      onAsked: (asked) => time.jump(asked === "plan 2" ? 69_000 : 0),
    }),
  };
  const done = await research({ question: BUILDER, limits: { seconds: 90 } }, { parts });
  expect(parts.research.planned).toHaveLength(2);
  expect(done.run.termination?.reason).toBe("time_budget");
  expect(done.run.termination?.detail).toContain(`not answered: T2 ${WALL}`);
  expect(done.run.report?.ledger.filter(({ what }) => what === "search").length).toBeGreaterThan(1);
  expect(done.run.report?.claims.map(({ text }) => text).join(" ")).toContain("granite");
});
