import { expect, it } from "vitest";
import { replay } from "../../src/compose.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { startTool } from "../helpers/finding-tool.ts";
import { askModel } from "../helpers/with-model.ts";
import { promptFolder } from "./prompt-folder.ts";

const QUESTION = "灯塔是谁设计的？ Who built the lighthouse of Aldermoor?";
const CONTEXT = "For the museum of Aldermoor. 给博物馆。";
const BUILT = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";
const WRITER = "请用{{language}}写{{today}}的报告。{{systemContext}}";
/** printf '请用{{language}}写{{today}}的报告。{{systemContext}}' | sha256sum */
const WRITER_SHA256 = "c44e0c8d8fbc8968d6ef0b49bc9ff35d0895bd35812bdfbeacb1ddd5cd3fc91f";

function script(request: SeenRequest) {
  if (offeredTools(request).length > 0) return say.text("Nothing more is needed.");
  const shown = contentsOf(request, "user").join("\n");
  const id = [...shown.slice(0, shown.indexOf(BUILT)).matchAll(/\bP\d+\b/g)].at(-1)?.[0];
  return say.text(`Ada Penrose built it in 1874. [${id}: "${BUILT}"]`);
}

async function recorded(environment: Readonly<Record<string, string>>) {
  const tools = [await startTool("alpha")];
  const asked = await askModel(script, { question: QUESTION, systemContext: CONTEXT }, { parts: { tools }, environment });
  expect(asked.run.status).toBe("succeeded");
  return { ...asked, tools, recording: await readRecording(await asked.dossier.recordingLines(asked.run.id)) };
}

it("reaches every role with the context of the request", async () => {
  const { model, tools } = await recorded({});
  expect(model.requests.map((request) => offeredTools(request).length > 0)).toEqual([true, false]);
  for (const request of model.requests) expect(contentsOf(request, "system").join("\n")).toContain(CONTEXT);
  const agent = await askModel(
    [say.toolCalls([{ name: "alpha", arguments: { query: "灯塔" } }]), say.text("It was built in 1874.")],
    { question: QUESTION, systemContext: CONTEXT, graph: "agent", limits: { steps: 6 } },
    { parts: { tools } },
  );
  expect(agent.model.requests.length).toBeGreaterThan(1);
  for (const request of agent.model.requests) expect(contentsOf(request, "system").join("\n")).toContain(CONTEXT);
});

it("lists the templates of the graph's roles in the recording, and none without a model", async () => {
  const { recording, dossier } = await recorded({ PROMPTS_DIR: promptFolder({ "writer.md": WRITER }) });
  const input = recording.segments[0]?.segment.input;
  const prompts = input?.type === "start" ? input.task.prompts : undefined;
  expect(prompts).toMatchObject({ writer: WRITER_SHA256, decision: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(Object.keys(prompts ?? {}).toSorted()).toEqual([
    "decision",
    "messages/decision-rewrite",
    "messages/decision-state",
    "messages/support-sentences",
    "messages/writer-correction",
    "messages/writer-passages",
    "support",
    "writer",
  ]);
  const { id } = await dossier.start({ question: QUESTION, limits: { modelCalls: 0 } });
  await dossier.finish(id);
  expect((await dossier.recordingLines(id)).join("")).not.toContain('"prompts"');
});

it("replays with the same prompts, and with others names the changed one and both hashes", async () => {
  const same = promptFolder({ "writer.md": WRITER });
  const { recording, tools } = await recorded({ PROMPTS_DIR: same });
  expect(await replay(recording, { tools, promptsDir: same })).toMatchObject({ difference: null, changedPrompts: [] });
  const { difference, changedPrompts } = await replay(recording, { tools });
  const builtIn = changedPrompts[0]?.now;
  expect(changedPrompts).toEqual([{ name: "writer", recorded: WRITER_SHA256, now: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect(difference?.place).toBe("the prompt writer");
  expect(difference?.message).toContain(
    `writer was recorded as sha256 ${WRITER_SHA256}, and is now sha256 ${builtIn}. The first difference is at `,
  );
});

it("counts as a code change only if prompts of the graph have changed", async () => {
  const fingerprints = [];
  for (const files of [{}, { "messages/agent-answer.md": "请用{{language}}回答。" }, { "writer.md": WRITER }]) {
    const { recording } = await recorded({ PROMPTS_DIR: promptFolder(files) });
    fingerprints.push(recording.segments[0]?.segment.fingerprint);
  }
  expect(fingerprints[1]).toBe(fingerprints[0]);
  expect(fingerprints[2]).not.toBe(fingerprints[0]);
});

it("replays to the same if the run did not use the changed prompt, and names it", async () => {
  const { recording, tools } = await recorded({});
  const promptsDir = promptFolder({ "messages/writer-correction.md": "请改正：{{faults}}" });
  expect(await replay(recording, { tools, promptsDir })).toMatchObject({
    difference: null,
    changedPrompts: [{ name: "messages/writer-correction" }],
  });
});
