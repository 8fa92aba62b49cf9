import { expect, test } from "vitest";
import { readingOf, write } from "../writing/readings.ts";

test("a megabyte of one sentence, of tiny sentences, or of no sentence is read", async () => {
  for (const piece of ["the docking loop, ", "循环结束了，", "循环结束了吗。", "| loop | ends |\n", "\n", "😀"]) {
    const text = piece.repeat(Math.floor(1_000_000 / piece.length));
    expect(await write("How does the docking loop end? 循环如何结束？", [readingOf("large", "", text)])).toBeDefined();
  }
});
