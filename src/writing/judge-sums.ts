import type { Block } from "../domain/blocks.ts";
import { computation } from "../domain/computation.ts";
import type { Citation, DraftClaim } from "../domain/report.ts";
import type { CitedText } from "../evidence/cited-text.ts";
import { type PackedEvidence, unpackEvidence } from "../evidence/packed-evidence.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import type { Judgement, Known } from "../evidence/support/judge.ts";
import type { QuotedPlace } from "../evidence/support/quote-texts.ts";
import { readAgain } from "../evidence/support/report-blocks.ts";
import { judgeReport } from "../evidence/support/report-sums.ts";

type Report = Pick<CitedText, "claims" | "citations" | "blocks">;

/** Judges again what sums up the report, after sentences of it have become unverified. */
export function judgeSums(report: Report, evidence: ReadonlyMap<string, Evidence>, known: Known): Pick<Report, "claims" | "blocks"> {
  const passages = new Map(Array.from(evidence.values(), (passage) => [passage.contentHash, passage]));
  const placeOf = ({ contentHash, start, end, quote }: Citation): QuotedPlace => {
    const { text, title } = passages.get(contentHash) ?? { text: quote };
    return passages.has(contentHash) ? { text, title, contentHash, start, end } : { text, contentHash, start: 0, end: quote.length };
  };
  const { sentences, blocks } = readAgain(report, placeOf);
  judgeReport(blocks, known);
  return {
    claims: report.claims.map((claim, i) => (claim.support === "summary" ? lowered(claim, sentences[i]?.judgement) : claim)),
    blocks: report.blocks.map((block, i) => ("support" in block ? lowered(block, blocks[i]?.label) : block)),
  };
}

export function judgePacked(report: Report, evidence: PackedEvidence, known: Known): ReturnType<typeof judgeSums> {
  return judgeSums(report, unpackEvidence(evidence), known);
}

/** `judgeSums` as a computation. */
export const SUMS = computation(
  import.meta.url,
  judgePacked,
  ({ claims }) => claims.reduce((sum, { text }) => sum + text.length, 0),
  2_000,
);

function lowered<Part extends DraftClaim | Block>(part: Part, judgement: Judgement | null | undefined): Part {
  if (judgement?.why == null) return part;
  const { reason, words } = judgement.why;
  return { ...part, support: "unverified", reason: words === "" ? reason : `${reason}: ${words}` };
}
