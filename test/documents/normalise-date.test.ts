import { expect, it } from "vitest";
import { normaliseDate } from "../../src/documents/normalise-date.ts";

it.each([
  ["2024-05-01", "2024-05-01"],
  ["2024-05-01T10:00:00Z", "2024-05-01T10:00:00.000Z"],
  ["2024-05-01T10:00:00+0200", "2024-05-01T08:00:00.000Z"],
  ["2024-05-01 10:00 +02:00", "2024-05-01T08:00:00.000Z"],
  ["2024-05-01T10:00:00", "2024-05-01"],
  ["2024/5/1", "2024-05-01"],
  ["2024年5月1日", "2024-05-01"],
  ["20240501", "2024-05-01"],
  ["Wed, 01 May 2024 10:00:00 GMT", "2024-05-01T10:00:00.000Z"],
  ["May 1, 2024", "2024-05-01"],
  ["1 September 2024", "2024-09-01"],
  ["2024-02-31", null],
  ["2024-13-01", null],
  ["yesterday", null],
  ["1 Foo 2024", null],
  ["", null],
  [null, null],
])("the date %j is %j", (written, expected) => {
  expect(normaliseDate(written)).toBe(expected);
});
