import { describe, expect, it } from "vitest";
import { preferredType, preferredWaitSeconds } from "../../src/http/headers.ts";

describe("the time a client prefers to wait", () => {
  it.each([
    ["wait=5", 5],
    ["WAIT = 5", 5],
    ['wait="7"', 7],
    ["wait=0", 0],
    ["respond-async, wait=10", 10],
    ['foo="a, wait=1", wait=2', 2],
    ["wait=3; strict", 3],
    ["wait=3, wait=4", 3],
    ["wait=99999999999", 60],
    ["wait=61", 60],
    ["", null],
    [undefined, null],
  ])("read from %j is %j seconds", (header, seconds) => {
    expect(preferredWaitSeconds(header)).toBe(seconds);
  });
});

describe("the type a client likes best", () => {
  it.each([
    [undefined, "a/x"],
    ["", "a/x"],
    ["*/*", "a/x"],
    ["a/y", "a/y"],
    ["A/Y", "a/y"],
    ["a/*", "a/x"],
    ["a/x;q=0.4, a/y;q=0.5", "a/y"],
    ["a/x;q=0, */*", "a/y"],
    ["a/x;version=1;q=0.1, a/y", "a/y"],
    ["b/z", null],
    ["a/x;q=0", null],
    [",,;;q=,", null],
    ["x".repeat(100_000), null],
    [`${'"'.repeat(10_000)}`, null],
  ])("by Accept: %.40s", (accept, type) => {
    expect(preferredType(accept, ["a/x", "a/y"])).toBe(type);
  });
});
