import { describe, expect, it } from "vitest";
import { type Death, runThrough } from "./crashing-run.ts";
import { SHARE_SCENARIO } from "./graph-scenarios.ts";
import { RESEARCH_SCENARIO } from "./research-scenario.ts";

async function survive(deaths: readonly Death[]) {
  const crashed = await runThrough(RESEARCH_SCENARIO, deaths);
  const { run } = crashed.recording;
  expect(run.todos?.map(({ id, status }) => `${id} ${status}`)).toEqual(["T1 completed", "T2 completed", "T3 completed", "T4 completed"]);
  expect(run.termination?.reason).toBe("completed");
  return crashed;
}

it("a todo that has spent half of its budget stops at that budget after its process was killed while it waited for the user", async () => {
  const { deaths, calls } = await runThrough(SHARE_SCENARIO, [
    { type: "run-waiting", nth: 1, turns: 0 },
    { type: "usage", nth: 1, turns: 0 },
  ]);
  // Its budget is 7 of the 10 calls. An agent reserves two for its report, and needs one. What the dead process did not record is asked again.
  expect([deaths, new Set(calls).size]).toEqual([2, 6]);
});

describe.concurrent("a planned run whose process is killed", () => {
  it("while it waits for the approval of its plan accepts an edited plan afterwards", async () => {
    expect((await survive([{ type: "run-waiting", nth: 1, turns: 0 }])).deaths).toBe(1);
  });

  it("while its todos run side by side continues each of them where it was", async () => {
    const { deaths } = await survive([
      { type: "node-ended", node: "search", nth: 1, turns: 0 },
      { type: "node-started", node: "assess", nth: 2, turns: 6 },
      { type: "node-ended", node: "todo", nth: 1, turns: 1 },
    ]);
    expect(deaths).toBe(3);
  });
});
