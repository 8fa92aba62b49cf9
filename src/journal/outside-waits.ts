import type { WhileWaiting } from "../domain/ports/effects.ts";
import type { JournalOptions, WaitMark } from "../domain/ports/journal.ts";

/**
 * Knows whether a run only waits for something outside: no task runs code, and each of its effects waits. What is not declared as
 * waiting counts as work.
 */
export class OutsideWaits {
  readonly #effects = new Set<{ waits: number }>();
  readonly #isTaskRunning: () => boolean;
  readonly #mark: WaitMark | undefined;

  constructor(isTaskRunning: () => boolean, open: JournalOptions["openWaitMark"]) {
    this.#isTaskRunning = isTaskRunning;
    this.#mark = open?.(() => this.#isWaiting);
  }

  /** Call this when a task begins or ends. */
  check(): void {
    this.#mark?.touch();
  }

  async during<T>(effect: (whileWaiting: WhileWaiting) => Promise<T>): Promise<T> {
    const open = { waits: 0 };
    const count = async <W>(wait: () => Promise<W>): Promise<W> => {
      open.waits += 1;
      this.check();
      try {
        return await wait();
      } finally {
        open.waits -= 1;
        this.check();
      }
    };
    this.#effects.add(open);
    this.check();
    try {
      return await effect(count);
    } finally {
      this.#effects.delete(open);
      this.check();
    }
  }

  close(): void {
    this.#mark?.close();
  }

  get #isWaiting(): boolean {
    if (this.#effects.size === 0 || this.#isTaskRunning()) return false;
    return [...this.#effects].every(({ waits }) => waits > 0);
  }
}
