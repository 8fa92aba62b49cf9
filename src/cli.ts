import { createReadStream, existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { compose, type Dossier, type Parts, replay } from "./compose.ts";
import { type Config, readConfig } from "./config.ts";
import { ResearchRequestSchema } from "./domain/request.ts";
import { isEnded, type Run } from "./domain/run.ts";
import { DossierError, toDossierError } from "./errors.ts";
import { readRecording } from "./journal/read-recording.ts";
import { progressLine } from "./reports/progress-line.ts";

const USAGE = `usage:
  npm run ask -- "question" [--json] [--corpus DIR] [--graph NAME] [--sources a,b] [--recording FILE]
  npm run replay -- FILE`;

const HEARTBEAT_MS = 5_000;
const INDEXING_TIMEOUT_MS = 3_600_000;
const TENANT = "default";

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (text: string): void => void process.stdout.write(text);

const COMMANDS: Readonly<Record<string, (args: string[]) => Promise<number>>> = { ask, replay: replayFile };

async function main([command = "", ...args]: string[]): Promise<number> {
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (run === undefined) throw new DossierError("invalid_request", USAGE);
  return run(args);
}

/** One run in this process, with progress on standard error and the report on standard output; 0 when it succeeded. */
async function ask(args: string[]): Promise<number> {
  const { values, positionals } = parseAsk(args);
  const request = readRequest(positionals, values);
  const config = withCorpus(readConfig(), values.corpus);
  const { dossier, cleanUp } = await openDossier({ ...config, LOG_LEVEL: "silent" });
  try {
    await prepare(dossier);
    const run = await follow(dossier, (await dossier.runs.start(TENANT, request)).id);
    print(values.json === true ? `${JSON.stringify(run)}\n` : (run.report?.markdown ?? ""));
    if (run.error !== null) say(`${run.error.code}: ${run.error.message}`);
    if (values.recording !== undefined) await writeRecording(values.recording, dossier.runs.recording(TENANT, run.id));
    return run.status === "succeeded" ? 0 : 1;
  } finally {
    await dossier.close(0);
    await cleanUp();
  }
}

async function writeRecording(file: string, lines: AsyncIterable<string>): Promise<void> {
  await writeFile(file, lines).catch((error: Error) => {
    throw new DossierError("invalid_request", `The recording cannot be written: ${error.message}`, { cause: error });
  });
}

function parseAsk(args: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean" }, corpus: text, graph: text, sources: text, recording: text },
    });
  } catch (error) {
    throw new DossierError("invalid_request", `${toDossierError(error).message}\n${USAGE}`, { cause: error });
  }
}

function readRequest(positionals: string[], values: { graph?: string; sources?: string }) {
  const question = positionals.join(" ");
  const sources = values.sources?.split(",").map((source) => source.trim());
  const graph = values.graph;
  const parsed = ResearchRequestSchema.safeParse({ question, ...(sources && { sources }), ...(graph && { graph }) });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new DossierError("invalid_request", `${faults.join("; ")}\n${USAGE}`);
}

function withCorpus(config: Config, dir: string | undefined): Config {
  if (dir === undefined) return config;
  if (!existsSync(dir)) throw new DossierError("invalid_request", `There is no folder ${dir}.`);
  return { ...config, CORPUS_DIR: resolve(dir) };
}

/**
 * Runs asked here are kept in a folder of their own below the data folder, so that the service and its queue are not touched. A
 * folder belongs to one process; beside another `ask` the run is kept in a temporary one and thrown away.
 */
async function openDossier(config: Config): Promise<{ dossier: Dossier; cleanUp: () => Promise<void> }> {
  const dataDir = join(config.DATA_DIR, "ask");
  const parts = { onIndexed: indexingProgress() };
  try {
    return { dossier: await compose({ ...config, DATA_DIR: dataDir }, parts), cleanUp: async () => undefined };
  } catch (error) {
    if (!(error instanceof DossierError) || error.code !== "data_dir_in_use") throw error;
    const dir = await mkdtemp(join(tmpdir(), "dossier-ask-"));
    say(`${dataDir} is in use by another process; this run is not kept.`);
    return { dossier: await compose({ ...config, DATA_DIR: dir }, parts), cleanUp: () => rm(dir, { recursive: true, force: true }) };
  }
}

/** A folder that cannot be read is told by the run's ledger. */
async function prepare(dossier: Dossier): Promise<void> {
  await dossier.prepare(AbortSignal.timeout(INDEXING_TIMEOUT_MS)).catch((error: unknown) => say(toDossierError(error).message));
}

/** Says at most twice a second how far the indexing is, when it is not done within 3 seconds, some of which the start of a process takes. */
function indexingProgress(): NonNullable<Parts["onIndexed"]> {
  let sayAt = performance.now() + 3_000;
  return ({ done, total }) => {
    if (performance.now() < sayAt) return;
    sayAt = performance.now() + 500;
    say(`indexing ${done}/${total} …`);
  };
}

/** Shows what happens until the run has ended or waits; Ctrl-C cancels it. */
async function follow({ runs }: Dossier, runId: string): Promise<Run> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      say("cancelling …");
      runs.cancel(TENANT, runId).catch((error: unknown) => say(toDossierError(error).message));
    });
  }
  for await (const page of runs.follow(TENANT, runId, { after: 0, signal: stop.signal, heartbeatMs: HEARTBEAT_MS })) {
    for (const event of page ?? []) {
      const line = progressLine(event);
      if (line !== null) say(line);
      if (event.type === "run-waiting") stop.abort();
    }
  }
  const run = await runs.get(TENANT, runId);
  if (!isEnded(run.status))
    say("The run waits for an answer, which only the service can take: npm start, then POST /research/{id}/answer.");
  return run;
}

/** `identical` and 0, or the first difference with its place and 1. */
async function replayFile([file]: string[]): Promise<number> {
  if (file === undefined) throw new DossierError("invalid_request", USAGE);
  const recording = await readRecording(readLines(file));
  const { difference, events } = await replay(recording);
  if (difference === null) {
    print(`identical\n`);
    say(`${events.length} events, ${recording.segments.length} segments, run ${recording.run.id}`);
    return 0;
  }
  print(`different at ${difference.place}: ${difference.message}\n`);
  return 1;
}

async function* readLines(file: string): AsyncIterable<string> {
  try {
    yield* createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw new DossierError("invalid_request", `The recording cannot be read: ${toDossierError(error).message}`, { cause: error });
  }
}

// Whoever reads may stop reading (`| head`); there is nobody left to tell.
process.stdout.on("error", () => process.exit(1));

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const { code, message } = toDossierError(error);
    say(`${code}: ${message}`);
    process.exitCode = 1;
  },
);
