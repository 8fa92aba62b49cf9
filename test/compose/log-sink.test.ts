import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { expect, it } from "vitest";

const LINES = 6_000;
const ENTRY = new URL("../../src/compose/log-sink.ts", import.meta.url).href;
/** Writes 6,000 lines of 300 characters in turns of the event loop, and then one more for each line on standard input. */
const PROGRAM = `
  import { openLogSink } from ${JSON.stringify(ENTRY)};
  import { setImmediate as nextTurn } from "node:timers/promises";
  const sink = openLogSink();
  for (let i = 0; i < ${LINES}; i += 1) { sink.write(JSON.stringify({ i, text: "长".repeat(300) }) + "\\n"); await nextTurn(); }
  process.stdout.write("written\\n");
  for await (const chunk of process.stdin)
    for (const _ of String(chunk).trimEnd().split("\\n")) sink.write(JSON.stringify({ last: true }) + "\\n");
  process.exit(0);`;

function startProgram(stderr: "pipe" | number) {
  return spawn(process.execPath, ["--input-type=module", "-e", PROGRAM], { stdio: ["pipe", "pipe", stderr] });
}

it("goes on when nobody reads the log, tells later how many lines were dropped, and exits", async () => {
  const child = startProgram("pipe");
  await once(child.stdout as NodeJS.ReadableStream, "data");
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stderr?.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.byteLength;
  });
  // Then most of what waited for the reader has gone.
  await expect.poll(() => bytes).toBeGreaterThan(950_000);
  const log = () => Buffer.concat(chunks).toString();
  let asked = 0;
  // A line that comes too early is dropped, too.
  const logOfMore = () => {
    child.stdin?.write("more\n");
    asked += 1;
    return log();
  };
  await expect.poll(logOfMore).toContain('"last":true');
  child.stdin?.end();
  expect(await once(child, "exit")).toEqual([0, null]);
  const lines = log()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const told = lines.filter(({ dropped }) => dropped > 0);
  const dropped = told.reduce((sum, one) => sum + one.dropped, 0);
  expect(dropped).toBeGreaterThan(0);
  expect(lines.length - told.length + dropped).toBe(LINES + asked);
});

it.runIf(process.platform === "linux")("goes on when the log cannot be written because its disk is full", async () => {
  const child = startProgram(openSync("/dev/full", "w"));
  child.stdin?.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});

it("goes on when the reader of the log has gone", async () => {
  const child = startProgram("pipe");
  child.stderr?.destroy();
  child.stdin?.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});
