import { expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { startWithModel } from "./run-over-http.ts";

const ask = { graph: "agent", question: "灯塔用什么油？" };

const PHRASES = [
  "好的，我明白了",
  "好的，我明白了。如果需要使用工具，我会调用相应的工具。我会直接回答您的问题。",
  "好的,我明白了!灯塔使用鲸油。",
  "Okay. I will answer directly: whale oil.",
];

it("a stock phrase is sent back once, and what follows counts", async () => {
  const { model, ask: post } = await startWithModel(PHRASES.flatMap((text) => [say.text(text, { pieceLength: 1 }), say.text("鲸油。")]));
  for (const text of PHRASES) {
    const { run } = await post(ask);
    expect([text, run.termination?.reason, run.report?.markdown]).toEqual([text, "answered", "鲸油。"]);
  }
  expect(model.requests).toHaveLength(2 * PHRASES.length);
});

it("after one reminder any text counts, also in a child of a team", async () => {
  const text = "好的，我明白了。灯塔使用鲸油。";
  const { model, ask: post } = await startWithModel((request) =>
    say.text(JSON.stringify(request.body.messages[0]).includes("油料专家") ? text : "鲸油。"),
  );
  const team = { pattern: "sequential", children: [{ id: "油", prompt: "你是油料专家。" }] };
  const { run } = await post({ ...ask, graph: "team", team });
  expect(run.children?.map(({ success, output, iterations }) => [success, output, iterations])).toEqual([[true, text, 2]]);
  expect(model.requests.length).toBe(3);
  const alone = await startWithModel(() => say.text(text));
  const { run: answered } = await alone.ask(ask);
  expect([answered.termination?.reason, answered.report?.markdown, alone.model.requests.length]).toEqual(["answered", text, 2]);
});

it("a text that was sent back is the answer if nothing follows", async () => {
  const text = "我会直接回答：灯塔使用鲸油。";
  const { model, ask: post } = await startWithModel([say.text(text), say.text("")]);
  const { run } = await post(ask);
  expect([run.termination?.reason, run.report?.markdown, model.requests.length]).toEqual(["answered", text, 2]);
});

it("a text of 100 characters that contains a phrase ends the run", async () => {
  const long = `好的，我明白了。${"灯".repeat(91)}。`;
  const short = `好的，我明白了。${"灯".repeat(90)}。`;
  const { model, ask: post } = await startWithModel([say.text(long), say.text(short), say.text("鲸油。")]);
  expect((await post(ask)).run.report?.markdown).toBe(long);
  expect((await post(ask)).run.report?.markdown).toBe("鲸油。");
  expect([long.length, short.length, model.requests.length]).toEqual([100, 99, 3]);
});

it("STOCK_PHRASES adds whole words", async () => {
  const environment = { STOCK_PHRASES: "One moment|请稍等" };
  const { model, ask: post } = await startWithModel(
    [say.text("One moment, please."), say.text("Whale oil."), say.text("Someone moments ago said: whale oil.")],
    { environment },
  );
  expect((await post(ask)).run.report?.markdown).toBe("Whale oil.");
  expect((await post(ask)).run.report?.markdown).toContain("Someone moments ago");
  expect(model.requests.length).toBe(3);
});
