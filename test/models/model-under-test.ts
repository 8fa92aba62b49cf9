import { onTestFinished } from "vitest";
import type { ChatRequest } from "../../src/domain/chat.ts";
import type { CallOptions, ChatModel } from "../../src/domain/ports/models.ts";
import type { ModelLimits } from "../../src/models/backoff.ts";
import { createChatModel } from "../../src/models/chat-model.ts";
import { createModelFetch } from "../../src/network/configured-server.ts";

const LIMITS: ModelLimits = { firstTokenMs: 30_000, betweenTokensMs: 30_000, callMs: 100_000 };

/** The adapter with the real HTTP client; everything that it holds open is closed with the test. */
export function openModel(
  { url }: { readonly url: string },
  limits: Partial<ModelLimits> = {},
  apiKey?: string,
  connections = 64,
): ChatModel {
  const way = createModelFetch(url);
  onTestFinished(() => way.close());
  return createChatModel({ endpoint: { baseUrl: url, apiKey, fetch: way.fetch }, limits: { ...LIMITS, ...limits }, connections });
}

export const REQUEST: ChatRequest = {
  model: "m",
  messages: [{ role: "user", content: "你好" }],
  tools: [],
  toolChoice: "auto",
  schema: null,
  maxOutputTokens: 1_000,
  stopTools: [],
};

export const tool = (name: string) => ({
  name,
  description: `The tool ${name}.`,
  kind: "query" as const,
  parameters: { type: "object", properties: {} },
});

/** Shows everything unchanged. */
const all = () => ({ push: (piece: string) => piece, end: () => "" });

export const OPTIONS: CallOptions = {
  node: "agent",
  limits: { optionalToolLoops: 3, steps: 50, modelCalls: 40, tokens: 200_000, costUsd: null, seconds: 600, downloads: 12 },
  models: { default: "m", roles: {}, contextTokens: 32_000, maxOutputTokens: 4_000, prices: {} },
  purpose: "gather",
  shown: { content: all, reasoning: all },
};
