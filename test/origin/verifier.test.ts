import { describe, expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { BUILDER, failed, plan, verdict } from "../fakes/scripted-roles.ts";
import { UNVERIFIED } from "../helpers/claims.ts";
import { startModelService } from "./model-service.ts";

const POEM = "大海啊，你的浪花拍打着黎明。";
const TASK = { id: "T1", description: "写一首关于大海的诗" };
const executed = (taskCompleted: boolean) =>
  say.component("executor-response", { taskCompleted, nextAction: taskCompleted ? "complete" : "skip", summary: POEM });
const accepted = verdict(true, [{ id: "T1", completed: true, feedback: "" }], "完成。");
const rejected = verdict(false, [{ id: "T1", completed: false, feedback: "没有押韵" }]);
const unsaid = say.text("NO ANSWER: no passage says it");

describe("the verifier's word", () => {
  it.each([
    ["completes a todo that the executor calls completed, whatever its sentences stand on", true],
    ["completes a todo that the executor gave up", false],
  ])("%s", async (_, byExecutor) => {
    const { ask, events, model } = await startModelService({
      "planner-response": [plan([TASK])],
      "executor-response": [executed(byExecutor)],
      "verifier-response": [accepted],
      "summary-response": [say.component("summary-response", { answer: POEM })],
      text: [unsaid],
      tools: [say.text("Enough is known.")],
    });
    const run = await ask({ question: TASK.description });
    expect([run.error, model.unexpected]).toEqual([null, []]);
    const components = (await events(run.id)).flatMap((event) => (event.type === "component" && !event.partial ? [event] : []));
    const last = (name: string) => components.findLast(({ component }) => component === name)?.props;
    expect(last("verifier-response")).toMatchObject({ tasks: [{ id: "T1", completed: true }] });
    expect(last("todo-list")).toMatchObject({ todos: [{ id: "T1", status: "completed" }] });
    expect(run.todos).toMatchObject([{ id: "T1", status: "completed" }]);
    // It was to search, and nothing of the report is checked.
    expect(run.termination).toMatchObject({ reason: "no_answer", node: "summarize" });
    expect(run.usage.modelCalls).toBe(4);
    if (byExecutor) expect(run.report?.claims).toMatchObject([{ text: POEM, citations: [], ...UNVERIFIED }]);
    // Nothing is planned again.
    expect(components.filter(({ component }) => component === "planner-response")).toHaveLength(1);
  });

  it("fails a todo that the executor calls completed, which is planned again", async () => {
    const { ask } = await startModelService({
      "planner-response": [plan([TASK]), plan([{ id: "T1", description: BUILDER }])],
      "verifier-response": [rejected, verdict(true)],
    });
    const run = await ask({ question: BUILDER });
    expect(run.todos).toMatchObject([{ id: "T1", description: BUILDER, planRound: 2, status: "completed" }]);
    expect(run.termination?.reason).toBe("completed");
  });

  it("leaves a todo as it is that it does not name", async () => {
    const { ask } = await startModelService({
      "planner-response": [
        plan([
          { id: "T1", description: BUILDER },
          { id: "二", description: "海有多深？" },
        ]),
      ],
      "executor-response": ({ said }) =>
        (said.includes("Task 二:") ? failed("没有找到。") : undefined) ?? say.component("executor-response", { taskCompleted: true }),
      "verifier-response": [verdict(true, [{ id: "T1", completed: true }])],
    });
    const run = await ask({ question: BUILDER });
    expect(run.todos?.map(({ status }) => status)).toEqual(["completed", "failed"]);
  });
});
