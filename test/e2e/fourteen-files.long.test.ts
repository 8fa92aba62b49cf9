import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { encryptedWith } from "../documents/pdf/encrypt-pdf.ts";
import { column, makePdf } from "../documents/pdf/make-pdf.ts";
import { docxOf, pdfOf } from "../helpers/made-files.ts";
import { makeHome } from "../helpers/open-dossier.ts";
import { runCli } from "../helpers/run-cli.ts";
import { startService, type TestService } from "../helpers/start-service.ts";
import { askWith, formOf, type GivenFile } from "../helpers/uploading.ts";

const READABLE: readonly GivenFile[] = [
  ["notes.md", "# Ferry\n\nThe ferry of Brackwater sails at seven in the morning.\n"],
  ["plain.txt", "The bakery of Brackwater opens at five in the morning.\n"],
  ["page.html", "<html><body><p>The mayor of Brackwater is called Ines Moor.</p></body></html>"],
  ["staff/people.csv", "Name,Office phone\nAda Quill,extension 4471\nBen Rook,extension 4472\n"],
  [
    "contracts/Agreement.DOCX",
    await docxOf("Agreement", ["The confidentiality obligation lasts seven years after the end of this agreement."]),
  ],
  ["contracts/lease.pdf", pdfOf(["The notice period of the lease is ninety days to the end of a quarter."])],
  ["守塔人.pdf", pdfOf(["布拉克沃特灯塔的守塔人名叫李明，他每天傍晚爬二百一十二级台阶。"], "chinese")],
  ["windows.txt", Buffer.from("\ufeffThe depot of Brackwater stores forty crates of copper wire.\r\n", "utf16le")],
];

const SCAN = makePdf([{ texts: [], options: { picture: true } }]);
const LOCKED = makePdf([{ texts: column(72, 700, ["The vault code is 1882."]) }], encryptedWith("open sesame"));
const AGREEMENT = Buffer.from(READABLE[4]?.[1] as Uint8Array);
const UNREADABLE: readonly GivenFile[] = [
  ["contracts/damaged.docx", AGREEMENT.subarray(0, AGREEMENT.length / 2)],
  ["locked.pdf", LOCKED],
  ["old.docx", Buffer.from("d0cf11e0a1b11ae100000000", "hex")],
  ["扫描件.pdf", SCAN],
  ["photo.png", Buffer.from("89504e470d0a1a0a", "hex")],
];

const IGNORED: readonly GivenFile[] = [["drafts/secret.md", "The vault of Brackwater is opened with the number 1882.\n"]];

const QUESTIONS: readonly (readonly [question: string, answer: string, file: string])[] = [
  ["When does the ferry of Brackwater sail?", "sails at seven in the morning", "notes.md"],
  ["When does the bakery of Brackwater open?", "opens at five in the morning", "plain.txt"],
  ["Who is the mayor of Brackwater?", "Ines Moor", "page.html"],
  ["What is the office phone of Ada Quill?", "extension 4471", "people.csv"],
  ["How long is the confidentiality?", "lasts seven years", "Agreement.DOCX"],
  ["What is the notice period of the lease?", "ninety days", "lease.pdf"],
  ["布拉克沃特灯塔的守塔人叫什么名字？", "守塔人名叫李明", "守塔人.pdf"],
  ["How many crates of copper wire does the depot store?", "forty crates", "windows.txt"],
];

/** The names of the files, each with the start of the reason. The first of a folder are those that it was tried to read. */
const REASONS: readonly (readonly [name: string, reason: RegExp])[] = [
  ["damaged.docx", /could not be|cannot be|is not/],
  ["locked.pdf", /It needs a password\. Give a copy without one\./],
  ["old.docx", /It is encrypted, or of before 2007/],
  ["扫描件.pdf", /The PDF is a scan: .*Run OCR on the file first\./],
  ["photo.png", /Files of this type are not read\. Give one of these: PDF, DOCX, /],
];

async function writeFolder(dir: string): Promise<void> {
  for (const [name, content] of [...READABLE, ...UNREADABLE, ...IGNORED, [".gitignore", "drafts/\n"] as const]) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), content);
  }
}

const linesOf = ({ report }: Run): string[] =>
  (report?.ledger ?? []).flatMap(({ what, target, detail }) => (what === "file" ? [`${target}: ${detail}`] : []));

