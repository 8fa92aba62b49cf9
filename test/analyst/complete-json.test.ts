import { expect, it } from "vitest";
import { z } from "zod";
import { completeJson } from "../../src/analyst/model/complete-json.ts";
import { readJson } from "../../src/analyst/model/read-json.ts";
import * as say from "../fakes/model-server/behaviours.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { OPTIONS, openModel, REQUEST } from "../models/model-under-test.ts";

const Answer = z.object({ answer: z.string(), score: z.number() });
const GOOD = { answer: "中国 {人民} 银行", score: 1 };

it.each([
  JSON.stringify(GOOD),
  `好的，这是结果：\n\`\`\`json\n${JSON.stringify(GOOD, null, 2)}\n\`\`\`\n希望有帮助 {}`,
  `Here it is: ${JSON.stringify(GOOD)} — done.`,
  "{answer: '中国 {人民} 银行', score: 1,}",
  '```\n{"answer":"中国 {人民} 银行","score":1',
])("finds the JSON in %s", (text) => {
  expect(readJson(text, Answer)).toEqual({ ok: true, value: GOOD });
});

it("says what is wrong", () => {
  expect(readJson("没有", Answer)).toEqual({ ok: false, fault: "It is not JSON." });
  expect(readJson('{"answer":1}', Answer)).toMatchObject({ ok: false, fault: expect.stringContaining("→ at answer") });
  expect(readJson('{"answer":"半', Answer, { repair: false })).toEqual({ ok: false, fault: "It is not JSON." });
});

it("gives an answer back once, with what is wrong, and takes the better one", async () => {
  const server = await startModelServer([say.text('{"answer":"中"}'), say.text(JSON.stringify(GOOD))]);
  expect(await completeJson(openModel(server), REQUEST, Answer, OPTIONS, plainEffects())).toEqual(GOOD);
  expect(server.requests[1]?.body.messages.slice(1)).toEqual([
    { role: "assistant", content: '{"answer":"中"}' },
    { role: "user", content: expect.stringMatching(/^Your answer cannot be used\..*score/s) },
  ]);
});

it("gives up after the second answer that cannot be used", async () => {
  const server = await startModelServer([say.text(""), say.text('{"answer":"中","score":1', { finishReason: "length" })]);
  const outcome = completeJson(openModel(server), REQUEST, Answer, OPTIONS, plainEffects());
  await expect(outcome).rejects.toMatchObject({ code: "model_output", message: expect.stringContaining("It was cut off before its end") });
  expect(server.requests).toHaveLength(2);
});
