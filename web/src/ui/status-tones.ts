import type { RunStatus } from "../../../src/domain/run.ts";

/** The class of a tag that shows the status of a run. */
export const STATUS_TONES: Readonly<Record<RunStatus, string>> = {
  queued: "",
  running: "tag-accent",
  waiting: "tag-attention",
  succeeded: "tag-good",
  failed: "tag-problem",
  cancelled: "",
};
