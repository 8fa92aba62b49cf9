import type { RunStatus } from "../../../src/domain/run.ts";

export function isEnded(status: RunStatus): boolean {
  return status === "succeeded" || status === "failed" || status === "cancelled";
}
