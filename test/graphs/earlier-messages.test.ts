import { expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { startTool } from "../helpers/finding-tool.ts";
import { askModel } from "../helpers/with-model.ts";

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
