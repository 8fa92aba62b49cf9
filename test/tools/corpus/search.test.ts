import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { HitSchema } from "../../../src/domain/hit.ts";
import { leftOutLine } from "../../../src/domain/left-out.ts";
import type { LedgerEntry } from "../../../src/domain/report.ts";
import { asking, corpusFolder, live } from "./corpus-folder.ts";

describe("a question to the corpus", () => {
  it.each([
    ["How often are the blades of tidal turbines cleaned?", "corpus:guides/tidal-turbines.md"],
    ["What moisture do seeds have before they are frozen?", "corpus:guides/seed-vault.html"],
    ["When was the oven of the bakery built?", "corpus:guides/bakery-notes.txt"],
    ["青盐湖储能电站用的是什么电池？", "corpus:zh/salt-lake-battery.md"],
    ["古茶道上最老的石橋建於什麼時候？", "corpus:zh/tea-road.html"],
    ["白崎灯台の高さは何メートルですか", "corpus:world/lighthouse-ja.html"],
    ["متى يبدأ موسم حصاد التمور؟", "corpus:world/dates-ar.html"],
  ])("finds its page first: %s", async (question, url) => {
    const { search } = await corpusFolder({ fixtures: true });
    expect((await search(question))[0]).toBe(url);
  });

  it.each([
    ["谁是吴应龙？", "吴应龙"],
    ["方能武", "方能武"],
    ["那英是哪里人？", "那英"],
    ["请问诗人郭该之住在哪里？", "郭该之"],
  ])("finds a name that is written with stop words: %s", async (question, name) => {
    const { write, search } = await corpusFolder();
    await write("name.md", `# 一\n\n那年秋天，${name}的船队渡过了大江。\n`);
    await write("other.md", "# 二\n\n龙船在英山的码头停了一年，无人希望武力。\n");
    expect(await search(question)).toEqual(["corpus:name.md"]);
  });

  it.each([
    ["青盐湖的儲能電站用什麼電池？", "corpus:zh/salt-lake-battery.md"],
    ["青鹽湖儲能電站用的是什麼電池？", "corpus:zh/salt-lake-battery.md"],
    ["古茶道上最老的石桥建于什么时候？", "corpus:zh/tea-road.html"],
  ])("finds a page in the other Chinese script, and quotes it unchanged: %s", async (question, url) => {
    const { corpus, hits } = await corpusFolder({ fixtures: true });
    const [hit] = await hits(question);
    expect(hit?.url).toBe(url);
    expect((await corpus.read(hit!, asking(live()))).text).toContain(hit?.snippet);
  });

  it("that names days is answered without documents that are known to be from other days", async () => {
    const { corpus, write } = await corpusFolder();
    const dated = (date: string) => `---\ndate: ${date}\n---\n# Lamp\n\nThe lamp burns whale oil.\n`;
    await write("old.md", dated("2019-12-31T23:30:00Z"));
    await write("first.md", dated("2020-01-01"));
    await write("last.md", dated("2020-12-31T23:30:00Z"));
    await write("new.md", dated("2021-01-01"));
    await write("undated.md", "# Lamp\n\nThe lamp burns whale oil.\n");
    const found = async (dates: { from?: string; to?: string }, limit = 10) => {
      const { hits } = await corpus.search({ text: "“whale oil” lamp", written: true, language: "en", limit, ...dates }, asking(live()));
      return hits.map(({ url }) => url.slice("corpus:".length, -".md".length)).toSorted();
    };
    expect(await found({})).toEqual(["first", "last", "new", "old", "undated"]);
    expect(await found({ from: "2020-01-01", to: "2020-12-31" })).toEqual(["first", "last", "undated"]);
    expect(await found({ from: "2020-12-31" })).toEqual(["last", "new", "undated"]);
    expect(await found({ to: "2019-12-31" })).toEqual(["old", "undated"]);
    expect(await found({ from: "2021-01-01", to: "2021-01-01" }, 2)).toEqual(["new", "undated"]);
  });

  it("can be in the languages of its documents, most frequent first", async () => {
    const { corpus, hits, write, reopen } = await corpusFolder({ fixtures: true });
    expect(corpus.languages?.()).toEqual([]);
    await hits("lamp");
    expect(corpus.languages?.()).toEqual(["en", "zh", "ar", "ja"]);
    const declared = (lang: string) => `---\nlang: ${lang}\n---\n# Leuchtturm\n\nDer Leuchtturm steht am Hafen.\n`;
    for (const [i, lang] of ["de-AT", "de-DE", "de", "de", "de"].entries()) await write(`${i}.md`, declared(lang));
    await hits("lamp");
    expect(corpus.languages?.()).toEqual(["de", "en", "zh", "ar", "ja"]);
    expect(reopen().languages?.()).toEqual(["de", "en", "zh", "ar", "ja"]);
  });

  it("in Chinese with a title in quotation marks finds its page", async () => {
    const { corpus } = await corpusFolder({ fixtures: true });
    const query = { text: "《青盐湖》储能电站 电池", written: true, language: "zh", limit: 3, from: "2000-01-01" } as const;
    expect((await corpus.search(query, asking(live()))).hits[0]?.url).toBe("corpus:zh/salt-lake-battery.md");
  });

  it("is answered with complete hits, whose snippets are in the text", async () => {
    const { corpus, hits } = await corpusFolder({ fixtures: true });
    const [hit] = await hits("dried moisture of seeds");
    expect(HitSchema.parse(hit)).toEqual({
      id: "S063dc7f7eeb4",
      kind: "corpus",
      title: "How the Halden seed vault keeps its seeds",
      url: "corpus:guides/seed-vault.html",
      publishedAt: "2022-11-05T07:30:00.000Z",
      foundBy: "corpus",
      contentHash: null,
      snippet: expect.stringContaining("seeds are dried to a moisture of five to seven per cent."),
    });
    const { text, url, blocks } = await corpus.read(hit!, asking(live()));
    expect(text).toContain(hit?.snippet);
    expect(hit?.snippet.length).toBeLessThanOrEqual(300);
    expect(url).toBe("corpus:guides/seed-vault.html");
    expect(blocks.length).toBeGreaterThan(5);
  });

  it("weighs a title above headings above the body", async () => {
    const { write, search } = await corpusFolder();
    const filler = "Nothing else is said on this page about anything of interest. ".repeat(5);
    await write("body.md", `# One\n\n${filler}The heron stands here. ${filler}`);
    await write("heading.md", `# Two\n\n${filler}\n\n## Heron\n\n${filler}`);
    await write("title.md", `# Heron\n\n${filler}The heron stands here. ${filler}`);
    for (let i = 0; i < 8; i++) await write(`other-${i}.md`, `# Other\n\n${filler}`);
    expect(await search("heron")).toEqual(["corpus:title.md", "corpus:heading.md", "corpus:body.md"]);
  });

  it("finds one passage of a long document, and the document once", async () => {
    const { write, hits } = await corpusFolder();
    const chapter = (i: number): string => `## Chapter ${i}\n\n${`Sentence ${i} about weather and water. `.repeat(30)}\n\n`;
    const chapters = Array.from({ length: 200 }, (_, i) => chapter(i)).join("");
    await write("book.md", `# Book\n\n${chapters}## Odd one\n\nThe quetzal nests in rotten trunks.\n\n${chapters}`);
    await write("note.md", "# Note\n\nA note on weather and water, and on nests.");
    const found = await hits("Where does the quetzal nest?");
    expect(found.map(({ url }) => url)).toEqual(["corpus:book.md", "corpus:note.md"]);
    expect(found[0]?.snippet).toContain("The quetzal nests in rotten trunks.");
  });

  it("is not dominated by its stop words, but may consist of them", async () => {
    const { write, search } = await corpusFolder();
    await write("noise.md", "What is the what of the is, and how is it that it is what it is?");
    await write("osprey.md", "An osprey dives feet first.");
    expect(await search("what is the osprey")).toEqual(["corpus:osprey.md"]);
    expect(await search("what is it")).toEqual(["corpus:noise.md"]);
  });

  it.each([
    'osprey" OR body:*',
    "osprey AND NOT osprey",
    "NEAR(osprey dives, 2)",
    "osprey*^{}()[]:+-\\",
    "'; drop table files; -- osprey",
    "osprey \0 \ud800 \u202e",
    `${"osprey ".repeat(2_000)}${Array.from({ length: 2_000 }, (_, i) => `w${i}`).join(" ")}`,
  ])("may contain any syntax without effect: %#", async (question) => {
    const { write, search } = await corpusFolder();
    await write("osprey.md", "An osprey dives feet first.");
    await write("other.md", "Nothing to see here: a body of water.");
    expect((await search(question))[0]).toBe("corpus:osprey.md");
  });

  it.each(["", "   ", "?!", '"', "🦆"])("without a term finds nothing: %j", async (question) => {
    const { search } = await corpusFolder({ fixtures: true });
    expect(await search(question)).toEqual([]);
  });

  const linesOf = ({ leftOut = [] }: { leftOut?: readonly LedgerEntry[] }) => leftOut.map(leftOutLine);

  it("names the files that could not be read, with the reason and what to do", async () => {
    const { write, answer } = await corpusFolder();
    await write("osprey.md", "The osprey.");
    expect(await answer("osprey")).toMatchObject({ gaps: null });
    await write("sub/空.md", "");
    await write("binary.txt", new Uint8Array(100));
    const english = await answer("osprey");
    expect([english.gaps, ...linesOf(english)]).toEqual([
      null,
      "binary.txt: The document is a binary file, not text. Save it again with the program that made it, or as PDF.",
      "sub/空.md: The document contains no text. Give a copy that has text.",
    ]);
    expect(english.leftOut?.map(({ failure }) => failure)).toEqual(["unreadable", "empty"]);
    const chinese = await answer("鱼鹰", "zh");
    expect(linesOf(chinese)[1]).toBe("sub/空.md: 没有文字，可能是扫描件。请先做文字识别（OCR），再提供带文字的文件。");
  });

  it("names files of types that are not read after those that failed, 20 in all, and counts the others by type", async () => {
    const { write, answer } = await corpusFolder();
    await write("渡轮.md", "渡轮每天早上七点开船。");
    await write("empty.txt", "");
    for (let at = 10; at < 31; at++) await write(`时刻表${at}.odt`, "PK");
    for (const path of ["kept/票价.ZZZ", "票价.zzz"]) await write(path, "PK");
    const lines = linesOf(await answer("ferry"));
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatch(/^empty\.txt: /);
    expect(lines[1]).toMatch(/^时刻表10\.odt: Files of this type are not read\. Give one of these: PDF, DOCX, /);
    expect(lines.at(-1)).toBe("4 more files: .odt 2, .zzz 2");
  });

  it.each([
    [["Mietvertrag.odt"], "Mietvertrag.odt: Files of this type are not read."],
    [["空.txt", "方案.key"], "空.txt: The document contains no text."],
    [[], "Put files of these types there: PDF, DOCX,"],
  ])("fails if no file is indexed, because that does not show that there is no answer: %j", async (paths, why) => {
    const { write, search } = await corpusFolder();
    for (const path of paths) await write(path, path.endsWith(".txt") ? "\n" : "PK");
    await expect(search("Kaution 押金")).rejects.toMatchObject({ code: "empty", message: expect.stringContaining(`is indexed. ${why}`) });
  });

  it("leaves out what a .gitignore of the folder or of a folder in it names, and says so only where nothing is left", async () => {
    const { write, answer, search } = await corpusFolder();
    await write(".gitignore", "\ufeff*.tmp.md\n/build/\n草稿/\n!草稿/定稿.md\nkept.md\n");
    await write("inner/.gitignore", "!kept.md\nprivate*\n");
    const ignored = ["a.tmp.md", "build/osprey.md", "草稿/定稿.md", "kept.md", "inner/private-notes.md", "inner/deep/private.md"];
    for (const path of ignored) await write(path, "The osprey.");
    await expect(search("osprey")).rejects.toMatchObject({ message: expect.stringContaining("A .gitignore in it names") });
    for (const path of ["inner/kept.md", "inner/build/b.md", "private.md"]) await write(path, "The osprey.");
    expect((await search("osprey")).toSorted()).toEqual(["corpus:inner/build/b.md", "corpus:inner/kept.md", "corpus:private.md"]);
    expect(await answer("osprey")).not.toHaveProperty("leftOut");
  });

  it("reads on beside a .gitignore that it cannot read, and names it", async () => {
    const { write, answer } = await corpusFolder();
    await write("osprey.md", "The osprey.");
    await write(".gitignore", `${"a".repeat(100_000)}\n`);
    expect(linesOf(await answer("osprey"))).toEqual([expect.stringMatching(/^\.gitignore: It has 100001 bytes/)]);
  });

  it("gets at most as many hits as requested", async () => {
    const { write, search } = await corpusFolder();
    for (let i = 0; i < 5; i++) await write(`${i}.md`, "The same osprey.");
    expect(await search("osprey", 3)).toEqual(["corpus:0.md", "corpus:1.md", "corpus:2.md"]);
    expect(await search("osprey", 0)).toEqual([]);
  });

  it("gets addresses that encode any file name, and reads files by them", async () => {
    const { write, hits, corpus } = await corpusFolder();
    await write("a b/研究 #1?%.md", "The osprey.");
    const [hit] = await hits("osprey");
    expect(hit?.url).toBe("corpus:a%20b/%E7%A0%94%E7%A9%B6%20%231%3F%25.md");
    expect(hit?.title).toBe("研究 #1?%.md");
    expect(hit?.id).toBe(`S${createHash("sha256").update("corpus:a%20b/%E7%A0%94%E7%A9%B6%20%231%3F%25.md").digest("hex").slice(0, 12)}`);
    expect((await corpus.read(hit!, asking(live()))).text).toBe("The osprey.");
  });
});

