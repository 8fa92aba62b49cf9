import { expect, it } from "vitest";
import type { ChatRequest } from "../../src/domain/chat.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { OPTIONS, openModel, REQUEST } from "./model-under-test.ts";

const asks = (characters: number): ChatRequest => ({ ...REQUEST, messages: [{ role: "user", content: "灯塔".repeat(characters / 2) }] });
const counts = (inputTokens: number) =>
  say.text("好", { usage: { prompt_tokens: inputTokens, completion_tokens: 1, total_tokens: inputTokens + 1 } });

it("asks again with less if the server reports as many tokens for another prompt", async () => {
  const server = await startModelServer([counts(4_095), counts(4_095), counts(3_000)]);
  const model = openModel(server);
  await expect(model.complete(asks(6_000), OPTIONS, plainEffects())).resolves.toMatchObject({ content: "好" });
  await expect(model.complete(asks(7_000), OPTIONS, plainEffects())).rejects.toMatchObject({
    code: "context_too_large",
    limitTokens: 4_095,
    message: expect.stringContaining("read 4095 tokens of a prompt of about 7004"),
  });
  await expect(model.complete(asks(3_000), OPTIONS, plainEffects())).resolves.toMatchObject({ content: "好" });
});

it("asks again once if so few tokens are reported that only another call can tell", async () => {
  const server = await startModelServer([counts(2_000), counts(1_800), counts(2_100)]);
  const model = openModel(server);
  const first = await model.complete(asks(9_000), OPTIONS, plainEffects()).catch((error: unknown) => error);
  expect(first).toMatchObject({ code: "context_too_large", limitTokens: undefined });
  await expect(model.complete(asks(4_500), OPTIONS, plainEffects())).resolves.toMatchObject({ content: "好" });
  await expect(model.complete(asks(9_000), OPTIONS, plainEffects())).resolves.toMatchObject({ content: "好" });
});

it.each([0, 1, 100])("does not believe a server that counts %i tokens in every prompt", async (tokens) => {
  const server = await startModelServer([counts(tokens), counts(tokens)]);
  const model = openModel(server);
  for (const characters of [9_000, 6_000]) await model.complete(asks(characters), OPTIONS, plainEffects());
  expect(server.requests).toHaveLength(2);
});
