import type { FailureCode } from "./report.ts";

/** How the reading of a hit ended. `snippet`: only its first lines are known. */
export interface ReadOutcome {
  readonly status: "read" | "snippet" | "failed";
  readonly contentHash: string | null;
  readonly failure: FailureCode | null;
  readonly title: string;
}

interface Entry {
  readonly read: PromiseWithResolvers<ReadOutcome>;
  outcome: ReadOutcome | null;
}

/**
 * What the todos of a run read at the same time, by address, so that each document is downloaded and counted once. Uses no clock, so that a
 * replay shares the same documents.
 */
export class SharedReads {
  readonly #entries = new Map<string, Entry>();

  /** Whether a todo reads the address or has read it. */
  has(address: string): boolean {
    return this.#entries.has(address);
  }

  /** Returns what was read; null if it is still being read, or not at all. */
  outcome(address: string): ReadOutcome | null {
    return this.#entries.get(address)?.outcome ?? null;
  }

  /** Resolves when the todo that reads the address has ended that. Wait only inside of an effect. */
  wait(address: string): Promise<ReadOutcome> {
    return this.#entries.get(address)?.read.promise ?? Promise.resolve(NOT_READ);
  }

  begin(address: string): void {
    if (!this.has(address)) this.#entries.set(address, { read: Promise.withResolvers(), outcome: null });
  }

  /** After a failure, others who wait have failed too, and later ones may try again. */
  end(address: string, outcome: ReadOutcome = NOT_READ): void {
    this.begin(address);
    const entry = this.#entries.get(address);
    if (entry === undefined) return;
    entry.outcome = outcome;
    entry.read.resolve(outcome);
    if (outcome.status !== "read") this.#entries.delete(address);
  }
}

const NOT_READ: ReadOutcome = { status: "failed", contentHash: null, failure: "unreadable", title: "" };
