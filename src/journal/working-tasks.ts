/**
 * How many tasks work by themselves, waiting for no effect. A task may give way to others while it works; what it says after that
 * must not depend on how many turns of the event loop it took, so nothing is let through before it waits or has ended.
 */
export class WorkingTasks {
  #count = 0;

  get any(): boolean {
    return this.#count > 0;
  }

  /** A task begins. One that runs a part of the run waits for others without an effect, and is not counted. */
  begin(isPart: boolean): WorkingTask {
    let open = isPart ? Number.POSITIVE_INFINITY : 0;
    let ended = false;
    const add = (difference: 1 | -1): void => {
      if (open === 0 && !ended) this.#count += difference;
    };
    add(1);
    return {
      async whileWaiting(wait) {
        add(-1);
        open += 1;
        try {
          return await wait();
        } finally {
          open -= 1;
          add(1);
        }
      },
      end() {
        add(-1);
        ended = true;
      },
    };
  }
}

export interface WorkingTask {
  /** The task waits for an effect; while it waits for several it does not count either. */
  whileWaiting<T>(wait: () => Promise<T>): Promise<T>;
  end(): void;
}
