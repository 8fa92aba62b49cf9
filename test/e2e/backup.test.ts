import { readdirSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { backUp, restore } from "../../src/cli/backup.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import { openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";

const QUESTIONS = [
  "Who built the lighthouse of Aldermoor?",
  "灯塔建于哪一年？",
  "When does the harbour freeze?",
  "How many steps are there?",
];

async function said(command: typeof backUp, file: string, dataDir: string): Promise<string> {
  let text = "";
  const stdout = { write: (piece: string) => (text += piece) };
  await command({ stdout, env: { DATA_DIR: dataDir } } as never, file);
  return text;
}

async function verify(dossier: TestDossier, runId: string): Promise<readonly string[]> {
  const lines = await Array.fromAsync(dossier.runs.bundle(TENANT, runId));
  return verifyBundle(Buffer.from(lines.join("")), "dossier").faults;
}

it("backs up while runs are stored, and restores every run with its evidence", async () => {
  const dossier = await openDossier();
  const ended = [];
  for (const question of QUESTIONS) ended.push((await dossier.finish((await dossier.start({ question })).id)).id);
  const begun = await Promise.all(QUESTIONS.map((question) => dossier.start({ question })));
  const file = join(dossier.dir, "backup.sqlite");
  expect(await said(backUp, file, join(dossier.dir, "data"))).toMatch(/^Backed up 8 runs and 3 documents \(\d+\.\d MB\)/);
  for (const { id } of begun) await dossier.finish(id);

  const home = join(dossier.dir, "restored");
  expect(await said(restore, file, join(home, "data"))).toMatch(
    /^Restored 8 runs and 3 documents .* Of the runs, 4 had not ended and will go on at the next start\.\n$/,
  );
  await dossier.close(0);
  const again = await openDossier({ dir: home, environment: { CORPUS_DIR: join(dossier.dir, "corpus") } });
  await again.recover();
  for (const id of [...ended, ...begun.map((run) => run.id)]) {
    expect(await again.finish(id)).toMatchObject({ status: "succeeded" });
    expect(await verify(again, id)).toEqual([]);
  }
});

it("refuses a file that exists, a folder with files, a damaged backup and one of a newer version, and leaves nothing behind", async () => {
  const dossier = await openDossier();
  await dossier.finish((await dossier.start({ question: "Who built the lighthouse?" })).id);
  const [data, file] = [join(dossier.dir, "data"), join(dossier.dir, "backup.sqlite")];
  await said(backUp, file, data);
  await expect(said(backUp, file, data)).rejects.toThrow("exists already");
  await expect(said(restore, file, data)).rejects.toThrow("is not empty");
  await expect(said(backUp, join(dossier.dir, "another"), join(dossier.dir, "nowhere"))).rejects.toThrow("no database");

  const empty = join(dossier.dir, "empty");
  await mkdir(empty);
  const damaged = join(dossier.dir, "damaged.sqlite");
  writeFileSync(damaged, "no database");
  await expect(said(restore, damaged, empty)).rejects.toMatchObject({ code: "storage_damaged" });
  const newer = new Database(file);
  newer.prepare("insert into kysely_migration values ('9999-later', '')").run();
  newer.close();
  await expect(said(restore, file, empty)).rejects.toThrow("newer version of Dossier (9999-later)");
  expect(readdirSync(empty)).toEqual([]);
});
