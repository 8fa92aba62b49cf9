import { beforeEach, describe, expect, it, vi } from "vitest";
import { replay } from "../../../src/compose.ts";
import { isChecked } from "../../../src/domain/report.ts";
import { readRecording } from "../../../src/journal/recording-file.ts";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { type Asked, startAgent } from "./agent-under-test.ts";

const ENGLISH = "What does the lamp of the lighthouse of Aldermoor burn?";
const CHINESE = "奥尔德穆尔灯塔是哪一年建成的？";
const SEARCH = say.toolCalls([{ name: "search", arguments: { query: "lighthouse Aldermoor lamp 奥尔德穆尔 灯塔" } }]);
const LAMP = "Its lamp burns whale oil";
const YEAR = "奥尔德穆尔灯塔建于1874年";
const SOON = { "retry-after-ms": "5" };
const WORDS = { error: { message: "this model takes one tool call at a time" } };

const FAILURES: Readonly<Record<string, readonly [does: Behavior, code: string, failure: string, words: string]>> = {
  "refuses the request": [say.status(403, WORDS), "model_refused", "blocked", WORDS.error.message],
  "answers with errors only": [say.status(503, WORDS, SOON), "model_unavailable", "unreachable", WORDS.error.message],
};

/** The backoff is random: here it is short. */
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0.02));

const modelEntries = ({ run }: Asked) => run.report?.ledger.filter(({ what }) => what === "model") ?? [];

async function ask(script: (index: number) => Behavior, question: string, environment: Readonly<Record<string, string>> = {}) {
  const agent = await startAgent((_, index) => script(index), { environment });
  const asked = await agent.ask(question);
  const recording = await readRecording(await agent.dossier.recordingLines(asked.run.id));
  const again = await replay(recording, { tools: [] });
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
  return { ...asked, agent };
}

describe.each(Object.keys(FAILURES))("a model whose server %s", (name) => {
  const [does, code, failure, words] = FAILURES[name] as (typeof FAILURES)[string];

  it("after a search ends with quotes of what was read, and says why", async () => {
    const asked = await ask((index) => (index === 0 ? SEARCH : does), ENGLISH);
    const { run, of } = asked;
    expect([run.status, run.error, run.termination?.reason]).toEqual(["succeeded", null, "completed"]);
    expect(run.termination?.detail).toMatch(new RegExp(`^${code}: .*; rules wrote the report$`, "s"));
    expect(run.termination?.detail).toContain(words);
    expect(modelEntries(asked)).toMatchObject([{ failure, outcome: "failed", detail: expect.stringContaining(words) }]);
    expect(run.report?.markdown).toMatch(/^The model scripted .*; rules wrote this report\.$/m);
    expect(run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(LAMP);
    expect(run.report?.claims.every(isChecked)).toBe(true);
    expect(of("model-failed")).toMatchObject([{ node: "think", failure: code, fallback: "rules" }]);
  });

  it("ends so in Chinese", async () => {
    const { run } = await ask((index) => (index === 0 ? SEARCH : does), CHINESE);
    expect([run.status, run.termination?.reason]).toEqual(["succeeded", "completed"]);
    expect(run.report?.markdown).toMatch(/^模型 scripted .*；本报告由规则撰写。$/m);
    expect(run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(YEAR);
  });

  it.runIf(code !== "model_refused")("at its first call searches for the words of the question, as an executor does", async () => {
    const asked = await ask(() => does, ENGLISH);
    const { run, of } = asked;
    expect([run.status, run.termination?.reason]).toEqual(["succeeded", "completed"]);
    expect(of("tool-started").map(({ tool }) => tool)).toEqual(["search"]);
    expect(run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(LAMP);
    expect(modelEntries(asked)).toMatchObject([{ failure }]);
    expect(of("model-failed")).toMatchObject([{ fallback: "rules" }]);
  });

  it.runIf(code === "model_refused")("at its first call fails the run", async () => {
    const { run, of } = await ask(() => does, ENGLISH);
    expect(run).toMatchObject({ status: "failed", error: { code }, report: null });
    expect(run.error?.message).toContain(words);
    expect(of("model-failed")).toMatchObject([{ fallback: null }]);
  });
});

it.each([
  ["谁画了伊索尔德·法罗的肖像？", { status: "succeeded", termination: { reason: "no_answer" }, report: { claims: [] } }],
  ["Xyzzy plugh?", { status: "failed", error: { code: "model_unavailable" } }],
])("at its first call, if the search for %s finds no answer: %o", async (question, expected) => {
  const asked = await ask(() => say.status(503, WORDS, SOON), question);
  expect(asked.run).toMatchObject(expected);
  expect(JSON.stringify(asked.run)).toContain(WORDS.error.message);
});

it("searches and quotes if the question alone is too large for the model", async () => {
  const tooLarge = say.status(413, { error: { code: "context_length_exceeded", message: "maximum context length" } });
  const asked = await ask(() => tooLarge, ENGLISH);
  expect([asked.run.status, asked.run.termination?.reason]).toEqual(["succeeded", "completed"]);
  expect(asked.run.termination?.detail).toMatch(/^context_too_large: .*MODEL_CONTEXT_TOKENS.*; rules wrote the report$/);
  expect(modelEntries(asked)).toMatchObject([{ failure: "too_large", detail: expect.stringContaining("MODEL_CONTEXT_TOKENS") }]);
});

it("keeps what it found if the call that is to write the answer is refused", async () => {
  const agent = await startAgent((request) => (request.body.tools === undefined ? say.status(403, WORDS) : SEARCH));
  const { run, of } = await agent.ask(ENGLISH);
  expect([run.status, run.termination?.reason]).toEqual(["succeeded", "no_progress"]);
  expect(run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(LAMP);
  expect(of("model-failed")).toMatchObject([{ node: "write", failure: "model_refused", fallback: "rules" }]);
});

it("shows the closest passages of what it read if rules find no sentence that answers", async () => {
  const agent = await startAgent((_, index) => (index === 0 ? SEARCH : say.status(403, WORDS)));
  const { run } = await agent.ask("谁画了伊索尔德·法罗的肖像？");
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "no_answer" }, report: { claims: [] } });
  const { closest = [] } = run.report ?? {};
  expect(closest.length).toBeGreaterThan(0);
  for (const { quote } of closest) expect(run.report?.markdown).toContain(quote.split("\n")[0]);
});
