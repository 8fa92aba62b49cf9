import { describe, expect, it } from "vitest";
import { runThrough } from "./crashing-run.ts";
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
});
