import { expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../src/domain/ports/tools.ts";
import { DossierError } from "../../../src/errors.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { TENANT } from "../../helpers/open-dossier.ts";
import { expectNoRefusal, startAgent, watch } from "./agent-under-test.ts";

it("repeats a failed call, and tries another one that helps", async () => {
  let calls = 0;
  const shaky: Tool<{ query: string }> = {
    name: "shaky",
    description: "Fails at first.",
    kind: "query",
    schema: z.object({ query: z.string() }),
    timeoutMs: 100_000,
    async call({ query }) {
      calls += 1;
      if (calls === 1) throw new DossierError("tool_failed", "It failed.");
      return {
        text: `on ${query}`,
        sources: [{ title: query, url: "https://shaky.example/", publishedAt: null, snippet: "Whale oil.", text: null }],
      };
    },
  };
  const call = say.toolCalls([{ name: "shaky", arguments: { query: "灯" } }]);
  const agent = await startAgent([call, call, say.text("鲸油。")], {
    parts: { tools: [shaky as Tool] },
    environment: { SOURCES: "shaky" },
  });
  const { run, of } = await agent.ask("灯里烧什么？");
  expect(run.termination?.reason).toBe("answered");
  expect(of("tool-ended").map(({ ok, reused }) => [ok, reused])).toEqual([
    [false, false],
    [true, false],
  ]);
  expectNoRefusal(agent);
});

it("ends within its time limit if the model hangs", async () => {
  const agent = await startAgent(() => say.hang());
  const { run } = await agent.ask("What burns in the lamp?", { limits: { seconds: 2 } });
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "time_budget" } });
  expect(run.report?.claims).toEqual([]);
  expect(agent.server.aborted()).toBe(agent.server.requests.length);
});

it("stops the request on the wire when it is cancelled", async () => {
  const agent = await startAgent(() => say.hang({ after: 2 }));
  const { id } = await agent.dossier.start({ graph: "agent", question: "灯里烧什么？" });
  await expect.poll(() => agent.server.requests.length).toBe(1);
  await agent.dossier.runs.cancel(TENANT, id);
  const { run } = await watch(agent.dossier, id);
  expect(run.status).toBe("cancelled");
  await expect.poll(() => agent.server.aborted()).toBe(1);
});

it("needs a model", async () => {
  const agent = await startAgent([], { environment: { OPENAI_BASE_URL: "", OPENAI_MODEL: "" } });
  await expect(agent.dossier.start({ graph: "agent", question: "Hi" })).rejects.toMatchObject({ code: "model_required" });
});
