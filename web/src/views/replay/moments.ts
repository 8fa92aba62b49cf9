import type { RunEvent } from "../../../../src/domain/events.ts";
import { reduce } from "../../view-model/reduce.ts";
import { EMPTY_VIEW, type RunView } from "../../view-model/run-view.ts";

const DISTANCE = 64;
/** A wait that took longer is played as if it had taken so long. */
const MAX_PAUSE_MS = 2_000;

/** Every moment of a run. A moment is found from the snapshot before it, so that going to any one takes at most 64 events. */
export class Moments {
  readonly events: RunEvent[] = [];
  readonly #snapshots: RunView[] = [EMPTY_VIEW];
  /** The times of the events in a replay, in ms. */
  readonly #times: number[] = [];
  #last: RunView = EMPTY_VIEW;

  get size(): number {
    return this.events.length;
  }

  /** @throws whatever `reduce` throws for an event that is no event */
  add(event: RunEvent): void {
    const view = reduce(this.#last, event);
    const before = this.events.at(-1);
    const pause = before === undefined ? 0 : Date.parse(event.at) - Date.parse(before.at);
    this.#times.push((this.#times.at(-1) ?? 0) + Math.min(MAX_PAUSE_MS, Math.max(0, pause || 0)));
    this.events.push(event);
    this.#last = view;
    if (this.events.length % DISTANCE === 0) this.#snapshots.push(view);
  }

  /** Returns the view after the first `count` events. */
  viewAt(count: number): RunView {
    const end = Math.max(0, Math.min(count, this.events.length));
    if (end === this.events.length) return this.#last;
    const snapshot = Math.floor(end / DISTANCE);
    let view = this.#snapshots[snapshot] ?? EMPTY_VIEW;
    for (let index = snapshot * DISTANCE; index < end; index += 1) {
      const event = this.events[index];
      if (event !== undefined) view = reduce(view, event);
    }
    return view;
  }

  /** The time in the replay of the event before this moment, in ms. Long waits are shortened. */
  timeAt(count: number): number {
    return this.#times[Math.min(count, this.#times.length) - 1] ?? 0;
  }

  /** Returns how many events have happened at this time of the replay. */
  countAt(time: number): number {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#times[middle] ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
