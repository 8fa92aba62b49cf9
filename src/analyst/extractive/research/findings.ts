import type { Findings } from "../../../domain/ports/research-analyst.ts";

export const EMPTY_FINDINGS: Findings = { claims: [], citations: [], reason: null };
