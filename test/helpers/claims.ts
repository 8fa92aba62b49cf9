import { unverified } from "../../src/domain/citations.ts";

/** Fields of a claim whose words stand in its quotes. */
export const QUOTED = { support: "quoted", supported: true, reason: null, expression: null } as const;
/** Fields of a claim without a citation. */
export const UNVERIFIED = unverified("no_citation");
/** Fields of a report that only a model's text has. Its sentences are listed by section. */
export const NO_BLOCKS = { blocks: [], answers: null, missing: [], struck: [] };
