import type { RunEvent } from "../domain/events.ts";
import type { RunStore } from "../domain/ports/run-store.ts";
import { isEnded } from "../domain/run.ts";
import type { Wakeups } from "./wakeups.ts";

/** The most events that are in memory for one reader. */
const PAGE = 200;

export interface FollowOptions {
  readonly tenant: string;
  readonly runId: string;
  readonly after: number;
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
}

/**
 * Pages of events from the log as the reader takes them, then those to come; null after `heartbeatMs` without any. The log is the
 * truth: a wake-up only says that it is worth a look.
 */
export async function* followEvents(store: RunStore, wakeups: Wakeups, options: FollowOptions): AsyncIterable<readonly RunEvent[] | null> {
  const { tenant, runId, signal, heartbeatMs } = options;
  const subscription = wakeups.subscribe(runId);
  let { after } = options;
  try {
    while (!signal.aborted) {
      const page = await store.events(runId, after, PAGE);
      after = page.at(-1)?.seq ?? after;
      if (page.length > 0) yield page;
      if (page.at(-1)?.type === "run-ended") return;
      if (page.length > 0) continue;
      const head = await store.head(tenant, runId);
      if (head === null || (isEnded(head.status) && head.seq <= after)) return;
      if (!(await subscription.next(heartbeatMs, signal))) yield null;
    }
  } finally {
    subscription.close();
  }
}
