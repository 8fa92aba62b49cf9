import { expect, it } from "vitest";
import { extractMarkdown } from "../../src/documents/extract-markdown.ts";

const LENGTH = 1_000_000;
const PART_LENGTH = 7_900;

// Unbounded, some of these texts take minutes, which is longer than the limit of a test.
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
])("a megabyte of %j, also with sections, is read", (unit) => {
  const section = `${unit.repeat(PART_LENGTH / unit.length)}\nb\n\n`;
  for (const text of [unit.repeat(LENGTH / unit.length), section.repeat(LENGTH / section.length)])
    expect(extractMarkdown(text).drafts.length).toBeGreaterThan(0);
});
