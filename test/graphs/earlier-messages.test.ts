import { expect, it } from "vitest";
import { readRecording } from "../../src/journal/recording-file.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { startTool } from "../helpers/finding-tool.ts";
import { askModel, openWithModel } from "../helpers/with-model.ts";

const QUESTION = "Who built it?";
const MESSAGES = [
  { role: "user", content: "你在说哪座灯塔？" },
  { role: "assistant", content: "The lighthouse of Aldermoor, see https://example.org/secret" },
  { role: "user", content: "And its harbour?" },
  { role: "user", content: QUESTION },
] as const;

/** Returns the messages between the system message and the last one. */
const earlier = ({ body }: SeenRequest) =>
  body.messages
    .filter(({ role }) => role !== "system")
    .slice(0, -1)
    .map(({ role, content }) => [role, content]);

const TOLD = [
  ["user", "你在说哪座灯塔？"],
  ["assistant", "The lighthouse of Aldermoor, see [address removed]"],
  ["user", "And its harbour?"],
  ["assistant", "…"],
];

it("reach decision and writer as turns, without the current question and without addresses in answers", async () => {
  const tools = [await startTool("alpha")];
  const { model, run } = await askModel(
    () => say.text("NO ANSWER: nothing says it"),
    { question: QUESTION, messages: [...MESSAGES] },
    { parts: { tools } },
  );
  expect(run.status).toBe("succeeded");
  expect(model.requests.map((request) => offeredTools(request).length > 0)).toEqual([true, false]);
  expect(model.requests.map(earlier)).toEqual([TOLD, TOLD]);
  expect(model.refused).toEqual([]);
});

it("reach the agent, after those of the thread, and are not repeated in the thread's next run", async () => {
  const { model, dossier } = await openWithModel(() => say.text("它由艾达·彭罗斯建造。"));
  const ask = async (question: string, more: object) => {
    const { id } = await dossier.start({ question, graph: "agent", threadId: "thread", ...more });
    await dossier.finish(id);
    return id;
  };
  await ask("你好", {});
  const second = await ask(QUESTION, { messages: [...MESSAGES] });
  await ask("谢谢", {});
  const greeted = [
    ["user", "你好"],
    ["assistant", "它由艾达·彭罗斯建造。"],
  ];
  expect(earlier(model.requests[1]!)).toEqual([...greeted, ...TOLD]);
  expect(earlier(model.requests[2]!)).toEqual([...greeted, ["user", QUESTION], ["assistant", "它由艾达·彭罗斯建造。"]]);
  const recording = await readRecording(await dossier.recordingLines(second));
  expect(recording.segments[0]?.segment.input).toMatchObject({
    task: {
      history: [
        { question: "你好", answer: "它由艾达·彭罗斯建造。" },
        { question: "你在说哪座灯塔？", answer: "The lighthouse of Aldermoor, see https://example.org/secret" },
        { question: "And its harbour?", answer: "" },
      ],
    },
  });
});
