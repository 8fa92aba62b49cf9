import type { RunEvent } from "../domain/events.ts";
import type { RunStore } from "../domain/ports/run-store.ts";
import { isEnded } from "../domain/run.ts";

const PAGE = 200;

interface FollowOptions {
  readonly tenant: string;
  readonly runId: string;
  readonly after: number;
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
}

/** Yields pages of stored events, then of new events. Yields null after `heartbeatMs` without an event. */
export async function* followEvents(store: RunStore, wakeups: Wakeups, options: FollowOptions): AsyncIterable<readonly RunEvent[] | null> {
  const { tenant, runId, signal, heartbeatMs } = options;
  const subscription = wakeups.subscribe(runId);
  let { after } = options;
  try {
    // An ended run writes no more events, so the loop looks for an end at the start and after each timeout.
    for (let woken = false; !signal.aborted; ) {
      const page = await store.events(runId, after, PAGE);
      after = page.at(-1)?.seq ?? after;
      if (page.length > 0) yield page;
      if (page.at(-1)?.type === "run-ended") return;
      if (page.length === PAGE) continue;
      if (!woken && (await hasEnded(store, { tenant, runId, after }))) return;
      woken = await subscription.next(heartbeatMs, signal);
      if (!woken) yield null;
    }
  } finally {
    subscription.close();
  }
}

async function hasEnded(store: RunStore, { tenant, runId, after }: Pick<FollowOptions, "tenant" | "runId" | "after">): Promise<boolean> {
  const head = await store.head(tenant, runId);
  return head === null || (isEnded(head.status) && head.seq <= after);
}

interface Subscription {
  /** Waits for a wake-up since the last call. Returns false after `timeoutMs` or an abort. */
  next(timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

export class Wakeups {
  readonly #waiting = new Map<string, Set<() => void>>();

  notify(runId: string): void {
    for (const wake of this.#waiting.get(runId) ?? []) wake();
  }

  /** Subscribe before reading the events, so that no wake-up is missed. Close the subscription afterwards. */
  subscribe(runId: string): Subscription {
    let isWoken = false;
    let resume: (() => void) | null = null;
    const wake = (): void => {
      isWoken = true;
      resume?.();
    };
    const pause = (timeoutMs: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          resume = null;
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        signal.addEventListener("abort", done, { once: true });
        resume = done;
      });
    const wakes = this.#waiting.get(runId) ?? new Set();
    this.#waiting.set(runId, wakes.add(wake));
    return {
      async next(timeoutMs, signal) {
        if (!isWoken && !signal.aborted) await pause(timeoutMs, signal);
        const wasWoken = isWoken;
        isWoken = false;
        return wasWoken;
      },
      close: () => {
        wakes.delete(wake);
        if (wakes.size === 0) this.#waiting.delete(runId);
      },
    };
  }
}
