import { describe, expect, it } from "vitest";
import { type Death, runThrough } from "./crashing-run.ts";
import { AGENT_SCENARIO, EXECUTOR_SCENARIO } from "./graph-scenarios.ts";

/** A run of either graph takes three calls. */
const SCENARIOS = { executor: EXECUTOR_SCENARIO, agent: AGENT_SCENARIO };

async function survive(graph: keyof typeof SCENARIOS, deaths: readonly Death[]) {
  const crashed = await runThrough(SCENARIOS[graph], deaths);
  const { run, events } = crashed.recording;
  expect(crashed.deaths).toBe(deaths.length);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["The lighthouse of Aldermoor was built in 1874 by Ada Penrose."]);
  expect(run.usage).toMatchObject({ inputTokens: 30, outputTokens: 300 });
  const restarts = events.filter(({ event }) => JSON.parse(event.body).type === "call-restarted").length;
  const calls = [...new Set(crashed.calls)].map((name) => crashed.calls.filter((call) => call === name).length);
  return { calls, restarts };
}

describe.each(["executor", "agent"] as const)("a run of the %s whose process is killed", (graph) => {
  it("in the middle of a model's stream makes that call again, and says so to readers", async () => {
    const { calls, restarts } = await survive(graph, [{ type: "reasoning", nth: 1, turns: 6, openFrom: 0 }]);
    expect(calls).toEqual([2, 1, 1]);
    expect(restarts).toBe(1);
  });

  it("between two calls repeats no paid call", async () => {
    const { calls, restarts } = await survive(graph, [{ type: "usage", nth: 1, turns: 0 }]);
    expect(calls).toEqual([1, 1, 1]);
    expect(restarts).toBe(0);
  });
});

it("while it waits for its user is answered by the next process", async () => {
  const { calls, restarts } = await survive("agent", [
    { type: "run-waiting", nth: 1, turns: 0 },
    { type: "reasoning", nth: 1, turns: 6, openFrom: 0 },
  ]);
  expect([calls[0], restarts]).toEqual([1, 1]);
});
