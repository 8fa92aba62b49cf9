import { expect, it } from "vitest";
import { normalizePlan } from "../../src/domain/normalize-plan.ts";
import type { PlannedTodo } from "../../src/domain/plan.ts";

const todo = (id: string, description: string, dependsOn: string[] = []): PlannedTodo => ({
  id,
  description,
  doneCriteria: "",
  keyFacts: [],
  priority: 1,
  dependsOn,
});
const shapeOf = (plan: readonly PlannedTodo[]) => plan.map(({ id, description, dependsOn }) => [id, description, dependsOn]);

it("leaves a valid plan unchanged", () => {
  const plan = [todo("T1", "甲的人口"), todo("T2", "乙的人口"), todo("T3", "哪个更大", ["T1", "T2"])];
  expect(normalizePlan(plan)).toEqual(plan);
});

it("assigns ids where they are missing, odd or duplicate, and lets references point to the first todo with the id", () => {
  const plan = [todo("", "a"), todo("1", "b"), todo("1", "c", ["1"]), todo(" a/b c ", "d", ["a/b c"]), todo("第一步", "e", ["1"])];
  expect(shapeOf(normalizePlan(plan))).toEqual([
    ["T1", "a", []],
    ["1", "b", []],
    ["T3", "c", ["1"]],
    ["a-b-c", "d", []],
    ["第一步", "e", ["1"]],
  ]);
});

it("drops todos without words, duplicates, and dependencies on todos that do not exist", () => {
  const plan = [
    todo("T1", "The height."),
    todo("T2", "  "),
    todo("T3", "the  height", ["T1"]),
    todo("T4", "年份", ["T3", "T2", "T4", "X", "T1"]),
  ];
  expect(shapeOf(normalizePlan(plan))).toEqual([
    ["T1", "The height.", []],
    ["T4", "年份", ["T1"]],
  ]);
});

it("drops the dependency that would close a cycle", () => {
  const plan = [todo("T1", "a", ["T3"]), todo("T2", "b", ["T1"]), todo("T3", "c", ["T2"]), todo("T4", "d", ["T3"])];
  expect(shapeOf(normalizePlan(plan))).toEqual([
    ["T1", "a", ["T3"]],
    ["T2", "b", ["T1"]],
    ["T3", "c", []],
    ["T4", "d", ["T3"]],
  ]);
});

it("keeps 8 new todos, and 20 together with the existing ones, which others may depend on", () => {
  const many = Array.from({ length: 12 }, (_, i) => todo(`T${i + 1}`, `fact ${i + 1}`));
  expect(normalizePlan(many).map(({ id }) => id)).toEqual(["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8"]);
  expect(normalizePlan(many, [], 20)).toHaveLength(12);
  const earlier = ["T1", "T2", "T3", "T4"];
  expect(normalizePlan(many, earlier).map(({ id }) => id)).toHaveLength(12);
  expect(normalizePlan([todo("N", "new", ["T4"]), todo("", "newer")], earlier)).toMatchObject([{ dependsOn: ["T4"] }, { id: "T5" }]);
  const all = Array.from({ length: 30 }, (_, i) => `T${i + 1}`);
  expect(
    normalizePlan(
      all.map((id) => todo(id, id)),
      all,
    ),
  ).toHaveLength(20);
});
