import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { configuredModels } from "../compose/models.ts";
import type { Parts } from "../compose/parts.ts";
import { readSettings, readSettingsFiles } from "../compose/settings.ts";
import type { Dossier } from "../compose.ts";
import { type Config, unknownNames } from "../config.ts";
import type { Estimate } from "../domain/estimate.ts";
import type { RunEvent } from "../domain/events.ts";
import { CORPUS_SOURCE } from "../domain/hit.ts";
import { DEFAULT_TENANT } from "../domain/keys.ts";
import { leftOutLine } from "../domain/left-out.ts";
import { type Todo, TodoSchema } from "../domain/plan.ts";
import type { RunService } from "../domain/ports/run-service.ts";
import type { AnswerRequest, ResearchRequest } from "../domain/request.ts";
import { isEnded, type Pending, type Run } from "../domain/run.ts";
import { DossierError, invalidSettings, toDossierError } from "../errors.ts";
import { notUnderstood, promptFor, readAnswer, shownQuestion } from "./answers.ts";
import { type AskArguments, misuse } from "./arguments.ts";
import { openAskFolder } from "./ask-folder.ts";
import { giveFiles, listFiles } from "./given-files.ts";
import { IndexingProgress } from "./indexing-progress.ts";
import { progressLine } from "./progress-line.ts";
import { renderReport, writeReport } from "./report-output.ts";
import { print, printError, say, type Terminal } from "./terminal.ts";

const HEARTBEAT_MS = 5_000;
const INDEXING_TIMEOUT_MS = 3_600_000;
/** With `--partial`. */
const PARTIAL_AFTER_MS = 3_000;

const endWithNewline = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/** Executes a run in this process. Prints progress to standard error and the report to standard output. Returns the exit code. */
export async function ask(terminal: Terminal, asked: AskArguments): Promise<number> {
  const { corpusDir, partial, recordingFile, bundleFile, outFile, paths } = asked;
  const stop = stopOf(terminal);
  const { files, leftOut } = await listFiles(paths, stop);
  const threadId = asked.request.threadId ?? randomUUID();
  const request = files.length > 0 ? { ...asked.request, threadId } : asked.request;
  const settings = await readSettings(terminal.env);
  // A given environment comes from no file.
  if (terminal.env === undefined) await checkNames(settings);
  const config = { ...settings, LOG_LEVEL: "silent" as const, ...(corpusDir !== undefined && withFolder(corpusDir, settings)) };
  // Fails before the run starts if a file cannot be written. Appending nothing keeps the content.
  for (const file of [recordingFile, bundleFile, outFile]) if (file !== undefined) await writeText(file, [], "a");
  const progress = new IndexingProgress(terminal);
  const parts: Parts = {
    partialIndex: partial,
    ownFolder: corpusDir !== undefined,
    onIndexed: (files) => progress.show(files),
  };
  const dossier = await openAskFolder(config, parts, DEFAULT_TENANT, (line) => say(terminal, line));
  const ended = new AbortController();
  try {
    const contradiction = contradictionIn(request, dossier);
    if (contradiction !== null) {
      printError(terminal, contradiction);
      return 2;
    }
    const estimate = await dossier.runs.estimate(DEFAULT_TENANT, request, files);
    sayLowered(terminal, estimate);
    if (request.queries === undefined && !stop.aborted) saySent(terminal, estimate);
    if (configuredModels(settings) === null) sayUnused(terminal, request);
    const indexed = prepare(terminal, dossier, AbortSignal.any([stop, ended.signal]));
    if (partial) await Promise.race([indexed, wait(PARTIAL_AFTER_MS, null, { signal: ended.signal }).catch(() => null)]);
    else await indexed;
    progress.end();
    const giving = { tenant: DEFAULT_TENANT, threadId, signal: stop, say: (line: string) => say(terminal, line) };
    const unread = await giveFiles(dossier, files, giving).catch((error: unknown) => {
      if (!stop.aborted) throw error;
      return [];
    });
    if (stop.aborted) throw new DossierError("cancelled", "Stopped before the run began; no run was stored.");
    const run = await follow(
      terminal,
      dossier,
      (await dossier.runs.start(DEFAULT_TENANT, request, { leftOut: [...unread, ...leftOut] })).id,
      stop,
    );
    await printReport(terminal, dossier, run, asked);
    for (const entry of run.report?.ledger.filter(({ what }) => what === "file") ?? [])
      say(terminal, `not read: ${leftOutLine(entry)}`.replaceAll(/\p{Cc}/gu, " "));
    if (run.error !== null) say(terminal, `${run.error.code}: ${run.error.message}`);
    if (recordingFile !== undefined) await writeText(recordingFile, dossier.runs.recording(DEFAULT_TENANT, run.id));
    if (bundleFile !== undefined) await writeText(bundleFile, dossier.runs.bundle(DEFAULT_TENANT, run.id));
    return run.status === "succeeded" ? 0 : 1;
  } finally {
    progress.end();
    ended.abort();
    await dossier.close(0);
  }
}

