import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const ENTRY = new URL("../../src/compose/log-sink.ts", import.meta.url).href;
const run = promisify(execFile);

/** Logs one line about a page whose title would clear a terminal. */
const programOf = (setting: string) => `
  import { openLineFormat, openLogSink } from ${JSON.stringify(ENTRY)};
  import { pino } from "pino";
  const sink = openLogSink(await openLineFormat(${JSON.stringify(setting)}));
  pino({ base: null }, sink).info({ runId: "R", title: "\\u001b[2J标题\\u009b" }, "page read");`;
const argumentsOf = (setting: string) => ["--input-type=module", "-e", programOf(setting)];

const READABLE = /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\] INFO: page read \{"runId":"R","title":"�\[2J标题�"\}\n$/;

it("writes JSON lines into a pipe, unless the setting asks for text", async () => {
  for (const setting of ["auto", "json"]) {
    const { stderr } = await run(process.execPath, argumentsOf(setting));
    expect(JSON.parse(stderr)).toMatchObject({ level: 30, runId: "R", msg: "page read" });
  }
  expect((await run(process.execPath, argumentsOf("text"))).stderr).toMatch(READABLE);
});

/** Runs a program with a terminal, which `script` of util-linux makes. */
async function onTerminal(args: readonly string[]): Promise<string> {
  const command = [process.execPath, ...args].map((part) => `'${part}'`).join(" ");
  const { stdout } = await run("script", ["--quiet", "--return", "--command", `NO_COLOR=1 ${command}`, "/dev/null"]);
  return stdout.replaceAll("\r\n", "\n");
}

it.runIf(existsSync("/usr/bin/script"))(
  "writes text on a terminal, unless the setting asks for JSON, and obeys no text from outside",
  async () => {
    expect(await onTerminal(argumentsOf("auto"))).toMatch(READABLE);
    expect(JSON.parse(await onTerminal(argumentsOf("json")))).toMatchObject({ msg: "page read" });
  },
);
