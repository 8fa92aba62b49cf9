import { expect, it } from "vitest";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { expectSameAgain, research, statuses, told } from "./ask-research.ts";

const QUESTION = "Who built the lighthouse of Aldermoor, and what is the harbour wall made of?";

it("plans, executes, verifies and summarizes, and replays the same", async () => {
  const parts = {
    research: scriptedResearch({
      plan: () => ({
        todos: [todo("T1", "Who built the lighthouse of Aldermoor?"), todo("T2", "What is the harbour wall of Aldermoor made of?")],
      }),
    }),
  };
  const done = await research({ question: QUESTION }, { parts });
  const { run, events } = done;
  expect(run.error).toBeNull();
  expect(run.termination).toEqual({ reason: "completed", node: "summarize", detail: null });
  expect(statuses(run.todos)).toBe("T1 completed, T2 completed");
  const [listed] = (await done.dossier.runs.list("default", { limit: 1 })).runs;
  expect([listed?.id, listed?.todos]).toEqual([run.id, null]);
  const [planned, begun, both, one, ...ended] = told(events);
  expect([planned, begun, both]).toEqual(["T1 pending, T2 pending", "T1 executing, T2 pending", "T1 executing, T2 executing"]);
  // They work side by side, so either may end first.
  expect(one).toMatch(/^T1 completed, T2 executing$|^T1 executing, T2 completed$/);
  expect(ended).toEqual(["T1 completed, T2 completed", "T1 completed, T2 completed", "T1 completed, T2 completed"]);
  const quotes = run.report?.citations.map(({ quote }) => quote).join("\n");
  expect(quotes).toContain("built in 1874 by Ada Penrose");
  expect(quotes).toContain("granite from Tolmere");
  expect(new Set(events.map(({ path }) => path))).toEqual(new Set(["", "todo:T1", "todo:T1/round:1", "todo:T2", "todo:T2/round:1"]));
  await expectSameAgain(done, { research: parts.research });
});