/** A misspelled name might have been the one that keeps the question in this house. @throws DossierError `config_invalid` */
async function checkNames(settings: Config): Promise<void> {
  await readSettingsFiles(settings);
  const names = unknownNames(settings);
  if (names.length > 0)
    throw invalidSettings(names.map((path) => ({ path, message: "is no setting; correct its name in .env, or remove it there" })));
}

/** Whoever names a folder wants it searched, whatever the settings say. */
function withFolder(dir: string, { SOURCES }: Pick<Config, "SOURCES">): Pick<Config, "CORPUS_DIR" | "TENANT_CORPUS_DIR" | "SOURCES"> {
  return { CORPUS_DIR: dir, TENANT_CORPUS_DIR: undefined, SOURCES: SOURCES && [...new Set([...SOURCES, CORPUS_SOURCE])] };
}

/**
 * Returns what is wrong with the command line itself, such as options that contradict each other. @throws DossierError for what this machine
 * does not have, such as a team, or does not allow
 */
function contradictionIn(request: ResearchRequest, dossier: Dossier): DossierError | null {
  try {
    dossier.check(request);
    return null;
  } catch (error) {
    const { code, message, faults } = toDossierError(error);
    if (code !== "invalid_request" || faults.some(({ path }) => path.startsWith("/team"))) throw error;
    return misuse(message, error);
  }
}

async function printReport(terminal: Terminal, dossier: Dossier, run: Run, { json, format, outFile }: AskArguments): Promise<void> {
  const bytes = format === undefined ? null : await renderReport(dossier, run, format);
  if (outFile !== undefined && bytes !== null) {
    await writeReport(outFile, bytes);
    say(terminal, `report written to ${outFile}`);
  }
  if (json) print(terminal, `${JSON.stringify(run)}\n`);
  else if (format === undefined) print(terminal, endWithNewline(run.report?.markdown ?? ""));
  else if (outFile === undefined && bytes !== null) print(terminal, endWithNewline(Buffer.from(bytes).toString("utf8")));
}

function sayLowered(terminal: Terminal, { depth, lowered }: Estimate): void {
  if (lowered.length > 0) say(terminal, `the settings of this machine allow less than the depth ${depth}: ${lowered.join(", ")}`);
}

/** Where no model writes queries, nobody but the user can tell which words of a question are no words to search for. */
function saySent(terminal: Terminal, { sent, graph }: Estimate): void {
  const byWords = Map.groupBy(sent ?? [], ({ words }) => words);
  for (const [words, to] of byWords) say(terminal, `searching ${to.map(({ source }) => source).join(", ")} for: ${words}`);
  if (byWords.size > 0 && graph === "executor") say(terminal, "to search for other words, stop with Ctrl-C and add --search WORDS");
}

function sayUnused(terminal: Terminal, { report, depth }: ResearchRequest): void {
  const unused = [
    ...(report?.style === undefined ? [] : ["--style has no effect"]),
    ...(depth === undefined ? [] : ["--depth limits only how many documents are read"]),
  ];
  if (unused.length > 0) say(terminal, `without a model, ${unused.join(", and ")}`);
}

function stopOf(terminal: Terminal): AbortSignal {
  const stop = new AbortController();
  const cancel = (): void => {
    say(terminal, "cancelling …");
    stop.abort();
  };
  terminal.onStop(cancel, () => process.exit(1));
  return stop.signal;
}

/** If the first piece cannot be read, an existing file stays unchanged. */
async function writeText(file: string, pieces: AsyncIterable<string> | Iterable<string>, flag = "w"): Promise<void> {
  const stream = Readable.from(pieces);
  await once(stream, "readable");
  await writeFile(file, stream, { flag }).catch((error: Error) => {
    if (error instanceof DossierError) throw error;
    throw new DossierError("invalid_request", `${file} cannot be written: ${error.message}. Name a file that can be written.`, {
      cause: error,
    });
  });
}

async function prepare(terminal: Terminal, dossier: Dossier, stop: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([stop, AbortSignal.timeout(INDEXING_TIMEOUT_MS)]);
  try {
    await dossier.prepare(limit);
  } catch (error) {
    if (!stop.aborted) say(terminal, toDossierError(error).message);
  }
}

