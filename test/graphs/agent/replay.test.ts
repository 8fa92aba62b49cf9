import { expect, it } from "vitest";
import { replay } from "../../../src/compose.ts";
import { readRecording } from "../../../src/journal/recording-file.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { openDossier, TENANT } from "../../helpers/open-dossier.ts";
import { uncited } from "../../helpers/uncited.ts";
import { type AgentUnderTest, startAgent, watch } from "./agent-under-test.ts";

const SCRIPT = [
  say.toolCalls([
    { name: "search", arguments: { query: "lighthouse Aldermoor lamp" } },
    { name: "calculator", arguments: { expression: "2026 - 1874" } },
  ]),
  say.toolCalls([{ name: "read_document", arguments: { id: "S1", find: "whale oil" } }], { reasoning: "我读一读。" }),
  say.text('它烧鲸油。[S1: "Its lamp burns whale oil"]'),
];

async function recordingOf({ dossier }: AgentUnderTest, id: string) {
  return readRecording(await dossier.recordingLines(id));
}

it("replays with the journal alone, to the same events and the same report", async () => {
  const agent = await startAgent(SCRIPT);
  const { run, of } = await agent.ask("What does the lamp of the lighthouse of Aldermoor burn?");
  expect(run.termination?.reason).toBe("answered");
  expect(
    of("tool-ended")
      .map(({ tool, ok }) => [tool, ok])
      .toSorted(),
  ).toEqual([
    ["calculator", true],
    ["read_document", true],
    ["search", true],
  ]);
  const recording = await recordingOf(agent, run.id);
  const again = await replay(recording, { tools: [] });
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
});

it("waits for its user across a restart, continues with the answer, and replays", async () => {
  const agent = await startAgent([
    say.toolCalls([{ name: "ask_user", arguments: { question: "哪座灯塔？" } }]),
    say.text("奥尔德穆尔灯塔建于1874年。"),
  ]);
  const { run } = await agent.ask("灯塔哪年建的？");
  expect(run).toMatchObject({ status: "waiting", pending: [{ prompt: "哪座灯塔？" }] });
  await agent.dossier.close(0);
  const environment = { OPENAI_BASE_URL: agent.server.url, OPENAI_MODEL: "scripted", SOURCES: "corpus" };
  const second = await openDossier({ dir: agent.dossier.dir, parts: { tools: [] }, environment });
  await second.recover();
  await second.runs.answer(TENANT, run.id, { answer: { place: "奥尔德穆尔" } });
  const answered = await watch(second, run.id);
  expect(answered.run).toMatchObject({
    status: "succeeded",
    report: { markdown: uncited("奥尔德穆尔灯塔建于1874年。") },
    usage: { modelCalls: 2 },
  });
  expect(agent.server.requests[1]?.body.messages.at(-1)?.content).toBe('{"place":"奥尔德穆尔"}');
  const recording = await readRecording(await second.recordingLines(run.id));
  const again = await replay(recording, { tools: [] });
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
});
