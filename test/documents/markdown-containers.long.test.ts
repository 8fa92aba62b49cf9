import { expect, it } from "vitest";
import { extractMarkdown } from "../../src/documents/extract-markdown.ts";

const LENGTH = 1_000_000;
/** In milliseconds of processor time of this thread, on a busy machine: unbounded, some of these texts take minutes. */
const MAX_MS = 15_000;
const PART_LENGTH = 7_900;

it.each([
  "> a\n",
  "- > 灯塔\n",
  "- - a\n",
  "- a\n  - b\n",
  "> 灯塔\n\nb\n\n",
  "- >\n",
  "- a\n",
  "1. > a\n",
  "**灯塔** b\n",
  "- **a** b\n",
  "> -a\n",
])("a megabyte of %j, also with sections, is read in seconds", (unit) => {
  const section = `${unit.repeat(PART_LENGTH / unit.length)}\nb\n\n`;
  const before = process.threadCpuUsage();
  for (const text of [unit.repeat(LENGTH / unit.length), section.repeat(LENGTH / section.length)])
    expect(extractMarkdown(text).drafts.length).toBeGreaterThan(0);
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(MAX_MS);
});
