import { appendFile, chmod, mkdir, open, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createExtractor } from "../../../src/documents/extract.ts";
import { type CorpusOptions, FolderCorpus } from "../../../src/tools/corpus/corpus.ts";
import { asking, corpusFolder, live, workers } from "./corpus-folder.ts";

const NOTHING_ELSE = { leftOut: [], ignored: 0 };

describe("a sync", () => {
  it("extracts new and changed files, and drops deleted ones", async () => {
    const { dir, write, corpus, extractor, search } = await corpusFolder();
    await write("a.md", "An osprey.");
    await write("sub/b.txt", "A heron.");
    await write("c.HTML", "<p>A grebe.</p>");
    expect(await corpus.sync(live())).toEqual({ files: 3, added: 3, changed: 0, removed: 0, failed: [], ...NOTHING_ELSE });
    expect(extractor.urls.toSorted()).toEqual(["corpus:a.md", "corpus:c.HTML", "corpus:sub/b.txt"]);
    await write("a.md", "An avocet, not the other.");
    await rm(join(dir, "sub/b.txt"));
    expect(await corpus.sync(live())).toEqual({ files: 2, added: 0, changed: 1, removed: 1, failed: [], ...NOTHING_ELSE });
    expect(extractor.urls).toHaveLength(4);
    expect([await search("osprey"), await search("heron"), await search("avocet")]).toEqual([[], [], ["corpus:a.md"]]);
  });

  it("drops the sections of long files that were deleted or shortened", async () => {
    const { dir, write, corpus, search } = await corpusFolder();
    const long = Array.from({ length: 30 }, (_, at) => `# Part ${at}\n\nAn osprey. ${"It eats fish. ".repeat(100)}\n`).join("\n");
    await write("a.md", long);
    await write("b.md", long);
    await corpus.sync(live());
    await rm(join(dir, "a.md"));
    await write("b.md", "A heron.");
    expect(await corpus.sync(live())).toMatchObject({ files: 1, changed: 1, removed: 1 });
    expect([await search("osprey"), await search("heron")]).toEqual([[], ["corpus:b.md"]]);
  });

  it("reports each failure once, also of a deleted folder", async () => {
    const reported: string[] = [];
    const onFailed: CorpusOptions["onFailed"] = (failures) => reported.push(...failures.map(({ path, code }) => `${path} ${code}`));
    const { dir, write, corpus } = await corpusFolder({ onFailed, maxFileBytes: 20 });
    await write("租约.md", "押金为两个月的租金，退租后三十天内退还，利息另计。");
    await write("a.md", "An osprey.");
    await corpus.sync(live());
    await write("late.txt", "A heron came after the first sync.");
    await corpus.sync(live());
    await corpus.sync(live());
    expect(reported).toEqual(["租约.md document_too_large", "late.txt document_too_large"]);
    await rename(dir, `${dir}-away`);
    for (let i = 0; i < 2; i++) await expect(corpus.sync(live())).rejects.toMatchObject({ code: "unreachable" });
    await rename(`${dir}-away`, dir);
    expect(reported.slice(2)).toEqual([". unreachable"]);
  });

  it("neither opens nor extracts unchanged files, not even after a restart", async () => {
    const { corpus, reopen, extractor } = await corpusFolder({ fixtures: true });
    await corpus.sync(live());
    expect(extractor.urls).toHaveLength(7);
    await corpus.close();
    const again = reopen();
    expect(await again.sync(live())).toEqual({ files: 7, added: 0, changed: 0, removed: 0, failed: [], ...NOTHING_ELSE });
    expect(extractor.urls).toHaveLength(7);
  });

  it("does not extract a file again whose time alone has changed", async () => {
    const { dir, write, corpus, extractor } = await corpusFolder();
    await write("a.md", "An osprey.");
    await corpus.sync(live());
    await utimes(join(dir, "a.md"), 1, 1);
    expect(await corpus.sync(live())).toMatchObject({ changed: 0 });
    expect(extractor.urls).toHaveLength(1);
  });

  it("notices a change that keeps size and modification time", async () => {
    const { dir, write, corpus, search } = await corpusFolder();
    await write("a.md", "An osprey.");
    await utimes(join(dir, "a.md"), 5, 5);
    await corpus.sync(live());
    const { ctimeMs } = await stat(join(dir, "a.md"));
    // The file system tells the time of a change in steps.
    do {
      await write("a.md", "An avocet.");
      await utimes(join(dir, "a.md"), 5, 5);
    } while ((await stat(join(dir, "a.md"))).ctimeMs === ctimeMs);
    expect(await search("avocet")).toEqual(["corpus:a.md"]);
  });

  it("follows a file that was renamed", async () => {
    const { dir, write, corpus, search } = await corpusFolder();
    await write("a.md", "An osprey.");
    await corpus.sync(live());
    await rename(join(dir, "a.md"), join(dir, "b.md"));
    expect(await search("osprey")).toEqual(["corpus:b.md"]);
  });

  it("skips hidden files, node_modules, links and other formats, and counts the last two", async () => {
    const { dir, write, corpus } = await corpusFolder();
    await write("../outside.md", "An osprey.");
    await write("../elsewhere/b.md", "An osprey.");
    for (const path of [".hidden.md", ".git/a.md", "node_modules/p/README.md", "a.png", "md", ".md"]) await write(path, "An osprey.");
    await symlink("../outside.md", join(dir, "link.md"));
    await symlink("../elsewhere", join(dir, "folder"));
    await symlink(".", join(dir, "cycle"));
    const { leftOut, ...counts } = await corpus.sync(live());
    expect(counts).toEqual({ files: 0, added: 0, changed: 0, removed: 0, failed: [], ignored: 0 });
    expect(leftOut.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "a.png unsupported_document",
      "cycle out_of_scope",
      "folder out_of_scope",
      "link.md out_of_scope",
      "md unsupported_document",
    ]);
  });

  it("reports an unreadable file, does not try it again until it changes, and continues", async () => {
    const { write, corpus, extractor, search } = await corpusFolder({ maxFileBytes: 100 });
    await write("binary.txt", new Uint8Array([1, 2, 3, 4, 0, 5, 6, 7]));
    await write("empty.md", "\n");
    await write("huge.md", "x".repeat(101));
    await write("ok.md", "An osprey.");
    const failed = [
      { path: "binary.txt", code: "unreadable", message: "The document is a binary file, not text." },
      { path: "empty.md", code: "empty", message: "The document contains no text." },
      { path: "huge.md", code: "document_too_large", message: "It has 101 bytes; the limit is 100." },
    ];
    expect(await corpus.sync(live())).toEqual({ files: 1, added: 4, changed: 0, removed: 0, failed, ...NOTHING_ELSE });
    expect(await corpus.sync(live())).toEqual({ files: 1, added: 0, changed: 0, removed: 0, failed, ...NOTHING_ELSE });
    expect(extractor.urls).toHaveLength(3);
    await write("binary.txt", "An osprey, after all.");
    expect(await search("osprey")).toHaveLength(2);
  });

  it("reads no more than the limit of a file that grows while it is read", async () => {
    const { dir, write, corpus } = await corpusFolder({ maxFileBytes: 100 });
    await write("log.md", "An osprey.");
    const path = join(dir, "log.md");
    const handle = await open(path);
    const prototype = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    const { stat: statOf } = prototype;
    const spy = vi.spyOn(prototype, "stat").mockImplementation(async function (this: typeof handle) {
      const stats = await statOf.call(this);
      await appendFile(path, "x".repeat(1_000));
      return stats;
    });
    onTestFinished(() => spy.mockRestore());
    const { failed } = await corpus.sync(live());
    expect(failed).toEqual([{ path: "log.md", code: "document_too_large", message: "It has more than 100 bytes, which is the limit." }]);
  });

  it.skipIf(process.getuid?.() === 0)("reports a folder that it may not read", async () => {
    const { dir, write, corpus } = await corpusFolder();
    await write("closed/a.md", "An osprey.");
    await chmod(join(dir, "closed"), 0);
    const { failed } = await corpus.sync(live());
    await chmod(join(dir, "closed"), 0o755);
    expect(failed).toMatchObject([{ path: "closed", code: "unreadable" }]);
  });

  it("indexes no more files than allowed, and says where it stopped", async () => {
    const { write, corpus } = await corpusFolder({ maxFiles: 2 });
    for (const name of ["a", "b", "c", "d"]) await write(`${name}.md`, "An osprey.");
    const message = "The folder contains more than 2 files; this file and those after it are left out.";
    expect(await corpus.sync(live())).toMatchObject({ files: 2, added: 2, failed: [{ path: "c.md", code: "too_large", message }] });
  });

  it("reports its progress", async () => {
    const seen: unknown[] = [];
    const { write, corpus } = await corpusFolder({ onProgress: (progress) => seen.push(progress) });
    await write("a.md", "An osprey.");
    await write("b.md", "A heron.");
    await corpus.sync(live());
    expect(seen).toEqual([
      { done: 0, total: 2 },
      { done: 1, total: 2 },
      { done: 2, total: 2 },
    ]);
  });
});

