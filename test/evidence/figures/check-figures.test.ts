import { describe, expect, it } from "vitest";
import { missingFigures } from "../../../src/evidence/figures/check-figures.ts";
import { HONEST, TWISTED, WRONG } from "./statements.ts";

describe("an honest paraphrase is supported", () => {
  it.each(HONEST.map((statement) => [statement.says, statement] as const))("%s", (_, { says, quotes, known = [] }) => {
    expect(missingFigures(says, quotes, known)).toEqual([]);
  });
});

describe("a figure that the quotes do not have is named", () => {
  it.each(WRONG.map(([statement, missing]) => [statement.says, statement, missing] as const))(
    "%s",
    (_, { says, quotes, known = [] }, missing) => {
      expect(missingFigures(says, quotes, known).map(({ text }) => text)).toEqual(missing);
    },
  );
});

it.each(TWISTED)("%s is not supported by %s", (says, quote) => {
  expect(missingFigures(says, [quote], [])).not.toEqual([]);
});

it.each(["0,0,0", "特斯拉全年交付1,808,1辆汽车", "It sold 1,1,1,1 of 1.234,5,6 cars."])(
  "reads a number with misplaced commas: %s",
  (says) => {
    expect(missingFigures(says, ["The lamp burns oil."], []).length).toBeGreaterThan(0);
    expect(missingFigures("It is 90 metres tall.", [`It is 90 metres tall, ${says}`], [])).toEqual([]);
  },
);

it.each(["The square has 3.5² km.", "The square has 3.5^2 km.", "The square has 1,234² km."])("reads a number with a power: %s", (says) => {
  expect(missingFigures(says, [`Today ${says}`], [])).toEqual([]);
  expect(missingFigures(says, ["The lamp burns oil."], []).length).toBeGreaterThan(0);
});
