import { expect, it } from "vitest";
import { z } from "zod";
import { plainIssue } from "../../src/domain/plain-issue.ts";

it.each([
  [z.string(), undefined, "is missing"],
  [z.int(), 1.5, "must be an integer"],
  [z.array(z.string()), "租金", "must be an array"],
  [z.array(z.string()).min(1), [], "must have at least 1 item"],
  [z.string().max(2), "押金表", "must have at most 2 characters"],
  [z.string().length(3), "押金", "must have exactly 3 characters"],
  [z.number().positive(), 0, "must be more than 0"],
  [z.number().lt(8), 8, "must be less than 8"],
  [z.enum(["甲", "b"]), "c", "must be one of 甲, b"],
  [z.literal(true), 1, "must be true"],
  [z.strictObject({}), { 租期: 1 }, "has fields that are not known: 租期"],
  [z.url(), "x", "must be an address with http:// or https://, such as http://127.0.0.1:8080/v1"],
  [z.email(), "安娜", "must be an address such as name@example.org"],
  [z.string().regex(/^x$/), "y", "does not have the required form"],
  [z.union([z.string(), z.boolean()]), 1, "does not have the required form"],
  [z.string().min(2, "must be a name"), "x", "must be a name"],
  [z.array(z.number()), ["1"], "must be a number"],
])("says in plain words what is wrong (%#)", (schema, value, message) => {
  expect(schema.safeParse(value, { error: plainIssue }).error?.issues.map((issue) => issue.message)).toEqual([message]);
});
