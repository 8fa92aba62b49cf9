import { describe, expect, it } from "vitest";
import { planFaults } from "../../src/domain/normalize-plan.ts";
import { todo } from "../fakes/scripted-research.ts";

describe("a plan that the user edited", () => {
  it("has an error for each reference to a missing todo and for each cycle", () => {
    expect(planFaults({ todos: [todo("甲", "a", { dependsOn: ["B"] }), todo("B", "b")] })).toEqual([]);
    expect(planFaults({ todos: [todo("A", "a", { dependsOn: ["A", "X"] })] })).toEqual([
      { path: "/todos/0/dependsOn/0", message: "is the id of this todo, which cannot depend on itself" },
      { path: "/todos/0/dependsOn/1", message: "names the todo X, which the plan does not have" },
    ]);
    const circle = [todo("A", "a", { dependsOn: ["C"] }), todo("B", "b", { dependsOn: ["A"] }), todo("C", "c", { dependsOn: ["B"] })];
    expect(planFaults({ todos: circle })).toEqual([{ path: "/todos/2/dependsOn/0", message: "closes a cycle of dependencies" }]);
  });

  it("has the errors of its fields and of its references reported together", () => {
    const todos = [
      { id: "A", description: "", dependsOn: ["A", "gone", "甲"] },
      { id: "甲", description: "找到灯塔", dependsOn: ["A"] },
      { id: "A", priority: 0, description: "b" },
      { id: "../x y", description: "c", dependsOn: [7, "X"] },
      { description: "d" },
      null,
    ];
    expect(planFaults({ todos }).map(({ path, message }) => [path, message])).toEqual([
      ["/todos/0/description", "must have at least 1 character"],
      ["/todos/2/priority", "must be at least 1"],
      ["/todos/3/dependsOn/0", "must be a string"],
      ["/todos/4/id", "is missing"],
      ["/todos/5", "must be an object"],
      ["/todos/0/dependsOn/0", "is the id of this todo, which cannot depend on itself"],
      ["/todos/0/dependsOn/1", "names the todo gone, which the plan does not have"],
      ["/todos/1/dependsOn/0", "closes a cycle of dependencies"],
      ["/todos/2/id", "A is the id of an earlier todo"],
      ["/todos/3/id", "can contain only letters, digits, _ . -"],
      ["/todos/3/dependsOn/1", "names the todo X, which the plan does not have"],
    ]);
    expect(planFaults({ todos: [{ id: "灯塔_1.a-b", description: "x" }] })).toEqual([]);
  });

  it("has an error for each unknown field, and none for the status fields that a run adds to its todos", () => {
    const shown = { status: "failed", planRound: 2, rounds: 1, answeredBy: null, result: null, feedback: "x", citations: [1], ms: 3 };
    expect(planFaults({ todos: [{ ...todo("A", "灯塔是谁建的？"), ...shown, path: "todo:A", by: "agent" }] })).toEqual([]);
    const odd = { id: "B", description: "港墙", depends_on: ["A"], "a/b": 1, done_criteria: "" };
    expect(planFaults({ todos: [todo("A", "a"), odd], 备注: "x" })).toEqual([
      { path: "/todos/1/depends_on", message: "is not a known field" },
      { path: "/todos/1/a~1b", message: "is not a known field" },
      { path: "/todos/1/done_criteria", message: "is not a known field" },
      { path: "/备注", message: "is not a known field" },
    ]);
  });

  it("has an error for each todo that repeats an earlier one", () => {
    const todos = [todo("A", "Who kept the lamp?"), todo("乙", "谁看守灯塔？"), todo("C", "who kept  the Lamp"), todo("D", "谁看守灯塔")];
    expect(planFaults({ todos })).toEqual([
      { path: "/todos/2/description", message: "repeats the description of A" },
      { path: "/todos/3/description", message: "repeats the description of 乙" },
    ]);
  });

  it("is refused if it has no list of todos, with a short error however large it is", () => {
    for (const plan of [null, "甲", [], { todos: "x" }]) expect(planFaults(plan)).toHaveLength(1);
    const many = Array.from({ length: 30_000 }, (_, at) => ({ id: `T${at}`, description: "x", dependsOn: [`T${at + 1}`] }));
    expect(planFaults({ todos: many })).toEqual([{ path: "/todos", message: "must have at most 20 items", limit: 20 }]);
  });
});