describe("reading from the corpus", () => {
  it("returns the text as it was indexed, even if the file has changed or was deleted since", async () => {
    const { dir, write, hits, corpus } = await corpusFolder();
    await write("b.md", "A heron.");
    await write("a.md", "The first osprey.");
    const [hit] = await hits("osprey");
    await write("a.md", "The second osprey.");
    expect((await corpus.read(hit!, asking(live()))).text).toBe("The first osprey.");
    await corpus.sync(live());
    expect((await corpus.read(hit!, asking(live()))).text).toBe("The second osprey.");
    await rm(`${dir}/a.md`);
    await corpus.sync(live());
    await expect(corpus.read(hit!, asking(live()))).rejects.toMatchObject({ code: "not_found" });
  });

  it.each(["corpus:../secret.md", "corpus:%2e%2e/secret.md", "file:///etc/passwd", "https://example.org/a.md", "corpus:%zz"])(
    "finds nothing outside it: %s",
    async (url) => {
      const { write, hits, corpus } = await corpusFolder();
      await write("../secret.md", "An osprey.");
      await write("a.md", "An osprey.");
      const [hit] = await hits("osprey");
      await expect(corpus.read({ ...hit!, url }, asking(live()))).rejects.toMatchObject({ code: "not_found" });
    },
  );
});
