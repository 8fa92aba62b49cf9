import { resolve } from "node:path";
import { readSettings } from "../compose/settings.ts";
import { DossierError } from "../errors.ts";
import { importFolder } from "../storage/postgres/import-folder.ts";
import { type BackupContents, backUpTo, restoreFrom } from "../storage/sqlite/backup.ts";
import { plural, print, type Terminal } from "./terminal.ts";

/** Returns the data folder. @throws DossierError `invalid_request` if the data is in PostgreSQL */
async function dataFolder(terminal: Terminal): Promise<string> {
  const { DATA_DIR, DATABASE_URL } = await readSettings(terminal.env);
  if (DATABASE_URL === undefined) return DATA_DIR;
  throw new DossierError("invalid_request", "The data is in PostgreSQL (DATABASE_URL). Use pg_dump and pg_restore for it.");
}

/** Copies what the service has stored into a file. Returns the exit code. */
export async function backUp(terminal: Terminal, file: string): Promise<number> {
  const DATA_DIR = await dataFolder(terminal);
  const contents = backUpTo(resolve(file), resolve(DATA_DIR));
  print(terminal, `Backed up ${described(contents)} of ${resolve(DATA_DIR)} into ${resolve(file)}.\n`);
  return 0;
}

/** Puts a backup into an empty data folder. Returns the exit code. */
export async function restore(terminal: Terminal, file: string): Promise<number> {
  const DATA_DIR = await dataFolder(terminal);
  const contents = restoreFrom(resolve(file), resolve(DATA_DIR));
  const next = contents.unfinished === 0 ? "" : ` Of the runs, ${contents.unfinished} had not ended and will go on at the next start.`;
  const valid =
    contents.keys === 0 ? "" : ` The keys are as they were at the backup (${contents.keys} not revoked): revoke what was revoked since.`;
  print(terminal, `Restored ${described(contents)} from ${resolve(file)} into ${resolve(DATA_DIR)}.${next}${valid}\n`);
  return 0;
}

/** Copies a data folder into the database of DATABASE_URL. Returns the exit code. */
export async function importData(terminal: Terminal, folder: string): Promise<number> {
  const { DATA_DIR, DATABASE_URL: url, DATABASE_CONNECTIONS: connections } = await readSettings(terminal.env);
  if (url === undefined) throw new DossierError("invalid_request", "Set DATABASE_URL to the PostgreSQL database that is to have the data.");
  const runs = await importFolder(resolve(folder), resolve(DATA_DIR), { url, connections });
  print(terminal, `Copied ${plural(runs, "run")} and all documents of ${resolve(folder)} into the database. The folder stays as it is.\n`);
  return 0;
}

function described({ runs, documents, bytes }: BackupContents): string {
  return `${plural(runs, "run")} and ${plural(documents, "document")} (${(bytes / 1_000_000).toFixed(1)} MB)`;
}
