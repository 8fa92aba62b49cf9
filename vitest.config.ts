import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Most tests wait for servers and processes: a core need not be kept free for the runner.
export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, maxWorkers: Math.max(2, availableParallelism()) },
});
