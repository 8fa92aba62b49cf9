import type { JournalRecord, RunSignal } from "../domain/recording.ts";
import { DossierError } from "../errors.ts";

/** The signals to a run: each is accepted once, recorded in order, and has an effect when its record is released. */
export class RunSignals {
  /** The signal that stopped the run, if no later one revoked it. */
  stoppedBy: RunSignal | null = null;
  readonly #accepted = new Set<RunSignal>();
  readonly #toRecord: RunSignal[] = [];

  /** `records` are of earlier attempts. If they end with a drain, the run goes on. */
  constructor(records: readonly JournalRecord[]) {
    if (endsInDrain(records)) this.#toRecord.push("continue");
  }

  /** Returns false if the signal was accepted before. */
  accept(signal: RunSignal): boolean {
    if (this.#accepted.has(signal)) return false;
    this.#accepted.add(signal);
    this.#toRecord.push(signal);
    return true;
  }

  nextToRecord(): RunSignal | undefined {
    return this.#toRecord.shift();
  }

  released(signal: RunSignal): void {
    this.stoppedBy = signal === "continue" ? null : signal;
    if (signal === "continue") this.#accepted.delete("drain");
    // A `continue` that is still to come revokes this drain, so another drain must be accepted.
    else if (!this.#toRecord.includes("continue")) this.#accepted.add(signal);
  }
}

function endsInDrain(records: readonly JournalRecord[]): boolean {
  const stops = records.filter(({ kind, request }) => kind === "control" && (request === "drain" || request === "continue"));
  return stops.at(-1)?.request === "drain";
}

/** Returns why a run that got the signal ends. */
export function endBySignal(signal: "cancel" | "deadline"): DossierError {
  return signal === "cancel"
    ? new DossierError("cancelled", "The run was cancelled.")
    : new DossierError("timeout", "The time limit of the run is reached. Raise limits.seconds or MAX_SECONDS, or ask for less.");
}
