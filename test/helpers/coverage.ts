import { coverageOf } from "../../src/domain/citations.ts";
import type { Claim } from "../../src/domain/report.ts";

const QUOTED: Pick<Claim, "support" | "supported"> = { support: "quoted", supported: true };
const UNVERIFIED: Pick<Claim, "support" | "supported"> = { support: "unverified", supported: false };

/** The coverage of a report with so many quoted and unverified sentences. */
export const coverage = (quoted = 0, unverified = 0, removed = 0) =>
  coverageOf([...Array(quoted).fill(QUOTED), ...Array(unverified).fill(UNVERIFIED)], removed);
