// Reads recorded responses of sources and models through the real adapters: npm run check:recorded -- DIR [FOLDER ...]
//
// A loopback server serves each file of DIR/api/<folder>/, with the status and headers of the folder's index.json if it has one. The
// folder's source or tool reads it, and the result is compared with scripts/expectations/recorded/<folder>.json. DIR/llm-streams/ has
// responses of models. The check exits with 1 on a difference, a file without an expectation, or an expectation without a file.
//
// To add a source: write its expectations. Its folder is the source's id without underscores, and the operation is `search`.
// To add a tool: export a RecordedReader from a file in scripts/recorded/, list it in readers.ts, and write its expectations.
// `--show` prints the results without comparing them. Check them against the recording before you copy them into an expectation.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { differences } from "./recorded/differences.ts";
import { type Expectation, type ReadExpectation, readExpectations } from "./recorded/expectation.ts";
import { readModelStream } from "./recorded/model-streams.ts";
import { type Outcome, readRecorded } from "./recorded/read-recorded.ts";
import { READERS } from "./recorded/readers.ts";
import { readIndex } from "./recorded/recorded-answer.ts";

/** Recorded folders without an adapter in this project, and the reason. */
const IGNORED_FOLDERS: Readonly<Record<string, string>> = {
  "baidu-xueshu": "no source of this project",
  "google-scholar": "no source of this project: it forbids automated searches",
  other: "no sources of this project: CORE, DBLP, DOAJ, HAL, Zenodo",
  "serp-html": "no sources of this project: Bing, Mojeek and Swisscows as pages",
  unpaywall: "no source of this project: links to open copies come from OpenAlex, Semantic Scholar and Europe PMC",
};

/** The folder with responses of models, next to `api`. */
const STREAMS = "llm-streams";

/** A folder of recorded files and the function that reads one of them. */
interface Recordings {
  readonly name: string;
  readonly path: string;
  readonly read: (file: string, wanted: ReadExpectation) => Promise<Outcome>;
  /** The operation for a file without an expectation. */
  readonly operation: string;
}

interface Fault {
  readonly file: string;
  readonly lines: readonly string[];
}

const args = process.argv.slice(2).filter((argument) => argument !== "--show");
const showing = process.argv.includes("--show");
const [data, ...wanted] = args;
if (data === undefined) throw new Error("usage: npm run check:recorded -- DIR [FOLDER ...]");
const api = join(data, "api");
const folders = [...(await readdir(api)), ...(await readdir(data)).filter((name) => name === STREAMS)]
  .filter((folder) => wanted.length === 0 || wanted.includes(folder))
  .toSorted();
const missing = [...READERS.map(({ folder }) => folder), ...wanted].filter(
  (folder) => wanted.includes(folder) && !folders.includes(folder),
);
if (missing.length > 0) throw new Error(`There is no folder ${missing.join(", ")} in ${api}.`);

for (const folder of folders) {
  const recordings = await recordingsIn(folder);
  if (recordings !== undefined) report(folder, await checkFolder(recordings));
  else if (IGNORED_FOLDERS[folder] !== undefined) console.log(`-    ${folder}: ${IGNORED_FOLDERS[folder]}`);
  else
    report(folder, [
      { file: folder, lines: ["nothing reads this folder; the first lines of scripts/check-recorded.ts say how to add one"] },
    ]);
}

async function recordingsIn(name: string): Promise<Recordings | undefined> {
  if (name === STREAMS) {
    const path = join(data ?? "", STREAMS);
    return { name, path, operation: "complete", read: (file) => readModelStream(path, file) };
  }
  const reader = READERS.find((one) => one.folder === name);
  if (reader === undefined) return undefined;
  const path = join(api, name);
  const index = await readIndex(path);
  const operation = Object.keys(reader.operations)[0] ?? "";
  return { name, path, operation, read: (file, expected) => readRecorded(reader, { folder: path, file, index }, expected) };
}

async function checkFolder(recordings: Recordings): Promise<Fault[]> {
  const files = await listFiles(recordings.path);
  const expectations = await readExpectations(recordings.name);
  const expectedOf = (file: string): Expectation | undefined =>
    expectations[file] ?? expectations[Object.keys(expectations).find((key) => key.endsWith("/") && file.startsWith(key)) ?? ""];
  const missingFiles = Object.keys(expectations).filter(
    (key) => !files.some((file) => file === key || (key.endsWith("/") && file.startsWith(key))),
  );
  const faults: Fault[] = missingFiles.map((file) => ({ file, lines: ["has an expectation, but no recorded file"] }));
  for (const file of files) {
    const lines = await checkFile(recordings, file, expectedOf(file));
    if (lines.length > 0) faults.push({ file, lines });
  }
  return faults;
}

async function checkFile({ name, operation, read }: Recordings, file: string, expected: Expectation | undefined): Promise<string[]> {
  if (expected === undefined && !showing) return ["has no expectation"];
  if (expected !== undefined && "notRead" in expected) {
    console.log(`-    ${name}/${file}: ${expected.notRead}`);
    return [];
  }
  const wantedRead: ReadExpectation = expected ?? { operation, results: 0 };
  const outcome = await read(file, wantedRead);
  if (showing) console.log(`${name}/${file}: ${JSON.stringify(outcome, null, 1)}`);
  const lines = showing ? [] : differences(outcome, wantedRead);
  if (lines.length === 0 && !showing) console.log(`ok   ${name}/${file}`);
  return lines;
}

/** Returns the relative paths of all files below a folder, except `index.json`. */
async function listFiles(folder: string, below = ""): Promise<string[]> {
  const names = await readdir(join(folder, below));
  const found = await Promise.all(
    names.map(async (name) => {
      const path = below === "" ? name : `${below}/${name}`;
      return (await stat(join(folder, path))).isDirectory() ? listFiles(folder, path) : name === "index.json" ? [] : [path];
    }),
  );
  return found.flat().toSorted();
}

function report(folder: string, faults: readonly Fault[]): void {
  for (const { file, lines } of faults) {
    console.error(`FAIL ${file === folder ? folder : `${folder}/${file}`}${lines.map((line) => `\n       ${line}`).join("")}`);
  }
  if (faults.length > 0) process.exitCode = 1;
}
