import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { asking, corpusFolder, live } from "./corpus-folder.ts";

const PATH = "租约/lease 1.md";

it("returns the file of a document until it changes, moves or becomes a link", async () => {
  const { dir, write, corpus, hits, clock } = await corpusFolder();
  const bytes = Buffer.from("\uFEFF# 租约\r\n\r\n押金为两个月的租金。\r\n");
  await write(PATH, bytes);
  const [hit] = await hits("押金");
  const document = await corpus.read(hit!, asking(live()));
  const original = () => {
    clock.now += 10_000;
    return corpus.original(document, live());
  };
  expect(await original()).toEqual({ bytes, mediaType: "text/markdown", name: "lease 1.md" });
  await write(PATH, "押金为三个月的租金。");
  await expect(original()).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("The text that was read is kept."),
  });
  await write(PATH, bytes);
  expect((await original()).name).toBe("lease 1.md");
  await rm(join(dir, PATH));
  await writeFile(join(dir, "..", "secret.md"), bytes);
  await symlink(join(dir, "..", "secret.md"), join(dir, PATH));
  await expect(original()).rejects.toMatchObject({ code: "not_found" });
});

it("returns no file that has changed since the last look at the folder", async () => {
  const { write, corpus, hits } = await corpusFolder();
  await write(PATH, "押金为两个月的租金。");
  const [hit] = await hits("押金");
  const document = await corpus.read(hit!, asking(live()));
  await write(PATH, "押金为三个月的租金。");
  await expect(corpus.original(document, live())).rejects.toMatchObject({ code: "not_found" });
});

it("returns no file for an address outside the folder", async () => {
  const { dir, write, corpus } = await corpusFolder();
  await write("a.md", "An osprey.");
  await writeFile(join(dir, "..", "b.md"), "An osprey.");
  await corpus.sync(live());
  for (const url of [
    "corpus:..%2Fb.md",
    "corpus:%2e%2e/b.md",
    "corpus:%2Fetc%2Fpasswd",
    "corpus:%",
    "upload:a.md",
    "file:///etc/passwd",
    "https://example.org/a.md",
  ])
    await expect(corpus.original({ url, text: "An osprey." }, live())).rejects.toMatchObject({ code: "not_found" });
});
