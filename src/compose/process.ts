import { readFileSync } from "node:fs";

export const VERSION: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
/** Names this program in recordings, bundles and reports. */
export const PROGRAM = `dossier ${VERSION}`;

/** Signals this close together count as one, because npm forwards a Ctrl-C that also reaches the program itself. */
const SAME_STOP_MS = 500;

/** Calls `first` at the first SIGTERM or SIGINT, and `again` at each later one. */
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
