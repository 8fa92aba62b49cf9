import { expect, it } from "vitest";
import { notUnderstood, promptFor, readAnswer, shownQuestion } from "../../src/cli/answers.ts";
import { openTodoLines } from "../../src/cli/ask.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import type { Todo } from "../../src/domain/plan.ts";
import type { Pending } from "../../src/domain/run.ts";
import { newTodo } from "../../src/nodes/research/todos.ts";
import { todo } from "../fakes/scripted-research.ts";

const TODOS = [todo("T1", "谁建造了灯塔？"), todo("T2", "What is the wall made of?"), todo("T3", "And then?", { dependsOn: ["T1", "T2"] })];
const pending = (kind: Pending["kind"]): Pending => ({
  ...{ id: "0.0", path: "", kind, prompt: "Shall these 3 todos be executed?", call: null },
  plan: kind === "plan" ? (JSON.parse(JSON.stringify({ todos: TODOS })) as Pending["plan"]) : null,
});

it("shows a plan with its numbers", () => {
  expect(shownQuestion(pending("plan"))).toEqual([
    "waits for an answer: Shall these 3 todos be executed?",
    "  1. 谁建造了灯塔？ (T1)",
    "  2. What is the wall made of? (T2)",
    "  3. And then? (T3, after T1, T2)",
  ]);
  expect(promptFor(pending("plan"))).toBe("y, -2,3 to remove these todos, or a reason against it> ");
});

it("reads yes, the numbers of todos to leave out, or a reason as the answer to a plan", () => {
  expect(readAnswer(pending("plan"), " 同意 ")).toEqual({ pendingId: "0.0", approve: true });
  expect(readAnswer(pending("plan"), "只要灯")).toEqual({ pendingId: "0.0", approve: false, reason: "只要灯" });
  expect(readAnswer(pending("plan"), "-2")).toMatchObject({ plan: { todos: [{ id: "T1" }, { id: "T3", dependsOn: ["T1"] }] } });
  expect(readAnswer(pending("plan"), "- 1，2")).toMatchObject({ plan: { todos: [{ id: "T3", dependsOn: [] }] } });
  expect(readAnswer(pending("plan"), "－１")).toMatchObject({ plan: { todos: [{ id: "T2" }, { id: "T3", dependsOn: ["T2"] }] } });
  expect(readAnswer(pending("confirmation"), "-2")).toEqual({ pendingId: "0.0", approve: false, reason: "-2" });
  expect(readAnswer(pending("question"), "-2")).toEqual({ pendingId: "0.0", answer: "-2" });
});

it.each(["-4", "-0", "-9,1", "－9", "2,3", "-1-2", "-2x", "-2 不要", "-", "", "  "])(
  "reads %j as a typing error and not as a reason against a plan",
  (line) => {
    expect(readAnswer(pending("plan"), line)).toBeNull();
    expect(notUnderstood(pending("plan"))).toContain("todos 1 to 3");
  },
);

it.each(["- too broad", "第2项不要", "2 todos are enough", "no"])("reads %j as a reason against a plan", (line) => {
  expect(readAnswer(pending("plan"), line)).toEqual({ pendingId: "0.0", approve: false, reason: line });
});

it("shows only what has changed in the todos", () => {
  const lines = openTodoLines();
  const said = (todos: Todo[]) =>
    lines({
      type: "component",
      component: "todo-list",
      props: { todos } as never,
      partial: false,
      seq: 1,
      runId: "r",
      at: "",
      path: "",
    } as RunEvent);
  const [one, two] = [newTodo(todo("T1", "谁？"), 1), newTodo(todo("T2", "What?"), 1)];
  expect(said([one, two])).toEqual(["  todo T1 pending: 谁？", "  todo T2 pending: What?"]);
  expect(said([{ ...one, status: "executing" }, two])).toEqual(["  todo T1 executing"]);
  expect(
    said([
      { ...one, status: "completed", answeredBy: "conversation" },
      { ...two, status: "failed", feedback: "没有找到" },
    ]),
  ).toEqual(["  todo T1 completed by conversation", "  todo T2 failed: 没有找到"]);
});
