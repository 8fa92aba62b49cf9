import { expect, it } from "vitest";
import { readRecording } from "../../../src/journal/recording-file.ts";
import { closedPort } from "../../contracts/closed-port.ts";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { expectSameAgain, research, statuses } from "./ask-research.ts";

const QUESTIONS = [
  "Who built the lighthouse of Aldermoor?",
  "What is the harbour wall made of?",
  "奥尔德穆尔灯塔建于哪一年？",
  "What does the lamp of the lighthouse of Aldermoor burn?",
  "守塔人每天傍晚要爬多少级台阶？",
  "When does the harbour of Aldermoor freeze over?",
];

it("a model server that refuses connections is asked once, and rules do the rest at once; the run replays", async () => {
  const todos = QUESTIONS.map((question, at) => todo(`T${at + 1}`, question));
  const parts = { tools: [], research: scriptedResearch({ plan: () => ({ todos }) }) };
  const environment = { OPENAI_BASE_URL: `http://127.0.0.1:${await closedPort()}/v1`, OPENAI_MODEL: "scripted" };
  const done = await research({ question: "灯塔与港口？" }, { parts, environment: { ...environment, MAX_PARALLEL_TODOS: "1" } });
  expect([done.run.status, done.run.error]).toEqual(["succeeded", null]);
  expect(statuses(done.run.todos)).toBe(QUESTIONS.map((_, at) => `T${at + 1} completed`).join(", "));
  const recording = await readRecording(await done.dossier.recordingLines(done.run.id));
  const tries = recording.segments.flatMap(({ records }) => records).filter(({ kind }) => kind === "model");
  expect(tries.map(({ result }) => (result as { code: string }).code)).toEqual(["unreachable", "unreachable", "unreachable"]);
  const told = done.run.report?.ledger.filter(({ what }) => what === "model") ?? [];
  expect(told.length).toBeGreaterThanOrEqual(QUESTIONS.length);
  for (const { failure, detail } of told)
    expect([failure, detail]).toEqual(["unreachable", expect.stringContaining("It was tried 3 times")]);
  await expectSameAgain(done, parts);
});
