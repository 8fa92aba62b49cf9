import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { main } from "../../src/cli/main.ts";

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
