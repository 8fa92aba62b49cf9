import { describe, expect, it } from "vitest";
import { planFaults, repairPlan } from "../../src/domain/check-plan.ts";
import { todo } from "../fakes/scripted-research.ts";

const edges = (todos: ReturnType<typeof repairPlan>) => todos.map(({ id, dependsOn }) => `${id}<${dependsOn.join(",")}`);

describe("a plan of a user", () => {
  it("has a fault for each reference that leads nowhere or in a circle", () => {
    expect(planFaults({ todos: [todo("甲", "a", { dependsOn: ["B"] }), todo("B", "b")] })).toEqual([]);
    expect(planFaults({ todos: [todo("A", "a", { dependsOn: ["A", "X"] })] })).toEqual([
      { path: "/todos/0/dependsOn/0", message: "is the todo itself" },
      { path: "/todos/0/dependsOn/1", message: "there is no todo X" },
    ]);
    const circle = [todo("A", "a", { dependsOn: ["C"] }), todo("B", "b", { dependsOn: ["A"] }), todo("C", "c", { dependsOn: ["B"] })];
    expect(planFaults({ todos: circle })).toEqual([{ path: "/todos/1/dependsOn/0", message: "closes a circle of todos" }]);
  });
});

describe("a plan of a planner", () => {
  it("gets ids of its own, references that lead somewhere, and no circle", () => {
    const planned = [
      todo("A", "a", { dependsOn: ["B"] }),
      todo("A", "b"),
      todo("A-2", "c", { dependsOn: ["A-2", "gone", "known", "known"] }),
    ];
    expect(edges(repairPlan(planned, new Set(["known"])))).toEqual(["A<", "A-3<", "A-2<known"]);
    const circle = [todo("甲", "a", { dependsOn: ["乙"] }), todo("乙", "b", { dependsOn: ["甲"] })];
    expect(edges(repairPlan(circle))).toEqual(["甲<乙", "乙<"]);
  });

  it("has twenty todos at most", () => {
    expect(repairPlan(Array.from({ length: 25 }, (_, at) => todo(`T${at}`, "x")))).toHaveLength(20);
  });
});
