// Reads bodies that real services once sent, through the connectors, and the streams of models' servers, through the model
// adapter: npm run check:recorded -- DATA [FOLDER ...]
//
// Every file below DATA/api/<folder>/ is served by a loopback server, with its recorded status and headers where there is
// an index.json, and read by the source or tool it belongs to. What comes out is compared with what
// scripts/expectations/recorded/<folder>.json says of the file: the number of results and a few exact values, or the code
// of the failure. A file without an expectation, an expectation without a file and any difference end it with 1.
//
// DATA/llm-streams/ holds answers of models: what is found in one is the reply as scripts/recorded/model-streams.ts tells it.
//
// To add the folder of a source: write its expectations; the folder is the source's id without underscores, the operation
// is `search`. To add the folder of a tool: a file in scripts/recorded/ that exports a RecordedReader with its operations,
// a line in scripts/recorded/readers.ts, and the expectations. The form of an expectation is in scripts/recorded/expectation.ts.
// `--show` prints what was found instead of comparing it, as a help for writing expectations; never take them over unread.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { differences } from "./recorded/differences.ts";
import { type Expectation, type ReadExpectation, readExpectations } from "./recorded/expectation.ts";
import { readModelStream } from "./recorded/model-streams.ts";
import { type Outcome, readRecorded } from "./recorded/read-recorded.ts";
import { READERS } from "./recorded/readers.ts";
import { readIndex } from "./recorded/recorded-answer.ts";

/** Folders that nothing here reads. */
const NOT_OURS: Readonly<Record<string, string>> = {
  "baidu-xueshu": "no source of this project",
  "google-scholar": "no source of this project: it forbids automated searches",
  other: "no sources of this project: CORE, DBLP, DOAJ, HAL, Zenodo",
  "serp-html": "no sources of this project: Bing, Mojeek and Swisscows as pages",
  unpaywall: "no source of this project: places of open copies come with OpenAlex, Semantic Scholar and Europe PMC",
};

/** Answers of models, beside the folder `api`. */
const STREAMS = "llm-streams";

/** A folder of recorded files and how one of them is read. */
interface Recordings {
  readonly name: string;
  readonly path: string;
  readonly read: (file: string, wanted: ReadExpectation) => Promise<Outcome>;
  /** The operation where nothing is expected yet. */
  readonly operation: string;
}

interface Fault {
  readonly file: string;
  readonly lines: readonly string[];
}

const args = process.argv.slice(2).filter((argument) => argument !== "--show");
const showing = process.argv.includes("--show");
const [data, ...wanted] = args;
if (data === undefined) throw new Error("usage: npm run check:recorded -- DATA [FOLDER ...]");
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
  else if (NOT_OURS[folder] !== undefined) console.log(`-    ${folder}: ${NOT_OURS[folder]}`);
  else report(folder, [{ file: folder, lines: ["nothing reads this folder; see the head of scripts/check-recorded.ts"] }]);
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
  const gone = Object.keys(expectations).filter(
    (key) => !files.some((file) => file === key || (key.endsWith("/") && file.startsWith(key))),
  );
  const faults: Fault[] = gone.map((file) => ({ file, lines: ["is expected, and not among the recorded files"] }));
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

/** All files below a folder, by their paths in it, without the indexes of the recordings. */
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
