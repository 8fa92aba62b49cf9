import { expect, it } from "vitest";
import { planQuery } from "../../../src/domain/queries.ts";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { expectSameAgain, research, statuses } from "./ask-research.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";
const WALL = "What is the harbour wall made of?";

it("asks a planner that never stops three times, then works with its last plan", async () => {
  const parts = {
    research: scriptedResearch({ plan: (_, call) => ({ todos: [todo(`T${call}`, QUESTION)], needsMorePlanning: true }) }),
  };
  const done = await research({ question: QUESTION }, { parts });
  expect(done.run.error).toBeNull();
  expect(parts.research.planned).toHaveLength(3);
  expect(parts.research.planned.map(({ round }) => round)).toEqual([1, 2, 3]);
  expect(statuses(done.run.todos)).toBe("T3 completed");
  expect(done.run.termination?.reason).toBe("completed");
  await expectSameAgain(done, parts);
});

it("ends although a verifier never agrees, and says what was not accepted", async () => {
  const parts = {
    research: scriptedResearch({
      plan: () => ({ todos: [todo("T1", QUESTION), todo("T2", WALL)] }),
      verify: ({ executed }) => ({
        allCompleted: false,
        overallFeedback: "还不够",
        tasks: executed.map((one) => ({ id: one.todo.id, completed: one.todo.id === "T2", feedback: "不可信" })),
      }),
    }),
  };
  const done = await research({ question: QUESTION }, { parts });
  // The second plan brought nothing new, so there is no third.
  expect(parts.research.planned).toHaveLength(2);
  expect(parts.research.verified).toHaveLength(2);
  expect(parts.research.planned[1]).toMatchObject({
    feedback: "还不够",
    todos: [{ status: "failed", feedback: "不可信" }, { status: "completed" }],
  });
  expect(statuses(done.run.todos)).toBe("T1 failed, T2 completed");
  expect(done.run.termination).toEqual({
    reason: "no_progress",
    node: "verify",
    detail: `not answered: T1 ${QUESTION}`,
  });
  expect(done.run.report?.missing).toEqual([QUESTION]);
  // The findings stay as evidence.
  expect(done.run.report?.citations.length).toBeGreaterThan(1);
  await expectSameAgain(done, parts);
});

it("executes a todo again with another query, at most ten times, and not if a round brought nothing new", async () => {
  const rounds = scriptedResearch({
    plan: () => ({
      todos: [
        todo("T1", "Who painted the portrait of Isolde Farrow?"),
        todo("T2", "Who sang at the gate of Isolde Farrow?"),
        todo("三", "谁在门口唱歌？"),
      ],
    }),
    assess: ({ todo: { id }, round }) => ({
      nextAction: "continue",
      shouldContinue: true,
      nextQuery: id === "T2" ? null : planQuery(id === "T1" ? `kestrel${round}` : "osprey"),
    }),
  });
  const corpus = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${at}.txt`, `kestrel${at} was seen.`]));
  const { run } = await research({ question: QUESTION }, { parts: { research: rounds }, corpus, environment: { MAX_MODEL_CALLS: "100" } });
  expect(run.todos?.map(({ id, status, rounds }) => [id, status, rounds])).toEqual([
    ["T1", "completed", 10],
    ["T2", "failed", 1],
    ["三", "failed", 2],
  ]);
  expect(rounds.assessed.filter(({ todo: { id } }) => id === "三").map(({ round }) => round)).toEqual([1, 1]);
});
