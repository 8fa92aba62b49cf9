import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Parts } from "../compose/parts.ts";
import { compose, type Dossier } from "../compose.ts";
import type { Config } from "../config.ts";
import type { Tenant } from "../domain/owners.ts";
import { toDossierError } from "../errors.ts";

const KEPT_RUNS = 100;
const PAGE = 100;

/** Opens the folder `ask` in the data folder. If another process uses it, opens a temporary folder that is deleted at exit. */
export async function openAskFolder(config: Config, parts: Parts, tenant: Tenant, say: (line: string) => void): Promise<Dossier> {
  const dir = join(config.DATA_DIR, "ask");
  try {
    const dossier = await compose({ ...config, DATABASE_URL: undefined, DATA_DIR: dir }, parts);
    await cleanUp(dossier, tenant).catch((error: unknown) => say(`${dir} could not be cleaned up: ${toDossierError(error).message}`));
    return dossier;
  } catch (error) {
    if (toDossierError(error).code !== "data_dir_in_use") throw error;
  }
  const temporary = await mkdtemp(join(tmpdir(), "dossier-ask-"));
  process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
  say(`${dir} is in use by another process, so this run is deleted at exit.`);
  return compose({ ...config, DATABASE_URL: undefined, DATA_DIR: temporary }, parts);
}

async function cleanUp({ runs, abandon }: Dossier, tenant: Tenant): Promise<void> {
  await abandon(tenant);
  await deleteOldRuns(runs, tenant);
}

async function deleteOldRuns(runs: Dossier["runs"], tenant: Tenant): Promise<void> {
  let page = await runs.list(tenant, { limit: KEPT_RUNS });
  while (page.nextCursor !== null) {
    page = await runs.list(tenant, { limit: PAGE, cursor: page.nextCursor });
    for (const { id } of page.runs) await runs.delete(tenant, id);
  }
}
