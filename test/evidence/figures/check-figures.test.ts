import { describe, expect, it } from "vitest";
import { missingFigures } from "../../../src/evidence/figures/check-figures.ts";
import { HONEST, WRONG } from "./statements.ts";

describe("an honest paraphrase holds", () => {
  it.each(HONEST.map((statement) => [statement.says, statement] as const))("%s", (_, { says, quotes, known = [] }) => {
    expect(missingFigures(says, quotes, known)).toEqual([]);
  });
});

describe("what the quotes do not say is named", () => {
  it.each(WRONG.map(([statement, missing]) => [statement.says, statement, missing] as const))(
    "%s",
    (_, { says, quotes, known = [] }, missing) => {
      expect(missingFigures(says, quotes, known).map(({ text }) => text)).toEqual(missing);
    },
  );
});
