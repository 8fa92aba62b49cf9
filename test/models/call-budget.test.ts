import { describe, expect, it } from "vitest";
import { Budget, NOTHING_SPENT } from "../../src/domain/budget.ts";
import { estimateTokens } from "../../src/domain/chat.ts";
import type { Limits } from "../../src/domain/limits.ts";
import { costOf, priceOf, readPrices } from "../../src/models/call-budget.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { OPTIONS, openModel, REQUEST } from "./model-under-test.ts";

const PRICES = { m: { inputPerMillion: 100, outputPerMillion: 200 } };

async function call(limits: Partial<Limits>, spent = NOTHING_SPENT, purpose: "gather" | "write" = "gather") {
  const server = await startModelServer([
    say.repeat(say.text("好", { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })),
  ]);
  const effects = plainEffects({ spent });
  const options = { ...OPTIONS, purpose, limits: { ...OPTIONS.limits, ...limits }, models: { ...OPTIONS.models, prices: PRICES } };
  const outcome = await openModel(server)
    .complete(REQUEST, options, effects)
    .catch((error: unknown) => error);
  return { outcome, server, effects };
}

describe("before a call", () => {
  it("stops if all calls are made", async () => {
    const { outcome, server } = await call({ modelCalls: 10 }, { ...NOTHING_SPENT, modelCalls: 8 });
    expect(outcome).toMatchObject({ code: "model_call_cap", message: expect.stringContaining("8 of 10 model calls are made") });
    expect(server.requests).toEqual([]);
  });

  it("stops if the tokens may not suffice", async () => {
    const { outcome } = await call({ tokens: 2_000 }, { ...NOTHING_SPENT, inputTokens: 300, outputTokens: 200 });
    expect(outcome).toMatchObject({ code: "token_budget", message: expect.stringContaining("500 of 2000 tokens are used") });
  });

  it("stops if the money may not suffice", async () => {
    const { outcome } = await call({ costUsd: 0.25 }, { ...NOTHING_SPENT, costUsd: 0.1 });
    expect(outcome).toMatchObject({ code: "cost_budget", message: expect.stringContaining("0.1000 of 0.25 US dollars are spent") });
  });

  it("shortens the answer if it is for writing", async () => {
    const { outcome, server } = await call({ tokens: 1_500 }, { ...NOTHING_SPENT, inputTokens: 900, outputTokens: 100 }, "write");
    expect(outcome).toMatchObject({ content: "好" });
    expect(server.requests[0]?.body["max_tokens"]).toBe(494);
    expect((await call({ tokens: 1_150 }, { ...NOTHING_SPENT, inputTokens: 1_000 }, "write")).outcome).toMatchObject({
      code: "token_budget",
    });
  });
});

it("of a nested run borrows from the others, unless it must not", async () => {
  const limits = { modelCalls: 20, tokens: 100_000, costUsd: null, downloads: 0 };
  const pool = new Budget(limits);
  const budget = pool.allocate({ ...limits, modelCalls: 3, tokens: 50_000 });
  budget.spend({ ...NOTHING_SPENT, modelCalls: 1 });
  const server = await startModelServer([say.repeat(say.text("好"))]);
  const ask = (more: { borrows?: false }) => openModel(server).complete(REQUEST, { ...OPTIONS, ...more }, { ...plainEffects(), budget });
  await expect(ask({ borrows: false })).rejects.toMatchObject({ code: "model_call_cap" });
  expect([server.requests.length, pool.left.modelCalls]).toEqual([0, 17]);
  await expect(ask({})).resolves.toMatchObject({ content: "好" });
  expect(pool.left.modelCalls).toBe(16);
});

it("returns the usage of a call and the total of the run", async () => {
  const { effects } = await call({}, { modelCalls: 1, inputTokens: 100, outputTokens: 50, costUsd: 0.5 });
  expect(effects.events.at(-1)).toEqual({
    type: "usage",
    callId: "call1",
    model: "m",
    usage: { inputTokens: 10, outputTokens: 5, estimated: false },
    costUsd: 0.002,
    spent: { modelCalls: 2, inputTokens: 110, outputTokens: 55, costUsd: 0.502 },
  });
});

it("counts one token for a Chinese character and one for four others", () => {
  expect(estimateTokens("净利润增长")).toBe(5);
  expect(estimateTokens("net profit grew.")).toBe(4);
  expect(estimateTokens("𠮷 is 1")).toBe(3);
  expect(estimateTokens("")).toBe(0);
});

describe("prices", () => {
  it("are found by name, and for any model", () => {
    expect(priceOf({ "*": { inputPerMillion: 1, outputPerMillion: 2 } }, "qwen3:8b")).toEqual({ inputPerMillion: 1, outputPerMillion: 2 });
    expect(priceOf({}, "constructor")).toBeNull();
    expect(costOf({ inputPerMillion: 2, outputPerMillion: 8 }, { inputTokens: 500_000, outputTokens: 250_000 })).toBe(3);
  });

  it("are read from the settings, or the wrong entry is named", () => {
    expect(readPrices('{"m":{"inputPerMillion":1,"outputPerMillion":2}}')).toEqual({ m: { inputPerMillion: 1, outputPerMillion: 2 } });
    expect(() => readPrices('{"m":{"inputPerMillion":-1,"outputPerMillion":2}}')).toThrow(/MODEL_PRICES\.m\.inputPerMillion: /);
    expect(() => readPrices("{")).toThrow(/MODEL_PRICES: is not JSON/);
  });
});
