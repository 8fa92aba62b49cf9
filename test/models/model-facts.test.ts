import { expect, it } from "vitest";
import type { ModelEndpoint } from "../../src/models/exchange.ts";
import { KnownModels } from "../../src/models/ladder.ts";
import { createFacts } from "../../src/models/model-facts.ts";

const LIST = {
  data: [
    { id: "qwen3", max_model_len: 40_960 },
    { id: "gemma", meta: { n_ctx: 8_192 } },
  ],
};

function endpoint(baseUrl: string, list: object = { data: [] }): ModelEndpoint {
  return { baseUrl, fetch: async () => Response.json(list) };
}

async function facts(endpoints: Record<string, ModelEndpoint>, contextTokens?: number) {
  const known = new KnownModels();
  const options = {
    endpointOf: (id: string) => endpoints[id] ?? null,
    known,
    contextTokens,
    prices: { mine: { inputPerMillion: 1, outputPerMillion: 2 } },
  };
  return { known, ...(await createFacts(["m"], { ...options, signal: new AbortController().signal })) };
}

it("knows the prices of providers' own servers, and of no other", async () => {
  const { priceOf } = await facts({
    openai: endpoint("https://api.openai.com/v1"),
    deepseek: endpoint("https://api.deepseek.com"),
    ollama: endpoint("http://127.0.0.1:11434"),
  });
  expect(priceOf("gpt-4o-mini-2024-07-18")).toEqual({ inputPerMillion: 0.15, outputPerMillion: 0.6 });
  expect(priceOf("deepseek:deepseek-chat")).toEqual({ inputPerMillion: 0.57, outputPerMillion: 1.68 });
  expect([priceOf("ollama:gpt-4o-mini"), priceOf("qwen3:8b"), priceOf("constructor"), priceOf("anthropic:claude")]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  const proxy = await facts({ openai: endpoint("http://proxy.example/v1") });
  expect([proxy.priceOf("gpt-4o-mini"), proxy.priceOf("mine")]).toEqual([null, { inputPerMillion: 1, outputPerMillion: 2 }]);
});

it("takes a context from the server's list, LangChain's profile or the catalogue, but uses no more than 128,000 tokens", async () => {
  const { contextOf } = await facts({ openai: endpoint("http://gpu.example/v1", LIST), deepseek: endpoint("https://api.deepseek.com") });
  await expect.poll(() => contextOf("qwen3")).not.toBeNull();
  expect(contextOf("")).toBe(40_960);
  expect([contextOf("qwen3"), contextOf("gemma"), contextOf("other"), contextOf("deepseek:deepseek-chat")]).toEqual([
    40_960,
    8_192,
    null,
    128_000,
  ]);
  const own = await facts({ openai: endpoint("https://api.openai.com/v1") });
  expect([own.contextOf("gpt-4.1"), own.contextOf("gpt-3.5-turbo")]).toEqual([128_000, expect.any(Number)]);
});

it("believes the operator, and what a server showed if that is less", async () => {
  const { contextOf, known } = await facts({ openai: endpoint("http://gpu.example/v1", LIST) }, 200_000);
  expect(contextOf("qwen3")).toBe(200_000);
  known.learn("gpu.example qwen3", { contextTokens: 4_095 });
  expect(contextOf("qwen3")).toBe(4_095);
});
