import { rm } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { main } from "../../src/cli/main.ts";
import { CORPUS, makeHome } from "./open-dossier.ts";

export interface CliEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the program in this process, with a standard input that holds `input` and then ends. */
export async function runCli(args: readonly string[], env: Readonly<Record<string, string>> = {}, input = ""): Promise<CliEnd> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(stdout), text(stderr)]);
  const code = await main([...args], { stdin: Readable.from(input === "" ? [] : [input]), stdout, stderr, env, onStop: () => {} });
  stdout.end();
  stderr.end();
  const [out, err] = await output;
  return { code, stdout: out, stderr: err };
}

/** Runs a command that searches only the corpus. */
export function askCorpus(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliEnd> {
  return runCli(args, { SOURCES: "corpus", ...env });
}

/** Returns a folder with the corpus of the tests, which is deleted when the test has finished. */
export async function corpusHome(): Promise<string> {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
