import { isDeepStrictEqual } from "node:util";
import type { ReadExpectation } from "./expectation.ts";
import type { Outcome } from "./read-recorded.ts";

/** Returns the differences between an outcome and its expectation, as lines to print. */
export function differences(outcome: Outcome, expected: ReadExpectation): string[] {
  if ("failure" in expected) return failureDifferences(outcome, expected);
  if (!("found" in outcome)) return [`expected ${expected.results} results`, `got      ${outcome.failure}: ${outcome.message}`];
  const faults = Object.entries(expected.values ?? {}).flatMap(([place, value]) => {
    const actual = valueAt(outcome.found, place);
    return isDeepStrictEqual(actual, value) ? [] : [`${place}: expected ${show(value)}`, `${place}: got      ${show(actual)}`];
  });
  if (outcome.found.length !== expected.results) {
    faults.unshift(`expected ${expected.results} results`, `got      ${outcome.found.length}`);
  }
  return faults;
}

function failureDifferences(outcome: Outcome, { failure, says = "" }: Extract<ReadExpectation, { failure: string }>): string[] {
  if ("found" in outcome) return [`expected ${failure}`, `got      ${outcome.found.length} results, first ${show(outcome.found[0])}`];
  if (outcome.failure === failure && outcome.message.includes(says)) return [];
  return [`expected ${failure}${says === "" ? "" : `, saying ${says}`}`, `got      ${outcome.failure}: ${outcome.message}`];
}

/** Returns the value at a path such as `0.publication.doi`, or undefined. */
function valueAt(root: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, key) => (typeof value === "object" && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined),
      root,
    );
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 400);
}
