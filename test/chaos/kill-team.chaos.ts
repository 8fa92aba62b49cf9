import { describe, expect, it } from "vitest";
import { type Death, runThrough } from "./crashing-run.ts";
import { TEAM_SCENARIO } from "./graph-scenarios.ts";

const DEATHS: Readonly<Record<string, readonly Death[]>> = {
  "while two children speak": [{ type: "reasoning", nth: 2, turns: 6, openFrom: 0 }],
  "when one child waits and another one works": [{ type: "component", nth: 2, turns: 0 }],
  "while the whole team waits": [{ type: "run-waiting", nth: 1, turns: 0 }],
  "in the last child and in the supervisor": [
    { type: "run-waiting", nth: 1, turns: 0 },
    { type: "usage", nth: 2, turns: 0 },
    { type: "content", nth: 2, turns: 2 },
  ],
};

describe("a team whose process is killed", () => {
  it.each(Object.entries(DEATHS))("%s reaches the same end, pays no call twice, and replays", async (_, deaths) => {
    const crashed = await runThrough(TEAM_SCENARIO, deaths);
    const { run } = crashed.recording;
    expect(crashed.deaths).toBe(deaths.length);
    expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["The lighthouse of Aldermoor was built in 1874 by Ada Penrose."]);
    expect(run.children?.map(({ id, status, iterations }) => [id, status, iterations])).toEqual([
      ["东", "completed", 2],
      ["finds", "completed", 2],
      ["last", "completed", 1],
    ]);
  });
});
