import { expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../src/domain/ports/tools.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { expectNoRefusal, startAgent } from "./agent-under-test.ts";

const long: Tool<{ query: string }> = {
  name: "long",
  description: "Says much.",
  kind: "query",
  schema: z.object({ query: z.string() }),
  timeoutMs: 100_000,
  async call({ query }) {
    const text = `Of ${query}: the lamp burns whale oil. ${`A long text about ${query}. `.repeat(250)}`;
    return {
      text,
      sources: [{ title: `About ${query}`, url: `https://long.example/${query}`, publishedAt: null, snippet: text.slice(0, 100), text }],
    };
  },
};
const SCOPE = { parts: { tools: [long] as never }, environment: { SOURCES: "long" } };
const call = (query: string) => say.toolCalls([{ name: "long", arguments: { query } }]);

it("shortens a conversation that has become too large, and keeps question, ids and the newest round", async () => {
  const agent = await startAgent([call("a"), call("b"), call("c"), call("d"), say.text('Whale oil. [S1: "the lamp burns whale oil"]')], {
    ...SCOPE,
    environment: { ...SCOPE.environment, MODEL_CONTEXT_TOKENS: "6000", MODEL_MAX_OUTPUT_TOKENS: "500" },
  });
  const { run, of } = await agent.ask("灯里烧的是什么？");
  expect(run.termination?.reason).toBe("answered");
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["the lamp burns whale oil"]);
  expect(of("node-started").filter(({ node }) => node === "compress").length).toBeGreaterThan(0);
  const last = agent.server.requests.at(-1)?.body.messages ?? [];
  expect(last[1]?.content).toBe("灯里烧的是什么？");
  expect(last[2]?.content).toContain("S1 About a");
  expectNoRefusal(agent);
});

it("shrinks the conversation once if the server's context limit is smaller than configured", async () => {
  const agent = await startAgent([call("a"), call("b"), call("c"), say.text("Whale oil.")], {
    ...SCOPE,
    server: { maxContextTokens: 9_000 },
  });
  const { run } = await agent.ask("What burns in the lamp?");
  expect(run).toMatchObject({ status: "succeeded", report: { markdown: expect.stringContaining("oil") } });
  expectNoRefusal(agent);
});

it("fails with the reason if the question alone does not fit", async () => {
  const agent = await startAgent([say.text("never")], { ...SCOPE, server: { maxContextTokens: 100 } });
  const { run } = await agent.ask("What burns in the lamp?");
  expect(run).toMatchObject({ status: "failed", error: { code: "context_too_large" } });
});
