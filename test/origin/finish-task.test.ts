import { describe, expect, it } from "vitest";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { startWithModel } from "./run-over-http.ts";

const QUESTION = "人参果怎么吃？";
const STUB = "已为用户提供人参果的多种美味吃法";
const ANSWER =
  "人参果可以生吃，洗净去皮即可。也可以切片炒肉，与黄瓜一起凉拌，加大米煮粥，用牛奶炖，与排骨一起煲汤，还可以榨汁、做果酱、做沙拉。生吃时味道清淡，略带甜味；炒菜时要大火快炒，以免出水太多，影响口感和颜色。";
const ask = { graph: "agent", question: QUESTION };

const finish = (args: Record<string, unknown>, text = "") => say.toolCalls([{ name: "finish_task", arguments: args }], { text });
const calculate = (text: string, expression = "1+1") => say.toolCalls([{ name: "calculator", arguments: { expression } }], { text });

describe("of the texts of the response that calls finish_task", () => {
  const STOCK = "好的，我明白了。如果需要使用工具，我会调用相应的工具。";
  const ROWS: readonly [rule: string, args: Record<string, unknown>, text: string, answer: string, summary: string | null][] = [
    ["the longest is the answer, the other its summary", { summary: STUB }, ANSWER, ANSWER, STUB],
    ["a short `answer` is the summary of a long text", { answer: "已完成" }, ANSWER, ANSWER, "已完成"],
    ["the text beside no argument is the answer", {}, ANSWER, ANSWER, null],
    ["a long `answer` is the answer after a lead-in", { answer: ANSWER }, "以下是答案：", ANSWER, "以下是答案："],
    ["`answer` and `summary` stand as they are called", { answer: ANSWER, summary: STUB }, "", ANSWER, STUB],
    ["a lone `summary` is the answer", { answer: null, summary: STUB, status: "success" }, "", STUB, null],
    ["what the answer contains is no summary", { summary: "人参果可以生吃，洗净去皮即可。" }, ANSWER, ANSWER, null],
    ["a stock phrase is no answer", { answer: STUB }, STOCK, STUB, null],
    ["both others are the summary", { answer: "可以生吃。", summary: STUB }, ANSWER, ANSWER, `可以生吃。\n\n${STUB}`],
  ];

  it("the longest is the answer, and the others are its summary", async () => {
    const { model, ask: post } = await startWithModel(ROWS.map(([, args, text]) => finish(args, text)));
    for (const [rule, , , answer, summary] of ROWS) {
      const { run } = await post(ask);
      expect([run.termination?.reason, run.report?.markdown, run.report?.summary], rule).toEqual(["finish_task", answer, summary]);
    }
    expect(model.requests).toHaveLength(ROWS.length);
  });

  it("the one whose citations hold is the answer, however short", async () => {
    const long = `The lamp is said to burn many things. [S1: "burns electric light"] ${"Nobody knows more about it than that. ".repeat(5)}`;
    const { ask: post } = await startWithModel([
      say.toolCalls([{ name: "search", arguments: { query: "lighthouse lamp Aldermoor" } }]),
      finish({ answer: 'Its lamp burns whale oil. [S1: "burns whale oil"]' }, long),
    ]);
    const { run } = await post({ graph: "agent", question: "What does the lamp of the lighthouse of Aldermoor burn?" });
    expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["burns whale oil"]);
    expect(run.report?.claims.map(({ text }) => text)).toEqual(["Its lamp burns whale oil."]);
    expect(run.report?.summary).toContain("The lamp is said to burn many things. Nobody knows");
    expect(run.report?.summary).not.toContain("S1");
  });

  it("the summary has an address that no source has as code", async () => {
    const { ask: post } = await startWithModel([finish({ summary: "见 https://evil.example/x 的说明" }, ANSWER)]);
    const { run } = await post(ask);
    expect(run.report?.summary).toBe("见 `https://evil.example/x`（未检索到的地址） 的说明");
  });
});

describe("a text of an earlier response", () => {
  const ROWS: readonly [rule: string, script: readonly Behavior[], answer: string, summary: string | null][] = [
    ["is the answer if finish_task has a stock phrase", [calculate(ANSWER), finish({ answer: "好的，我明白了" })], ANSWER, null],
    ["is the answer if it is long and finish_task only sums up", [calculate(ANSWER), finish({ summary: STUB })], ANSWER, STUB],
    ["is the latest one that counts", [calculate(ANSWER), calculate("好的，我明白了", "2+2"), finish({})], ANSWER, null],
    ["gives way to the `answer`", [calculate(`${ANSWER}我再核对一下。`), finish({ answer: "只能生吃。" })], "只能生吃。", null],
    [
      "gives way to a `summary` if it only says what comes next",
      [calculate("我先算一下，再告诉您结果和吃法。"), finish({ summary: "生吃。" })],
      "生吃。",
      null,
    ],
  ];

  it("is the answer unless finish_task has a better one", async () => {
    const { ask: post } = await startWithModel(ROWS.flatMap(([, script]) => script));
    for (const [rule, , answer, summary] of ROWS) {
      const { run } = await post(ask);
      expect([run.termination?.reason, run.report?.markdown, run.report?.summary], rule).toEqual(["finish_task", answer, summary]);
    }
  });
});

it("the next question of the thread is told the answer", async () => {
  const { model, ask: post } = await startWithModel([finish({ summary: STUB }, ANSWER), say.text("不客气。")]);
  await post({ ...ask, threadId: "fruit" });
  await post({ ...ask, question: "谢谢", threadId: "fruit" });
  expect(contentsOf(model.requests[1] as SeenRequest, "assistant")).toEqual([ANSWER]);
});

it("the output of a team's child is the answer, and the supervisor reads it", async () => {
  const { model, ask: post } = await startWithModel((_, index) =>
    index === 0 ? finish({ answer: "已完成" }, ANSWER) : say.text("生吃最好。"),
  );
  const team = { pattern: "sequential", children: [{ id: "厨师", prompt: "说明吃法。" }] };
  const { run } = await post({ graph: "team", question: QUESTION, team });
  expect(run.children?.map(({ output, success }) => [output, success])).toEqual([[ANSWER, true]]);
  expect(contentsOf(model.requests[1] as SeenRequest, "user").join()).toContain(ANSWER);
  expect([run.report?.markdown, run.report?.summary]).toEqual(["生吃最好。", null]);
});
