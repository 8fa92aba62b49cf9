import { type Block, CELL_SEPARATOR } from "../../domain/blocks.ts";
import { type Citation, type DraftClaim, isChecked } from "../../domain/report.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import { type Judgement, judgeLabel, judgeSummary, type Known, type ReadSummed, readSummed } from "../../evidence/support/judge.ts";
import { nearbyText } from "../../evidence/support/quote-texts.ts";
import type { LongWork } from "../../util/turns.ts";

interface Report {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  readonly blocks: readonly Block[];
}

/** Judges again what sums up the report, after sentences of it have become unverified. */
export function* judgeSums(
  report: Report,
  evidence: ReadonlyMap<string, Evidence>,
  known: Known,
): LongWork<Pick<Report, "claims" | "blocks">> {
  const checked = report.claims.filter(isChecked);
  const cited = new Set(checked.flatMap((claim) => claim.citations));
  const used = report.citations.filter(({ id }) => cited.has(id));
  const summed = summedBy(checked, used, evidence, known);
  const claims: DraftClaim[] = [];
  for (const claim of report.claims) {
    const judged = claim.support === "summary" ? judgeSummary({ text: claim.text }, summed, known) : null;
    claims.push(judged === null || judged.support === "summary" ? claim : { ...claim, support: "unverified", reason: reasonOf(judged) });
    yield;
  }
  const quotes = used.map(({ quote }) => quote);
  return { claims, blocks: report.blocks.map((block) => withLabel(block, summed, quotes, known)) };
}

function summedBy(
  checked: readonly DraftClaim[],
  used: readonly Citation[],
  evidence: ReadonlyMap<string, Evidence>,
  known: Known,
): ReadSummed {
  const places = used.flatMap((citation) => {
    const passage = [...evidence.values()].find(({ contentHash }) => contentHash === citation.contentHash);
    return passage === undefined ? [] : [{ ...passage, start: citation.start, end: citation.end }];
  });
  const quotes = [...used.map(({ quote }) => quote), ...places.flatMap(({ title }) => title ?? [])];
  const documents = [...new Map(places.map((place) => [place.contentHash, place])).values()].map(nearbyText);
  return readSummed({ texts: checked.map(({ text }) => text), quotes, documents }, known);
}

function withLabel(block: Block, summed: ReadSummed, quotes: readonly string[], known: Known): Block {
  if ((block.kind !== "heading" && block.kind !== "table") || block.support !== "summary") return block;
  const judged = judgeLabel(block.kind === "heading" ? block.text : block.head.join(CELL_SEPARATOR), summed, quotes, known);
  return judged === null || judged.support === "summary" ? block : { ...block, support: "unverified", reason: reasonOf(judged) };
}

function reasonOf({ why }: Judgement): string | null {
  if (why === null) return null;
  return why.words === "" ? why.reason : `${why.reason}: ${why.words}`;
}
