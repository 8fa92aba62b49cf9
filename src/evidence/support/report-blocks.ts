import { type Block, CELL_SEPARATOR, sentencesOf } from "../../domain/blocks.ts";
import { type Citation, type DraftClaim, isChecked } from "../../domain/report.ts";
import { failed, judged } from "./judge.ts";
import type { QuotedPlace } from "./quote-texts.ts";
import type { SummedBlock, SummedSentence } from "./report-sums.ts";

interface Report {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  readonly blocks: readonly Block[];
}

export type ReadAgain = ReturnType<typeof readAgain>;

/** Reads a finished report for its figures to be judged again. What sums up has no judgement yet, and only such labels are in `words`. */
export function readAgain({ claims, citations, blocks }: Report, placeOf: (citation: Citation) => QuotedPlace) {
  const places = new Map(citations.map((citation) => [citation.id, placeOf(citation)]));
  const heads = new Map(blocks.flatMap((block) => (block.kind === "table" ? block.rows.map((row) => [row, block.head] as const) : [])));
  const sentences = claims.map((claim, index): SummedSentence => {
    const support = claim.support ?? "paraphrased";
    const checked = isChecked(claim) ? judged(support, claim.expression) : failed("no_citation", "");
    return {
      text: claim.text,
      head: heads.get(index),
      places: claim.citations.flatMap((id) => places.get(id) ?? []),
      judgement: claim.support === "summary" ? null : checked,
    };
  });
  const read = blocks.map((block): SummedBlock => {
    const isLabelled = (block.kind === "heading" || block.kind === "table") && block.support === "summary";
    return {
      level: block.kind === "heading" ? block.level : null,
      words: isLabelled ? (block.kind === "heading" ? block.text : block.head.join(CELL_SEPARATOR)) : null,
      sentences: sentencesOf(block).flatMap((index) => sentences[index] ?? []),
      label: null,
    };
  });
  return { sentences, blocks: read };
}
