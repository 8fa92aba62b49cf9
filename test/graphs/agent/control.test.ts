import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { uncited } from "../../helpers/uncited.ts";
import { expectNoRefusal, startAgent, watch } from "./agent-under-test.ts";

const FINISH = { name: "finish_task", arguments: { answer: "The lamp burns whale oil." } };
const ASK = { name: "ask_user", arguments: { question: "您指的是哪座灯塔？" } };
const TENANT = "default";

it("executes one of ten finish_task calls, calls the model no more, and stops the stream on the wire", async () => {
  const agent = await startAgent([say.hang({ after: 60, of: say.toolCalls(Array(10).fill(FINISH)) }), say.text("It is made of granite.")]);
  const { run, of } = await agent.ask("What burns in the lamp?", { threadId: "ten" });
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "finish_task" } });
  expect(run.report?.markdown).toBe(uncited("The lamp burns whale oil."));
  expect(of("tool-ended").map(({ tool, ok }) => [tool, ok])).toEqual([["finish_task", true]]);
  expect(run.usage).toMatchObject({ modelCalls: 1, toolCalls: 1 });
  expect(of("call-ended").map(({ finishReason }) => finishReason)).toEqual(["cut"]);
  expect(agent.server.requests.length).toBe(1);
  await expect.poll(() => agent.server.aborted()).toBe(1);
  const next = await agent.ask("And the wall?", { threadId: "ten" });
  expect(next.run).toMatchObject({ termination: { reason: "answered" }, report: { markdown: uncited("It is made of granite.") } });
  expectNoRefusal(agent);
});

it.each([
  ["after", [FINISH, ASK]],
  ["between", [{ name: "search", arguments: { query: "lamp" } }, ASK, FINISH]],
])("waits for the user if ask_user comes %s finish_task", async (_, calls) => {
  const agent = await startAgent([say.toolCalls(calls), say.text("奥尔德穆尔的灯塔使用鲸油。")]);
  const { run, of } = await agent.ask("灯塔用什么油？");
  expect(run).toMatchObject({ status: "waiting", pending: [{ kind: "question", prompt: "您指的是哪座灯塔？" }] });
  expect(of("tool-ended")).toEqual([]);
  await agent.dossier.runs.answer(TENANT, run.id, { answer: "奥尔德穆尔的" });
  const answered = await watch(agent.dossier, run.id);
  expect(answered.run).toMatchObject({ status: "succeeded", termination: { reason: "answered" }, usage: { modelCalls: 2 } });
  const results = agent.server.requests[1]?.body.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  expect(results?.length).toBe(calls.length);
  expect(results?.filter((content) => content === "奥尔德穆尔的").length).toBe(1);
  expect(agent.server.requests.length).toBe(2);
  expectNoRefusal(agent);
});

it("continues if a stop tool declines", async () => {
  const reluctant = {
    name: "hand_over",
    description: "Ends the task.",
    kind: "control" as const,
    effect: "stop" as const,
    schema: (await import("zod")).z.object({}),
    timeoutMs: 100_000,
    call: async () => ({ text: "There is more to do.", sources: [], shouldContinue: true }),
  };
  const agent = await startAgent([say.toolCalls([{ name: "hand_over", arguments: {} }]), say.text("Done now.")], {
    parts: { tools: [reluctant] },
    environment: { SOURCES: "corpus,hand_over" },
  });
  const { run, of } = await agent.ask("Do it.");
  expect(run).toMatchObject({ termination: { reason: "answered" }, report: { markdown: uncited("Done now.") } });
  expect(of("tool-ended").map(({ tool, ok }) => [tool, ok])).toEqual([["hand_over", true]]);
  expect(agent.server.requests[1]?.body.messages.at(-1)?.content).toBe("There is more to do.");
});

it("continues once if an answer was cut off at its length", async () => {
  const agent = await startAgent([say.text("The lamp burns ", { finishReason: "length" }), say.text("whale oil.")]);
  const { run } = await agent.ask("What burns in the lamp?");
  expect(run.report?.markdown).toBe(uncited("The lamp burns whale oil."));
  expect(agent.server.requests.length).toBe(2);
});

