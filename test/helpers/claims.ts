import { unverified } from "../../src/domain/citations.ts";
import { isChecked, type Report } from "../../src/domain/report.ts";

/** Fields of a claim whose words stand in its quotes. */
export const QUOTED = { support: "quoted", supported: true, reason: null, expression: null } as const;
/** Fields of a claim without a citation. */
export const UNVERIFIED = unverified("no_citation");
/** Fields of a report that only a model's text has. Its sentences are listed by section. */
export const NO_BLOCKS = { blocks: [], answers: null, missing: [], struck: [], summary: null };

/** Counts the sentences of a report, those that code checked, and those that it could not. */
export function countsOf(report: Report | null) {
  const claims = report?.claims ?? [];
  const unverified = claims.filter(({ support }) => support === "unverified").length;
  return { sentences: claims.length, checked: claims.filter(isChecked).length, unverified };
}