describe("a folder that is missing", () => {
  it("is unreachable, which is not the same as empty, and the index is kept", async () => {
    const { dir, write, corpus, search, extractor } = await corpusFolder();
    await write("a.md", "An osprey.");
    await corpus.sync(live());
    await rename(dir, `${dir}-away`);
    const error = { name: "DossierError", code: "unreachable", message: `The folder ${dir} cannot be read (ENOENT).` };
    await expect(search("osprey")).rejects.toMatchObject(error);
    await expect(corpus.sync(live())).rejects.toMatchObject(error);
    await rename(`${dir}-away`, dir);
    expect(await search("osprey")).toEqual(["corpus:a.md"]);
    expect(extractor.urls).toHaveLength(1);
  });

  it("may be a file, and is unreachable then, too", async () => {
    const { dir, search } = await corpusFolder();
    await rm(dir, { recursive: true });
    await writeFile(dir, "a file");
    await expect(search("osprey")).rejects.toMatchObject({ code: "unreachable" });
  });
});

describe("an index", () => {
  it("of another folder is not mixed with this one's", async () => {
    const { dir, write, corpus, databaseFile } = await corpusFolder();
    await write("a.md", "An osprey.");
    await corpus.sync(live());
    await corpus.close();
    await mkdir(`${dir}-2`);
    await writeFile(join(`${dir}-2`, "b.md"), "An osprey, too.");
    const other = new FolderCorpus({ dir: `${dir}-2`, databaseFile, extractor: createExtractor(), workers });
    const { hits } = await other.search({ text: "osprey", language: "en", limit: 10 }, asking(live()));
    await other.close();
    expect(hits.map(({ url }) => url)).toEqual(["corpus:b.md"]);
  });

  it.each([
    ["is no database at all", () => "this is not SQLite, and long enough to be looked at as if it were a header".repeat(100)],
    ["is empty", () => ""],
  ])("that %s is rebuilt", async (_, content) => {
    const { write, corpus, reopen, databaseFile, extractor } = await corpusFolder();
    await write("a.md", "An osprey.");
    await corpus.sync(live());
    await corpus.close();
    for (const file of [databaseFile, `${databaseFile}-wal`]) await rm(file, { force: true });
    await writeFile(databaseFile, content());
    expect((await reopen().search({ text: "osprey", language: "en", limit: 10 }, asking(live()))).hits).toHaveLength(1);
    expect(extractor.urls).toHaveLength(2);
  });

  it("in a folder that is not writable is unreachable", async () => {
    const { dir, databaseFile } = await corpusFolder();
    await writeFile(join(dir, "file"), "");
    const open = () => new FolderCorpus({ dir, databaseFile: join(dir, "file", "index.sqlite"), extractor: createExtractor(), workers });
    expect(open).toThrowError(expect.objectContaining({ name: "DossierError", code: "unreachable" }));
    expect(databaseFile).toBeTruthy();
  });
});
