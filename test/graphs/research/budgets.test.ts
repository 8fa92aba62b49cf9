import { expect, it } from "vitest";
import { VERIFIER } from "../../../src/analyst/research-roles.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { openDossier, TENANT } from "../../helpers/open-dossier.ts";
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

it("reaches a report with the smallest allowed number of steps", async () => {
  const { run } = await research({ question: BUILDER, limits: { steps: 1 } }, { parts: { research: three() } });
  expect(run.error).toBeNull();
  expect(run.termination?.reason).toBe("completed");
});

it("treats a todo as completed only if every judge agrees", async () => {
  const judged = scriptedResearch({
    plan: (_, round) => ({ todos: round === 1 ? [todo("T1", BUILDER), todo("T2", WALL)] : [] }),
    verify: ({ role }) => (role === "reviewer" ? { allCompleted: false, tasks: [{ id: "T2", completed: false, feedback: "太薄弱" }] } : {}),
  });
  const { dossier, run } = await research(
    { question: BUILDER },
    { parts: { research: judged, judges: [VERIFIER, { ...VERIFIER, name: "reviewer" }] } },
  );
  expect(judged.verified.map(({ role }) => role)).toEqual(["verifier", "reviewer"]);
  expect(run.todos?.map(({ status, feedback, answeredBy }) => [status, feedback, answeredBy])).toEqual([
    ["completed", null, "execution"],
    ["failed", "太薄弱", "execution"],
  ]);
  expect((await dossier.runs.get(TENANT, run.id)).termination?.reason).toBe("no_progress");
});
