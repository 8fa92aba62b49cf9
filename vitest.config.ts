import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that measure processor time, run by `npm run test:timing` on a machine that does nothing else. */
const TIMING = ["test/timing/**/*.test.ts"];

/** Tests that take minutes, run by `npm run test:long`: killed processes, slow inputs, PDF and DOCX pages. */
const LONG = ["test/**/*.long.test.ts"];

/** The slowest test files, slowest first. If one of them started last, a single worker would run it while the others are idle. */
const SLOW = [
  "test/chaos/",
  "test/e2e/",
  "test/graphs/",
  "test/documents/isolation/",
  "test/network/",
  "test/runs/",
  "test/replays/",
  "test/reports/",
  "test/browser/",
];

/** Starts the slow files first. Vitest does so only if it knows durations from an earlier run, which a fresh checkout does not have. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => orderOf(one.moduleId) - orderOf(other.moduleId));
  }
}

function orderOf(file: string): number {
  const index = SLOW.findIndex((path) => file.includes(path));
  return index < 0 ? SLOW.length : index;
}

export default defineConfig({
  test: {
    globalSetup: "test/global-setup.ts",
    // These limits are long on purpose: they end only tests that hang, not tests on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 100_000 } },
    // Tests wait for servers and processes at times, so that one worker more than processors keeps all of them at work.
    maxWorkers: 1 + Math.max(2, availableParallelism()),
    // Each concurrent test of a file starts processes of its own.
    maxConcurrency: 2,
    // Test files share loaded modules, because modules keep no state. Loading them again for each file would take longer than most files.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        extends: true,
        test: { name: "short", include: ["{test,examples}/**/*.test.ts"], exclude: [...configDefaults.exclude, ...LONG, ...TIMING] },
      },
      // Each of these starts many processes.
      { extends: true, test: { name: "long", include: LONG, testTimeout: 600_000, hookTimeout: 600_000 } },
      { extends: true, test: { name: "timing", include: TIMING, testTimeout: 600_000 } },
      // Faults of databases and of several processes, for an hour: `npm run chaos`.
      { extends: true, test: { name: "chaos", include: ["test/chaos/**/*.chaos.ts"], testTimeout: 900_000, hookTimeout: 900_000 } },
    ],
  },
});
