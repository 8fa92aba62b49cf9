/** Performs work with the same key one after the other. PostgreSQL performs what comes over several connections in any order. */
export class InOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves and rejects as `work` does. Without a key, `work` begins at once. */
  run<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
    if (key === undefined) return work();
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const settled: Promise<void> = result.then(
      () => this.#forget(key, settled),
      () => this.#forget(key, settled),
    );
    this.#last.set(key, settled);
    return result;
  }

  #forget(key: string, settled: Promise<unknown>): void {
    if (this.#last.get(key) === settled) this.#last.delete(key);
  }
}
