/** Ctrl-C reaches npm and the program, and npm passes it on: two signals as close together as this are one. */
const SAME_STOP_MS = 500;

/** Calls `first` at the first SIGTERM or SIGINT, and `again` at each one that is sent after it, not at an echo of the one before. */
export function onStopSignal(first: (signal: NodeJS.Signals) => void, again: () => void): void {
  let latest: number | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    const before = latest;
    latest = performance.now();
    if (before === null) first(signal);
    else if (latest - before > SAME_STOP_MS) again();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
}
