import { expect, test } from "vitest";
import { readingOf, write } from "./readings.ts";

test("a megabyte of one sentence, of tiny sentences, or of no sentence is read without blocking the event loop", async () => {
  for (const piece of ["the docking loop, ", "循环结束了，", "循环结束了吗。", "| loop | ends |\n", "\n", "😀"]) {
    const text = piece.repeat(Math.floor(1_000_000 / piece.length));
    const before = process.threadCpuUsage();
    await write("How does the docking loop end? 循环如何结束？", [readingOf("large", "", text)]);
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(5_000);
  }
});

test("twelve documents of 50 kB are read within a second, on any machine", async () => {
  const paragraph = "The ferry crosses twice an hour, except in winter. Its loop of corrections ends at the pier, as version 1.4 says. ";
  const readings = Array.from({ length: 12 }, (_, i) => readingOf(`d${i}`, `Part ${i}`, `${`${paragraph.repeat(5)}\n\n`.repeat(88)}${i}`));
  await write("How does the loop of corrections end?", readings);
  const before = process.threadCpuUsage();
  await write("How does the loop of corrections end?", readings);
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000);
});
