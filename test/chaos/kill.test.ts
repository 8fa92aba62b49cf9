import { describe, expect, it } from "vitest";
import { seeded } from "../helpers/seeded.ts";
import { type Death, runThrough } from "./crashing-run.ts";
import { PATH } from "./tool-parts.ts";
import { TOOL_SCENARIO } from "./tool-scenario.ts";

/** Kill before the event is written, and well after: within the node, or in the next one. */
const TURNS = [0, 6];
/** Kill right after the event as well: where tools run, and at the end. */
const RIGHT_AFTER = [1, PATH.length - 1];

describe.concurrent("a run whose process is killed", () => {
  for (const [index, node] of PATH.entries()) {
    for (const type of ["node-started", "node-ended"]) {
      it(`continues after a kill at ${type} of step ${index + 1}, ${node}`, async () => {
        for (const turns of RIGHT_AFTER.includes(index) ? [...TURNS, 1] : TURNS) {
          const { deaths } = await runThrough(TOOL_SCENARIO, [{ type, nth: index + 1, turns }]);
          expect(deaths).toBe(1);
        }
      });
    }
  }

  // A third kill without a new record in between would end the run.
  for (let seed = 1; seed <= 13; seed += 1) {
    it(`continues after two kills at random instants (seed ${seed})`, async () => {
      const random = seeded(seed);
      const instants = Array.from({ length: 2 }, (): Death => ({ afterMs: random() * 180 }));
      const { deaths } = await runThrough(TOOL_SCENARIO, instants);
      expect(deaths).toBeGreaterThan(0);
    });
  }
});
