import { describe, expect, it } from "vitest";
import { PROTOCOLS } from "../providers/servers.ts";
import { type Death, runThrough } from "./crashing-run.ts";
import { providerScenario } from "./provider-scenarios.ts";

const QUOTE = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";

/** Where the process is killed: within the first stream, or within the second one, which continues what the first one attached. */
const DEATHS: readonly (readonly [graph: "executor" | "agent", stream: string, death: Death])[] = [
  ["executor", "first", { type: "reasoning", nth: 1, turns: 6, openFrom: 0 }],
  ["agent", "second", { type: "reasoning", nth: 2, turns: 6, openFrom: 1 }],
];

describe.each(PROTOCOLS)("a run with a model of $name whose process is killed", (under) => {
  it.each(DEATHS)("in the %s in the middle of its %s stream is continued by the next process", async (graph, _, death) => {
    const { recording, deaths, calls } = await runThrough(providerScenario(graph, under), [death]);
    expect(deaths).toBe(1);
    expect(recording.run.report?.citations.map(({ quote }) => quote)).toEqual([QUOTE]);
    const restarts = recording.events.filter(({ event }) => JSON.parse(event.body).type === "call-restarted");
    expect(restarts).toHaveLength(1);
    // Only the call that was cut is made again.
    expect(calls.length - new Set(calls).size).toBe(1);
  });
});
