import { readFileSync } from "node:fs";

export const VERSION: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
export const PROGRAM = `dossier ${VERSION}`;

/** One Ctrl-C may arrive twice, directly and through npm. Signals within this time count as one. */
const SAME_STOP_MS = 500;

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
