import { expect, it } from "vitest";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { offeredTools, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { openDossier, TENANT } from "../../helpers/open-dossier.ts";
import { expectSameAgain, watch } from "./ask-research.ts";

const QUESTION = "灯塔有多少级台阶？";

/** The agent calculates endlessly and asks its user after three steps. */
function endless(request: SeenRequest): Behavior {
  const results = request.body.messages.filter(({ role }) => role === "tool").length;
  if (!offeredTools(request).includes("ask_user")) return say.text("Nothing to add.");
  if (results === 3) return say.toolCalls([{ name: "ask_user", arguments: { question: "哪一座？" } }]);
  return say.toolCalls([{ name: "calculator", arguments: { expression: `${results}+7` } }]);
}

it("a todo that spends half of its budget, asks its user and continues in another process, stops at its budget", async () => {
  const model = await startModelServer(endless);
  const environment = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted" };
  const todos = [todo("T1", QUESTION, { by: "agent" })];
  const parts = { tools: [], research: scriptedResearch({ plan: () => ({ todos }) }) };
  const first = await openDossier({ parts, environment });
  const { id } = await first.start({ question: QUESTION, graph: "research", limits: { modelCalls: 10 } });
  expect((await first.finish(id)).pending).toHaveLength(1);
  expect(model.requests).toHaveLength(4);
  await first.close(0);

  const second = await openDossier({ parts, environment, dir: first.dir });
  await second.recover();
  await second.runs.answer(TENANT, id, { answer: "奥尔德穆尔的那座" });
  const done = await watch(second, id);
  expect([done.run.status, done.run.error]).toEqual(["succeeded", null]);
  // Its budget is 7 of the 10 calls. An agent reserves two for its report, and needed one.
  expect(model.requests).toHaveLength(6);
  expect(done.run.usage.modelCalls).toBe(6);
  await expectSameAgain(done, parts);
});
