import { resolve } from "node:path";
import { readSettings } from "../compose/settings.ts";
import { type BackupContents, backUpTo, restoreFrom } from "../storage/backup.ts";
import { plural, print, type Terminal } from "./terminal.ts";

/** Copies what the service has stored into a file. Returns the exit code. */
export async function backUp(terminal: Terminal, file: string): Promise<number> {
  const { DATA_DIR } = await readSettings(terminal.env);
  const contents = backUpTo(resolve(file), resolve(DATA_DIR));
  print(terminal, `Backed up ${described(contents)} of ${resolve(DATA_DIR)} into ${resolve(file)}.\n`);
  return 0;
}

/** Puts a backup into an empty data folder. Returns the exit code. */
export async function restore(terminal: Terminal, file: string): Promise<number> {
  const { DATA_DIR } = await readSettings(terminal.env);
  const contents = restoreFrom(resolve(file), resolve(DATA_DIR));
  const next = contents.unfinished === 0 ? "" : ` Of the runs, ${contents.unfinished} had not ended and will go on at the next start.`;
  print(terminal, `Restored ${described(contents)} from ${resolve(file)} into ${resolve(DATA_DIR)}.${next}\n`);
  return 0;
}

function described({ runs, documents, bytes }: BackupContents): string {
  return `${plural(runs, "run")} and ${plural(documents, "document")} (${(bytes / 1_000_000).toFixed(1)} MB)`;
}