const withoutFolders = (line: string): string => line.replace(/^[^:]*\//, "");

function expectReasons(lines: readonly string[]): void {
  expect(lines.map((line) => basename(line.slice(0, line.indexOf(": "))))).toEqual(REASONS.map(([name]) => name));
  for (const [at, [, reason]] of REASONS.entries()) expect(lines[at]).toMatch(reason);
}

/** Every quote is of the file, the answer stands in one, and what was not read is named in the report. */
function expectAnswer(run: Run, [question, answer, file]: (typeof QUESTIONS)[number]): void {
  const { citations = [], sources = [] } = run.report ?? {};
  const cited = new Set(citations.map(({ sourceId }) => decodeURIComponent(sources.find(({ id }) => id === sourceId)?.url ?? "")));
  expect({ question, quotes: citations.map(({ quote }) => quote).join(" ") }).toEqual({
    question,
    quotes: expect.stringContaining(answer),
  });
  expect({ question, first: decodeURIComponent(sources[0]?.url ?? "") }).toEqual({ question, first: expect.stringContaining(file) });
  expect([...cited].filter((url) => !/^(?:corpus|upload):/.test(url))).toEqual([]);
}

async function markdownOf({ url }: TestService, { id }: Run): Promise<string> {
  return (await fetch(`${url}/research/${id}/report?format=md`)).text();
}

const plain = (markdown: string): string => markdown.replaceAll("\\", "");

async function openFolder() {
  const service = await startService({ corpus: {}, environment: { SOURCES: "" }, dir: await made() });
  return service;
}

async function made(): Promise<string> {
  const home = await makeHome({});
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  await writeFolder(join(home, "corpus"));
  return home;
}

it("a folder of 14 files answers each question from the right file alone, and names what it does not read, as do attached files and `ask`", async () => {
  const service = await openFolder();
  const runs: Run[] = [];
  for (const question of QUESTIONS) {
    const run = await service.finish((await service.start({ question: question[0] })).id);
    expectAnswer(run, question);
    expect(run.report?.ledger.filter(({ what }) => what === "search").map(({ source }) => source)).toEqual(["corpus"]);
    runs.push(run);
  }
  const [english] = runs;
  const chinese = runs[6];
  const lines = english === undefined ? [] : linesOf(english);
  expectReasons(lines);
  const shown = plain(english === undefined ? "" : await markdownOf(service, english));
  expect(shown).toContain(`These files were not read:\n\n${lines.map((line) => `- ${line}`).join("\n")}`);
  expect(english?.report?.markdown).toContain("These files were not read:");
  expect(chinese?.report?.markdown).toContain("以下文件没有读取：");
  expect(plain(chinese?.report?.markdown ?? "")).toContain(
    "扫描件.pdf: 没有文字，可能是扫描件。请先做文字识别（OCR），再提供带文字的文件。",
  );
  expect(JSON.stringify(runs)).not.toMatch(/secret\.md|vault/);

  const attached = [...READABLE, ...UNREADABLE].map(([name, content]): GivenFile => [basename(name), content]);
  const given = await askWith(service, { question: "How long is the confidentiality?", threadId: "own" }, attached);
  expectAnswer(given, QUESTIONS[4] as (typeof QUESTIONS)[number]);
  expect(
    linesOf(given)
      .filter((line) => !line.startsWith("contracts/"))
      .slice(0, 5),
  ).toEqual(lines.map(withoutFolders));

  const env = { DATA_DIR: join(service.dir, "cli"), SOURCES: "wikipedia" };
  const folder = join(service.dir, "corpus");
  const byOption = await runCli(["ask", "How long is the confidentiality?", "--corpus", folder], env);
  expect(byOption.stderr).toContain(lines.map((line) => `not read: ${line}\n`).join(""));
  expect([byOption.code, plain(byOption.stdout)]).toEqual([0, expect.stringContaining("lasts seven years")]);
  expect(plain(byOption.stdout)).toContain(lines.map((line) => `- ${line}`).join("\n"));
  const byName = await runCli(["ask", "How long is the confidentiality?", folder, "--json"], env);
  const named = JSON.parse(byName.stdout) as Run;
  expect(named.report?.citations[0]?.quote).toContain("lasts seven years");
  expect(
    linesOf(named)
      .map((line) => line.replace(`${folder}/`, ""))
      .toSorted(),
  ).toEqual(lines.toSorted());
  expect(named.report?.ledger.filter(({ what }) => what === "search").map(({ source }) => source)).toEqual(["documents"]);
});

it.each(["How long is the confidentiality?", "布拉克沃特灯塔的守塔人叫什么名字？"])(
  "a run of several todos names each file once: %s",
  async (question) => {
    const service = await openFolder();
    const run = await service.finish((await service.start({ question, graph: "research" })).id);
    expect(run.status).toBe("succeeded");
    expect(linesOf(run).map((line) => basename(line.slice(0, line.indexOf(": "))))).toEqual(REASONS.map(([name]) => name));
  },
);

it("one scan among twelve attached files is named, and the others are read; none at all is an error that names them", async () => {
  const service = await startService({});
  const eleven = Array.from(
    { length: 11 },
    (_, at): GivenFile => [`${at}.txt`, `Crate ${at} of the depot holds ${at + 40} coils of wire.\n`],
  );
  const run = await askWith(service, { question: "How many coils does crate 7 of the depot hold?" }, [["scan.pdf", SCAN], ...eleven]);
  expect(run.status).toBe("succeeded");
  expect(run.report?.citations.map(({ quote }) => quote).join()).toContain("47 coils");
  expect(linesOf(run)).toEqual([expect.stringMatching(/^scan\.pdf: The PDF is a scan/)]);
  expect(run.report?.sources.map(({ foundBy }) => foundBy)).not.toContain("corpus");
  const again = await fetch(`${service.url}/threads/T/documents`, {
    method: "POST",
    body: formOf(null, [
      ["scan.pdf", SCAN],
      ["a.txt", "Wire."],
    ]),
  });
  expect([again.status, await again.json()]).toMatchObject([201, { leftOut: [{ path: "scan.pdf", code: "empty" }] }]);
  const refused = await fetch(`${service.url}/research`, {
    method: "POST",
    body: formOf({ question: "What?" }, [
      ["scan.pdf", SCAN],
      ["锁.pdf", LOCKED],
    ]),
  });
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    {
      code: "empty",
      detail: expect.stringMatching(/scan\.pdf: .* 锁\.pdf: It needs a password/),
      errors: [{ path: "/documents/0" }, { path: "/documents/1" }],
    },
  ]);
});

it("a link is named and not followed", async () => {
  const home = await makeHome({ "a.md": "The ferry sails at seven." });
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  await symlink("a.md", join(home, "corpus", "链接.md"));
  const service = await startService({ dir: home });
  const run = await service.finish((await service.start({ question: "When does the ferry sail?" })).id);
  expect(linesOf(run)).toEqual(["链接.md: It is a symbolic link, which is not followed. Put the file itself into the folder."]);
});
