import { readFileSync } from "node:fs";
import { DossierError } from "../errors.ts";

export const VERSION: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
export const PROGRAM = `dossier ${VERSION}`;

const LEAST_OPEN_FILES = 256;

/** How many files and connections the system lets the process open. @throws DossierError `config_invalid` if they are too few to work with */
export function readOpenFilesLimit(): number {
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
  };
  const soft = Number(userLimits?.open_files?.soft);
  // "unlimited", or a system without such a limit.
  const limit = Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft;
  if (limit >= LEAST_OPEN_FILES) return limit;
  const message = `Only ${limit} files can be open at once; Dossier needs ${LEAST_OPEN_FILES}. Nothing was started. Raise the limit (ulimit -n).`;
  throw new DossierError("config_invalid", message);
}

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
