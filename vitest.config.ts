import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest, longest first: one of these at the end would keep one worker busy while the others have nothing to do. */
const LONG = [
  "test/chaos/kill.test.ts",
  "test/graphs/model-endings.test.ts",
  "test/documents/hostile-pages.test.ts",
  "test/chaos/kill-graphs.test.ts",
  "test/chaos/kill-model.test.ts",
  "test/e2e/",
  "test/graphs/",
  "test/documents/isolation/",
  "test/network/",
  "test/runs/",
  "test/replays/",
  "test/reports/",
  "test/browser/",
];

/** A fresh checkout, which has no durations of an earlier run, starts with the long ones too. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => placeOf(one.moduleId) - placeOf(other.moduleId));
  }
}

function placeOf(file: string): number {
  const place = LONG.findIndex((path) => file.includes(path));
  return place < 0 ? LONG.length : place;
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // Most tests wait for servers and processes: a core need not be kept free for the runner.
    maxWorkers: Math.max(2, availableParallelism()),
    // The program keeps nothing in its modules but what it was told by the tables in them: to load it for each file anew would take longer
    // than most files. What a test changes of its process is put back after it.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    sequence: { sequencer: LongestFirst },
  },
});
