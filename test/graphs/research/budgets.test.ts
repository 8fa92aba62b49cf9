import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { openDossier } from "../../helpers/open-dossier.ts";
import { expectSameAgain, research, statuses, watch } from "./ask-research.ts";

const BUILDER = "Who built the lighthouse of Aldermoor?";
const WALL = "What is the harbour wall made of?";
const BUILT = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";
const three = () =>
  scriptedResearch({ plan: () => ({ todos: [todo("T1", BUILDER), todo("T2", WALL), todo("T3", "奥尔德穆尔灯塔建于哪一年？")] }) });

it("never makes more calls than the run may, and lets rules do the work that a todo cannot pay", async () => {
  const model = await startModelServer(() => say.text("No [P1]."));
  const parts = { research: three(), tools: [] };
  const dossier = await openDossier({ parts, environment: { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted" } });
  const { id } = await dossier.start({ question: BUILDER, graph: "research", limits: { modelCalls: 6 } });
  const done = await watch(dossier, id);
  expect(done.run.error).toBeNull();
  expect(done.run.usage.modelCalls).toBeLessThanOrEqual(3);
  expect(statuses(done.run.todos)).toBe("T1 completed, T2 completed, T3 completed");
  expect(done.run.report?.citations.map(({ quote }) => quote).join("\n")).toContain(BUILT);
  await expectSameAgain(done, parts);
});

it("lets no todo take the downloads that the others need to begin", async () => {
  const { run } = await research({ question: BUILDER, limits: { downloads: 3 } }, { parts: { research: three() } });
  expect(run.usage.downloads).toBeLessThanOrEqual(3);
  expect(statuses(run.todos)).toBe("T1 completed, T2 completed, T3 completed");
});
