import type { ChildProcess } from "node:child_process";

/** The signals that a process gets, and how many milliseconds after it has opened its databases. It may end before. */
export interface Instants {
  readonly signals: readonly (readonly [NodeJS.Signals, number])[];
}

/** The first word of a process says that it has opened its databases. */
export function signalAt(child: ChildProcess, { signals }: Instants): void {
  const timers = signals.map(([signal, ms]) => setTimeout(() => child.kill(signal), ms));
  child.once("close", () => timers.forEach(clearTimeout));
}
