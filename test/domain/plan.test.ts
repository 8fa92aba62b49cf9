import { expect, it } from "vitest";
import { skipUnfinishedTodos, type Todo, TodoSchema } from "../../src/domain/plan.ts";

const stood = (id: string, status: Todo["status"], feedback: string | null = null): Todo =>
  TodoSchema.parse({
    ...{ id, description: `谁建造了${id}？`, status, planRound: 1, rounds: 0, answeredBy: null, result: null },
    ...{ feedback, ms: 0, path: `todo:${id}` },
  });

it("marks todos that the run did not finish as skipped, and leaves the others unchanged", () => {
  const todos = [stood("A", "completed"), stood("乙", "executing"), stood("C", "pending", "It waits."), stood("D", "failed", "x")];
  const ended = skipUnfinishedTodos(todos, "The run ended.");
  expect(ended.map(({ id, status, feedback }) => [id, status, feedback])).toEqual([
    ["A", "completed", null],
    ["乙", "skipped", "The run ended."],
    ["C", "skipped", "It waits."],
    ["D", "failed", "x"],
  ]);
  expect(ended[0]).toBe(todos[0]);
});
