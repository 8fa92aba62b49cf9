import { useMemo, useSyncExternalStore } from "react";
import { type FollowedRun, RunFollower } from "../../api/run-follower.ts";

export interface RunHandle extends FollowedRun {
  readonly refresh: RunFollower["refresh"];
  readonly adopt: RunFollower["adopt"];
}

/** Follows a run while a component shows it. */
export function useRun(runId: string): RunHandle {
  const follower = useMemo(() => new RunFollower(runId), [runId]);
  const state = useSyncExternalStore(follower.subscribe, follower.snapshot);
  return { ...state, refresh: follower.refresh, adopt: follower.adopt };
}
