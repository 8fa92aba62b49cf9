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

it.each([
  ["short", "An osprey."],
  ["long", `An osprey. ${"Words of a long text. ".repeat(1_000)}`],
])("a sync with a %s file waits for another program's write lock without blocking", async (_, text) => {
  const { corpus, databaseFile, write } = await corpusFolder();
  await write("old.md", "A heron.");
  await corpus.sync(live());
  await write("new.md", text);
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

it("ends with an error if the lock is held for too long", async () => {
  const { reopen, databaseFile, write } = await corpusFolder();
  const corpus = reopen({ maxLockedMs: 0 });
  await corpus.sync(live());
  await write("a.md", "An osprey.");
  otherProgram(databaseFile).exec("begin immediate");
  await expect(corpus.sync(live())).rejects.toMatchObject({ code: "unreachable", message: "database is locked" });
});

it("knows no languages, without an error, while its index cannot be read", async () => {
  const { corpus, databaseFile, write } = await corpusFolder();
  await write("a.md", "The osprey is in the nest on the cliff.");
  await corpus.sync(live());
  expect(corpus.languages?.()).toEqual(["en"]);
  otherProgram(databaseFile).exec("alter table files rename to moved");
  expect(corpus.languages?.()).toEqual([]);
});

it("searches what is indexed while another program keeps a new file from being indexed, and says so", async () => {
  const { corpus, databaseFile, clock, write } = await corpusFolder();
  await write("a.md", "An osprey.");
  await corpus.sync(live());
  await write("鱼鹰.md", "An osprey too.");
  const other = otherProgram(databaseFile);
  other.exec("begin immediate");
  clock.now += 10_000;
  expect(await corpus.search(query, asking(live()))).toMatchObject({
    hits: [{}],
    gaps: "the index was not complete: 1 of 2 files were searched",
  });
  other.exec("commit");
  await expect.poll(() => corpus.indexing()).toBeNull();
  expect((await corpus.search(query, asking(live()))).hits).toHaveLength(2);
});

it("searches what is indexed if the index cannot be written, and says why it is not up to date", async () => {
  const { answer, databaseFile, hits, write } = await corpusFolder();
  await write("a.md", "An osprey.");
  expect(await hits("osprey")).toHaveLength(1);
  otherProgram(databaseFile).exec("create trigger full before insert on files begin select raise(abort, 'database or disk is full'); end");
  await write("b.md", "Another osprey.");
  const gaps = "the index could not be brought up to date (database or disk is full)";
  expect(await answer("osprey")).toMatchObject({ hits: [{}], gaps });
  expect((await answer("osprey", "zh")).gaps).toBe("索引无法更新（database or disk is full）");
});
