import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { DossierError } from "../../../src/errors.ts";
import { turns } from "../../helpers/turns.ts";
import { asking, corpusFolder, live } from "./corpus-folder.ts";

const query = { text: "osprey", language: "en", limit: 10 };

/** Another connection of this process. It frees its lock only if the corpus waits in turns of the event loop. */
function otherProgram(file: string): Database.Database {
  const other = new Database(file);
  onTestFinished(() => void other.close());
  return other;
}

it("a sync waits for another program's write lock without blocking", async () => {
  const { corpus, databaseFile, write } = await corpusFolder();
  await write("old.md", "A heron.");
  await corpus.sync(live());
  await write("new.md", "An osprey.");
  const other = otherProgram(databaseFile);
  other.exec("begin immediate");
  const syncing = corpus.sync(live());
  await turns(50);
  other.exec("commit");
  expect(await syncing).toMatchObject({ files: 2, added: 1 });
});

it("searches, while another program holds the write lock", async () => {
  const { corpus, databaseFile, write } = await corpusFolder();
  await write("a.md", "An osprey.");
  await corpus.sync(live());
  otherProgram(databaseFile).exec("begin immediate");
  expect((await corpus.search(query, asking(live()))).hits).toHaveLength(1);
});

it("an aborted sync does not wait for the lock", async () => {
  const { corpus, databaseFile, write } = await corpusFolder();
  await corpus.sync(live());
  await write("a.md", "An osprey.");
  const other = otherProgram(databaseFile);
  other.exec("begin immediate");
  const left = new AbortController();
  const syncing = corpus.sync(left.signal);
  await turns(50);
  left.abort(new DossierError("cancelled", "The run was cancelled."));
  await expect(syncing).rejects.toMatchObject({ code: "cancelled", message: "The run was cancelled." });
  await corpus.close();
});
