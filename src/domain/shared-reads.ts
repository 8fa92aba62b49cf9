import type { FailureCode } from "./report.ts";

/** How the reading of a hit ended. `snippet`: only its first lines are known. */
export interface ReadOutcome {
  readonly status: "read" | "snippet" | "failed";
  readonly contentHash: string | null;
  readonly failure: FailureCode | null;
  readonly title: string;
  /** The date that the document itself tells. Absent in old recordings, and if it was not read. */
  readonly publishedAt?: string | null;
}

/**
 * What the todos of a run read at the same time, by the key of its address (`readKeyOf`), so that each document is downloaded and counted
 * once. Uses no clock, so that a replay shares the same documents.
 */
export class SharedReads {
  readonly #entries = new Map<string, { readonly read: PromiseWithResolvers<ReadOutcome>; outcome: ReadOutcome | null }>();

  /** Whether a todo reads it or has read it. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Returns what was read; null if it is still being read, or not at all. */
  outcome(key: string): ReadOutcome | null {
    return this.#entries.get(key)?.outcome ?? null;
  }

  /** Resolves when the todo that reads it has ended that. Wait only inside of an effect. */
  wait(key: string): Promise<ReadOutcome> {
    return this.#entries.get(key)?.read.promise ?? Promise.resolve(NOT_READ);
  }

  begin(key: string): void {
    if (!this.has(key)) this.#entries.set(key, { read: Promise.withResolvers(), outcome: null });
  }

  /** After a failure, others who wait have failed too, and later ones may try again. */
  end(key: string, outcome: ReadOutcome = NOT_READ): void {
    this.begin(key);
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.outcome = outcome;
    entry.read.resolve(outcome);
    if (outcome.status !== "read") this.#entries.delete(key);
  }
}

const NOT_READ: ReadOutcome = { status: "failed", contentHash: null, failure: "unreadable", title: "" };
