import { expect, it } from "vitest";
import { readCitedText } from "../../src/evidence/cited-text.ts";

it("reads a line of spaces, which may become a rule or a table, in linear time", () => {
  const read = (spaces: number): string[] =>
    readCitedText(`塔高九十米。\n${" ".repeat(spaces)}x\n`, new Map()).claims.map(({ text }) => text);
  expect(read(1_000_000)).toContain("塔高九十米。");
});