const LENGTH = { finishReason: "length" } as const;

it.each([
  [
    "What burns in the lamp?",
    "The lamp burns ",
    "whale",
    "*This answer is incomplete: it was cut off at the length limit of the model (MODEL_MAX_OUTPUT_TOKENS).*",
  ],
  ["灯塔用什么油？", "灯塔使用", "鲸", "*此回答不完整：已达到模型的长度上限（MODEL_MAX_OUTPUT_TOKENS）。*"],
])("says so if an answer was cut off at its length twice: %s", async (question, first, second, note) => {
  const agent = await startAgent([say.text(first, LENGTH), say.text(second, LENGTH)]);
  const { run } = await agent.ask(question);
  expect(run.report?.markdown).toBe(`${uncited(`${first}${second}`)}\n\n${note}`);
  expect(run.termination).toMatchObject({ reason: "answered", detail: "the answer was cut off at its length limit" });
});

it("keeps the cut-off answer if its continuation cannot be paid", async () => {
  const agent = await startAgent([say.text("灯塔使用", LENGTH)]);
  const { run } = await agent.ask("灯塔用什么油？", { limits: { modelCalls: 1 } });
  expect(run.report?.markdown).toBe(`${uncited("灯塔使用")}\n\n*此回答不完整：已达到模型的长度上限（MODEL_MAX_OUTPUT_TOKENS）。*`);
  expect(run).toMatchObject({ termination: { reason: "model_call_cap" }, usage: { modelCalls: 1 } });
  expect(run.report?.ledger).toEqual([]);
});

it("answers a greeting with its normal call if only one may be made", async () => {
  const agent = await startAgent([say.text("你好！")]);
  const { run } = await agent.ask("你好", { limits: { modelCalls: 1 } });
  expect(run).toMatchObject({
    termination: { reason: "answered", detail: null },
    report: { markdown: uncited("你好！") },
    usage: { modelCalls: 1 },
  });
  expect(agent.server.requests[0]?.body.tools).toBeDefined();
  expectNoRefusal(agent);
});

it("asks its user no question twice", async () => {
  const agent = await startAgent((request) =>
    request.body.tools === undefined ? say.text("奥尔德穆尔的灯塔使用鲸油。") : say.toolCalls([ASK]),
  );
  const { run } = await agent.ask("灯塔用什么油？");
  await agent.dossier.runs.answer(TENANT, run.id, { answer: "奥尔德穆尔的" });
  const answered = await watch(agent.dossier, run.id);
  expect(answered.run).toMatchObject({ status: "succeeded", termination: { reason: "no_progress" }, usage: { modelCalls: 3 } });
  expect(answered.run.report?.markdown).toBe(uncited("奥尔德穆尔的灯塔使用鲸油。"));
  const results = agent.server.requests[2]?.body.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  expect(results).toEqual(["奥尔德穆尔的", "The user was asked this before and answered: 奥尔德穆尔的"]);
  expectNoRefusal(agent);
});

it("asks the new questions of a call that repeats an answered one", async () => {
  const more = { name: "ask_user", arguments: { question: "Which year?" } };
  const agent = await startAgent([say.toolCalls([ASK]), say.toolCalls([ASK, more]), say.text("Whale oil.")]);
  const { run } = await agent.ask("灯塔用什么油？");
  await agent.dossier.runs.answer(TENANT, run.id, { answer: "奥尔德穆尔的" });
  expect((await watch(agent.dossier, run.id)).run.pending.map(({ prompt }) => prompt)).toEqual(["Which year?"]);
  await agent.dossier.runs.answer(TENANT, run.id, { answer: "1900" });
  expect((await watch(agent.dossier, run.id)).run).toMatchObject({ termination: { reason: "answered" }, usage: { modelCalls: 3 } });
  expectNoRefusal(agent);
});
