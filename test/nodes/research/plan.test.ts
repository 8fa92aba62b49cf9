import { describe, expect, it } from "vitest";
import type { Todo, TodoStatus } from "../../../src/domain/plan.ts";
import { adoptPlan } from "../../../src/nodes/research/plan.ts";
import { newTodo } from "../../../src/nodes/research/todos.ts";
import { todo } from "../../fakes/scripted-research.ts";

const stood = (id: string, status: TodoStatus, dependsOn: string[] = []): Todo => ({
  ...newTodo(todo(id, `about ${id}`, { dependsOn }), 1),
  status,
});
const shown = (todos: readonly Todo[]) => todos.map(({ id, status, planRound }) => `${id} ${status} ${planRound}`);
const BEFORE = [
  stood("T1", "completed"),
  stood("T2", "failed"),
  stood("T3", "skipped", ["T2"]),
  stood("T4", "failed"),
  stood("T5", "completed"),
];

describe("the latest plan", () => {
  it("is the user's question if the first plan is empty", () => {
    expect(adoptPlan([], [], "谁？", 1).todos).toMatchObject([{ id: "T1", description: "谁？", status: "pending" }]);
  });

  it("replaces a plan that was never executed", () => {
    const { todos } = adoptPlan([todo("B", "b")], [stood("A", "pending")], "?", 2);
    expect(shown(todos)).toEqual(["B pending 2"]);
  });

  it("keeps the completed todos that it names without executing them again, drops the other ones, and skips what failed", () => {
    const { todos, changed } = adoptPlan([todo("T5", "reworded"), todo("T9", "new", { dependsOn: ["T5"] })], BEFORE, "?", 2);
    expect(shown(todos)).toEqual(["T3 skipped 1", "T4 skipped 1", "T5 completed 1", "T9 pending 2"]);
    expect(changed).toBe(true);
  });

  it("keeps a failed todo that it leaves out, if it has no new one instead", () => {
    const left = adoptPlan([todo("T1", "x"), todo("T5", "y")], BEFORE, "?", 2);
    expect(shown(left.todos)).toEqual(["T1 completed 1", "T2 failed 1", "T3 skipped 1", "T4 failed 1", "T5 completed 1"]);
    expect(left.changed).toBe(false);
    const { todos } = adoptPlan([todo("T1", "x"), todo("T4", "再查一次")], BEFORE, "?", 2);
    expect(shown(todos)).toEqual(["T1 completed 1", "T2 failed 1", "T3 skipped 1", "T4 pending 2"]);
  });

  it("keeps a completed todo that one of its own depends on", () => {
    const { todos } = adoptPlan([todo("T5", "x"), todo("T9", "new", { dependsOn: ["T1"] })], BEFORE, "?", 2);
    expect(shown(todos)).toEqual(["T1 completed 1", "T3 skipped 1", "T4 skipped 1", "T5 completed 1", "T9 pending 2"]);
  });

  it("that names only failed todos keeps all completed ones, and restarts what was skipped because of them", () => {
    const { todos } = adoptPlan([todo("T2", "worded anew")], BEFORE, "?", 2);
    expect(shown(todos)).toEqual(["T1 completed 1", "T2 pending 2", "T3 pending 2", "T4 failed 1", "T5 completed 1"]);
  });

  it("puts a new todo in the place of the first failed one", () => {
    const { todos } = adoptPlan([todo("N", "instead")], BEFORE, "?", 3);
    expect(shown(todos)).toEqual(["T1 completed 1", "T3 skipped 1", "T4 failed 1", "T5 completed 1", "N pending 3"]);
  });

  it("recognizes a completed todo by its words, whatever its id", () => {
    const { todos, changed } = adoptPlan([{ ...todo("N", "about T1"), id: "N" }], BEFORE.slice(0, 1), "?", 2);
    expect(shown(todos)).toEqual(["T1 completed 1"]);
    expect(changed).toBe(false);
  });

  it("changes nothing where it is empty", () => {
    expect(adoptPlan([], BEFORE, "?", 2)).toEqual({ todos: BEFORE, changed: false });
    expect(adoptPlan([todo("T1", "x"), todo("T5", "x")], BEFORE, "?", 2).changed).toBe(false);
  });
});
