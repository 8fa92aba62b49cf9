import { expect, it } from "vitest";
import { newRunId } from "../../src/runs/run-service.ts";

it("makes UUIDs of version 7 that sort by their instant", () => {
  const instants = [1, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1];
  const ids = instants.map(newRunId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids[1]?.slice(0, 13)).toBe("018bcfe5-6800");
});

it("never makes the same one twice within a millisecond", () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newRunId(1_700_000_000_000))).size).toBe(1_000);
});
