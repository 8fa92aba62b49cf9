import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readAskArguments } from "../../src/cli/arguments.ts";
import { listFiles, splitPaths } from "../../src/cli/given-files.ts";

async function folder(files: readonly string[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-given-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const file of files) {
    await mkdir(join(dir, file, ".."), { recursive: true });
    await writeFile(join(dir, file), file);
  }
  return dir;
}

const NEVER = new AbortController().signal;

it("words are the question, and what looks like a path or follows a question in quotes and exists is material", async () => {
  const dir = await folder(["a.pdf", "b/c.txt"]);
  expect(splitPaths(["What is in it?", join(dir, "a.pdf"), dir])).toEqual({ question: "What is in it?", paths: [join(dir, "a.pdf"), dir] });
  expect(splitPaths(["里面有什么？", "src"])).toEqual({ question: "里面有什么？", paths: ["src"] });
  expect(splitPaths(["What", "is", "in", "docs"])).toEqual({ question: "What is in docs", paths: [] });
  expect(splitPaths(["Summarize", "report.PDF", "b.csv"])).toEqual({ question: "Summarize", paths: ["report.PDF", "b.csv"] });
  expect(splitPaths(["灯塔是谁", "设计的？"])).toEqual({ question: "灯塔是谁 设计的？", paths: [] });
});

it("a folder before the question is a wrong command line, also if it is a plain word", () => {
  for (const words of [
    ["src", "里面有什么？"],
    ["src", "What is in it?"],
  ])
    expect(() => readAskArguments(words)).toThrow(/src is a file or folder\. Put the question first, in quotes/);
  expect(readAskArguments(["src"]).request.question).toBe("src");
});

it.each([
  [["What is in it?", "nosuchfolder"], "nosuchfolder"],
  [["里面有什么？", "没有的文件夹"], "没有的文件夹"],
  [["里面 有什么", "src", "没有的文件夹"], "没有的文件夹"],
  [["What is in it?", "src", "and", "docs"], "and"],
  [["What is in it?", "And in that?"], "And in that?"],
  [["nosuchfolder", "What is in it?"], "nosuchfolder"],
  [["nosuch/diary.md", "里面有什么？"], "nosuch/diary.md"],
  [["src", "没有的文件夹", "里面 有什么？"], "没有的文件夹"],
])("beside a whole question, what is no file or folder is a wrong command line: %j", (words, named) => {
  expect(() => readAskArguments(words)).toThrow(`There is no file or folder ${named}.`);
});

it("words without a whole question are one, and files may have spaces in their names", async () => {
  const dir = await folder(["my notes.md"]);
  expect(readAskArguments(["What", "is", "in", "nosuchfolder?"]).request.question).toBe("What is in nosuchfolder?");
  expect(readAskArguments(["灯塔", "何时", "点亮？"]).request.question).toBe("灯塔 何时 点亮？");
  expect(readAskArguments(["index.html", "vs", "index.php?"]).request.question).toBe("index.html vs index.php?");
  expect(readAskArguments(["What", "is", "it?", join(dir, "my notes.md")]).paths).toEqual([join(dir, "my notes.md")]);
  expect(() => readAskArguments([join(dir, "my notes.md"), "What is in it?"])).toThrow(/is a file or folder\. Put the question first/);
});

it("a file that does not exist is a wrong command line", () => {
  expect(() => readAskArguments(["What is in it?", "no-such-file.pdf"])).toThrow(/There is no file or folder no-such-file\.pdf\.\nSee/);
});

it("a folder gives the files below it that can be read, without hidden ones and links", async () => {
  const dir = await folder(["b.pdf", "甲.md", "z/一.CSV", "z/.hidden/x.txt", "node_modules/y.txt", "photo.png", ".secret.txt"]);
  const { files, leftOut } = await listFiles([dir], NEVER);
  expect(files.map((path) => path.slice(dir.length + 1))).toEqual(["b.pdf", "甲.md", "z/一.CSV"]);
  expect(leftOut).toMatchObject([{ path: join(dir, "photo.png"), code: "unsupported_document" }]);
  expect(await listFiles([join(dir, "photo.png")], NEVER)).toEqual({ files: [join(dir, "photo.png")], leftOut: [] });
});

it("more files than a thread takes are refused", async () => {
  const dir = await folder(Array.from({ length: 101 }, (_, i) => `${i}.txt`));
  await expect(listFiles([dir], NEVER)).rejects.toThrow(/at most 100 files/);
});

it("a folder without any file that can be read is refused, with the names", async () => {
  const dir = await folder(["照片.png"]);
  await expect(listFiles([dir], NEVER)).rejects.toThrow(
    /照片\.png: Files of this type are not read\. Give one of these: PDF, DOCX, .*Nothing was started/,
  );
});

it("the form of the report is named, or follows from the name of its file", () => {
  const formOf = (...args: string[]) => {
    const { format, outFile } = readAskArguments(["Why?", ...args]);
    return [format, outFile];
  };
  expect(formOf()).toEqual([undefined, undefined]);
  expect(formOf("--format", "html")).toEqual(["html", undefined]);
  expect(formOf("--out", "r.PDF")).toEqual(["pdf", "r.PDF"]);
  expect(formOf("--out", "r.htm", "--json")).toEqual(["html", "r.htm"]);
  expect(formOf("--out", "报告.txt", "--format", "docx")).toEqual(["docx", "报告.txt"]);
  expect(formOf("--out", "report")).toEqual(["md", "report"]);
  expect(() => formOf("--format", "odt")).toThrow(/--format takes one of md, html, json, pdf, docx, bib, not odt/);
  expect(() => formOf("--format", "pdf")).toThrow("--format pdf needs --out FILE");
  expect(() => formOf("--format", "html", "--json")).toThrow("--format needs --out");
  expect(() => formOf("--out", "a", "--bundle", "./a")).toThrow("--bundle and --out name the same file");
});

it("--url is repeated, and checked as an address", () => {
  expect(readAskArguments(["Why?", "--url", "https://a.example/", "--url", "https://b.example/"]).request.urls).toEqual([
    "https://a.example/",
    "https://b.example/",
  ]);
  expect(() => readAskArguments(["Why?", "--url", "a.example"])).toThrow(/--url \(number 1\) must be an address/);
});
