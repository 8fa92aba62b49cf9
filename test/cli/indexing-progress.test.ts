import { PassThrough, Readable } from "node:stream";
import { expect, it } from "vitest";
import { IndexingProgress } from "../../src/cli/indexing-progress.ts";
import { say, type Terminal } from "../../src/cli/terminal.ts";

/** Reports 500 files, one every 25 ms. */
function indexFiles(isTTY: boolean): { terminal: Terminal; progress: IndexingProgress; written: () => string } {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const terminal = { stdin: Readable.from([]), stdout: new PassThrough(), stderr, onStop: () => {} };
  let now = 0;
  const progress = new IndexingProgress(terminal, () => now);
  for (let done = 0; done <= 500; done++) {
    progress.show({ done, total: 500 });
    now += 25;
  }
  return { terminal, progress, written: () => String(stderr.read() ?? "") };
}

it("writes a line every three seconds if the output is not a terminal", () => {
  const { progress, written } = indexFiles(false);
  progress.end();
  expect(written().split("\n")).toEqual([
    "indexing: read 120 of 500 files …",
    "indexing: read 240 of 500 files …",
    "indexing: read 360 of 500 files …",
    "indexing: read 480 of 500 files …",
    "",
  ]);
});

it("rewrites one line on a terminal, and clears it at the end", () => {
  const { progress, written } = indexFiles(true);
  progress.end();
  const text = written();
  expect(text).not.toContain("\n");
  const shown = text.split("\r").map((line) => line.replace("\x1b[K", ""));
  expect(shown.slice(0, 3)).toEqual(["", "indexing: read 0 of 500 files …", "indexing: read 4 of 500 files …"]);
  expect(shown.slice(-2)).toEqual(["indexing: read 500 of 500 files …", ""]);
});

it("gives its line to other messages, and shows nothing after the end", () => {
  const { terminal, progress, written } = indexFiles(true);
  say(terminal, "cancelling …");
  expect(written().endsWith("500 of 500 files …\x1b[K\r\x1b[Kcancelling …\n")).toBe(true);
  progress.end();
  written();
  progress.show({ done: 1, total: 2 });
  expect(written()).toBe("");
});
