import { expect, it } from "vitest";
import { withoutOperators } from "../../src/domain/search-operators.ts";

it("reads operators in linear time", () => {
  for (const part of ["(", "-(", '"', "NOT (", "“", "-“", "site:", "AROUND("]) expect(withoutOperators(part.repeat(100_000))).toBeDefined();
});