/** Prints progress and asks questions until the run or standard input ends. Aborting `stop` cancels the run. */
async function follow(terminal: Terminal, { runs, damaged }: Dossier, runId: string, stop: AbortSignal): Promise<Run> {
  const user = openUser(terminal);
  const todoLines = openTodoLines();
  const cancel = () => void runs.cancel(DEFAULT_TENANT, runId).catch((error: unknown) => say(terminal, toDossierError(error).message));
  if (stop.aborted) cancel();
  stop.addEventListener("abort", cancel, { once: true });
  try {
    for (let after = 0; ; ) {
      after = await show(terminal, { runs, damaged }, runId, after, todoLines);
      const run = await runs.get(DEFAULT_TENANT, runId);
      if (isEnded(run.status)) return run;
      if ((await answer(terminal, runs, run, (pending) => user.answer(pending, stop))) || stop.aborted) continue;
      say(terminal, "The run waits for an answer, but standard input has ended. Start `ask` again with all answers on standard input.");
      return run;
    }
  } finally {
    user.close();
  }
}

async function answer(terminal: Terminal, runs: RunService, run: Run, read: (pending: Pending) => Promise<AnswerRequest | null>) {
  for (const pending of run.pending) {
    for (const line of shownQuestion(pending)) say(terminal, line);
    for (let stored = false; !stored; ) {
      const given = await read(pending);
      if (given === null) return false;
      stored = await store(terminal, runs, run.id, given);
    }
  }
  return true;
}

async function store(terminal: Terminal, runs: RunService, runId: string, given: AnswerRequest): Promise<boolean> {
  try {
    await runs.answer(DEFAULT_TENANT, runId, given);
    return true;
  } catch (error) {
    const { code, faults } = toDossierError(error);
    if (code !== "invalid_request") throw error;
    printError(terminal, error);
    for (const { path, message } of faults) say(terminal, `  ${path} ${message}`);
    return false;
  }
}

async function show(
  terminal: Terminal,
  { runs, damaged }: Pick<Dossier, "runs" | "damaged">,
  runId: string,
  after: number,
  todoLines: (event: RunEvent) => string[],
) {
  const waits = new AbortController();
  let seq = after;
  for await (const page of runs.follow(DEFAULT_TENANT, runId, { after, signal: waits.signal, heartbeatMs: HEARTBEAT_MS })) {
    damaged.throwIfAborted();
    for (const event of page ?? []) {
      const line = progressLine(event);
      if (line !== null) say(terminal, `${labelOf(event.path)}${line}`);
      for (const todo of todoLines(event)) say(terminal, todo);
      if (event.type === "run-waiting") waits.abort();
      seq = event.seq;
    }
  }
  return seq;
}

/** Turns `todo:T2/round:1` into `[T2] `. */
function labelOf(path: string): string {
  const name = /^\w+:([^/]+)/.exec(path)?.[1];
  return name === undefined ? "" : `[${name}] `;
}

function openUser(terminal: Terminal) {
  let input: ReturnType<typeof createInterface> | null = null;
  let lines: AsyncIterator<string> | null = null;
  return {
    async answer(pending: Pending, signal: AbortSignal): Promise<AnswerRequest | null> {
      input ??= createInterface({ input: terminal.stdin, terminal: false });
      // All questions read from one iterator, because it may have buffered several lines.
      lines ??= input[Symbol.asyncIterator]();
      for (;;) {
        terminal.stderr.write(promptFor(pending));
        const line = await Promise.race([lines.next(), aborted(signal)]);
        if (line === null || line.done) return null;
        const given = readAnswer(pending, line.value);
        if (given !== null) return given;
        say(terminal, notUnderstood(pending));
      }
    },
    close: () => input?.close(),
  };
}

function aborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(null), { once: true }));
}

/** The returned function formats only todos whose status or plan round changed since its last call. */
export function openTodoLines(): (event: RunEvent) => string[] {
  const known = new Map<string, string>();
  return (event) => {
    if (event.type !== "component" || event.component !== "todo-list") return [];
    const { todos } = event.props as { todos?: unknown };
    const read = Array.isArray(todos) ? todos.flatMap((todo) => TodoSchema.safeParse(todo).data ?? []) : [];
    return read.flatMap((todo) => {
      const state = `${todo.status} ${todo.planRound}`;
      if (known.get(todo.id) === state) return [];
      known.set(todo.id, state);
      return [lineOf(todo)];
    });
  };
}

function lineOf({ id, status, description, feedback, answeredBy }: Todo): string {
  const how = status === "completed" && answeredBy !== null && answeredBy !== "execution" ? ` by ${answeredBy}` : "";
  const why = (status === "failed" || status === "skipped") && feedback ? `: ${feedback}` : "";
  return `  todo ${id} ${status}${how}${status === "pending" ? `: ${description}` : why}`;
}
