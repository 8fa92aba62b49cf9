import { existsSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Runs that kill processes, inputs built to be slow, and files looked at page by page: `npm run test:long`. */
const LONG = ["test/chaos/**/*.test.ts", "test/**/*.long.test.ts"];

/** The files that take longest, longest first: one of them at the end would keep one worker busy while the others are idle. */
const SLOW = [
  "test/chaos/",
  "test/graphs/model-endings.test.ts",
  "test/e2e/",
  "test/graphs/",
  "test/documents/isolation/",
  "test/network/",
  "test/runs/",
  "test/replays/",
  "test/reports/",
  "test/browser/",
];

/** A fresh checkout has no durations of an earlier run, and starts with the slow files too. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => placeOf(one.moduleId) - placeOf(other.moduleId));
  }
}

function placeOf(file: string): number {
  const place = SLOW.findIndex((path) => file.includes(path));
  return place < 0 ? SLOW.length : place;
}

/** Returns a folder in memory if there is a gigabyte: tests open thousands of databases, each of which waits for the disk several times. */
function temporaryFolder(): string {
  if (!existsSync("/dev/shm")) return tmpdir();
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize > 2 ** 30 ? "/dev/shm" : tmpdir();
}

export default defineConfig({
  test: {
    env: { TMPDIR: temporaryFolder() },
    // These limits only end what hangs: a busy machine takes as long as it takes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // Most tests wait for servers and processes rather than compute.
    maxWorkers: 2 * Math.max(2, availableParallelism()),
    // Modules keep no state, so test files share them: loading the program for each file anew would take longer than most files.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    sequence: { sequencer: SlowestFirst },
    projects: [
      { extends: true, test: { name: "short", include: ["test/**/*.test.ts"], exclude: [...configDefaults.exclude, ...LONG] } },
      { extends: true, test: { name: "long", include: LONG } },
    ],
  },
});
