import type { Block } from "../domain/blocks.ts";
import type { Citation, DraftClaim } from "../domain/report.ts";
import type { CitedText } from "../evidence/cited-text.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import type { Judgement, Known } from "../evidence/support/judge.ts";
import type { QuotedPlace } from "../evidence/support/quote-texts.ts";
import { readAgain } from "../evidence/support/report-blocks.ts";
import { judgeReport } from "../evidence/support/report-sums.ts";
import type { LongWork } from "../util/turns.ts";

type Report = Pick<CitedText, "claims" | "citations" | "blocks">;

/** Judges again what sums up the report, after sentences of it have become unverified. */
export function* judgeSums(
  report: Report,
  evidence: ReadonlyMap<string, Evidence>,
  known: Known,
): LongWork<Pick<Report, "claims" | "blocks">> {
  const passages = new Map(Array.from(evidence.values(), (passage) => [passage.contentHash, passage]));
  const placeOf = ({ contentHash, start, end, quote }: Citation): QuotedPlace => {
    const { text, title } = passages.get(contentHash) ?? { text: quote };
    return passages.has(contentHash) ? { text, title, contentHash, start, end } : { text, contentHash, start: 0, end: quote.length };
  };
  const { sentences, blocks } = readAgain(report, placeOf);
  yield* judgeReport(blocks, known);
  return {
    claims: report.claims.map((claim, i) => (claim.support === "summary" ? lowered(claim, sentences[i]?.judgement) : claim)),
    blocks: report.blocks.map((block, i) => ("support" in block ? lowered(block, blocks[i]?.label) : block)),
  };
}

function lowered<Part extends DraftClaim | Block>(part: Part, judgement: Judgement | null | undefined): Part {
  if (judgement?.why == null) return part;
  const { reason, words } = judgement.why;
  return { ...part, support: "unverified", reason: words === "" ? reason : `${reason}: ${words}` };
}
