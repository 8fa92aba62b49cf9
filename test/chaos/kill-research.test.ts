import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { replay } from "../../src/compose.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import { seeded } from "../helpers/seeded.ts";
import { type CallServer, type Death, runThrough, type Scenario } from "./crashing-run.ts";
import { SHARE_SCENARIO } from "./graph-scenarios.ts";
import { researchParts } from "./research-parts.ts";

const SEARCH_DELAY_MS = 25;
const OF_A_TODO = ["llm_decision", "search", "rerank", "download", "summarize", "work", "assess", "todo"];

const SCENARIO: Scenario = {
  name: "research",
  startServer: startPages,
  kind: "search",
  callOf: ({ source, text }: { source: string; text: string }) => `/${source}?query=${encodeURIComponent(text)}`,
  path: ["plan", "approve", ...Array(4).fill(OF_A_TODO).flat(), "collect", "verify", "summarise"],
  sideBySide: true,
  replay: (recording, url) => replay(recording, researchParts(url)),
};

async function startPages(): Promise<CallServer> {
  const { url, requests, close } = await startLoopback(async (_, response) => {
    await pause(SEARCH_DELAY_MS);
    response.end("nothing");
  });
  return { url, calls: requests, close };
}

async function survive(deaths: readonly Death[]) {
  const crashed = await runThrough(SCENARIO, deaths);
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

  // A third kill without a new record in between would end the run.
  for (let seed = 1; seed <= 3; seed += 1) {
    it(`continues after two kills at random instants (seed ${seed})`, async () => {
      const random = seeded(seed);
      const { deaths } = await survive(Array.from({ length: 2 }, (): Death => ({ afterMs: random() * 400 })));
      expect(deaths).toBeGreaterThan(0);
    });
  }
});
