import { type Citation, type Coverage, type DraftClaim, MAX_CLOSEST, type Passage } from "./report.ts";
import type { Unsupported } from "./request.ts";

/** Whether the quote stands in the text at exactly these offsets (UTF-16 code units). */
export function citationHolds({ start, end, quote }: Passage, text: string | undefined): boolean {
  return end > start && text?.slice(start, end) === quote;
}

/** The first passages that hold, as many as a report may have. */
export function closestOf(passages: readonly Passage[], textOf: (contentHash: string) => string | undefined): Passage[] {
  const holding = passages.filter((passage) => citationHolds(passage, textOf(passage.contentHash)));
  return holding
    .slice(0, MAX_CLOSEST)
    .map(({ sourceId, contentHash, start, end, quote }) => ({ sourceId, contentHash, start, end, quote }));
}

export interface VerifiedClaims {
  readonly claims: DraftClaim[];
  readonly citations: Citation[];
  readonly struck: DraftClaim[];
  /** What is shown; how many were struck where any was. */
  readonly coverage: Coverage;
}

/**
 * What may be shown of a draft: citations that do not hold are struck. So are claims that are left without any, or, where `unsupported`
 * is `show`, they stay without citations and are not `supported`. The rest is numbered from 1 in the order of first use.
 */
export function verifyClaims(
  claims: readonly DraftClaim[],
  citations: readonly Citation[],
  textOf: (contentHash: string) => string | undefined,
  unsupported: Unsupported = "strike",
): VerifiedClaims {
  const holding = new Map(
    citations.filter((citation) => citationHolds(citation, textOf(citation.contentHash))).map((citation) => [citation.id, citation]),
  );
  const numbers = new Map<number, number>();
  const number = (id: number): number => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return numbers.get(id) ?? 0;
  };
  const holds = ({ supported, citations: ids }: DraftClaim): boolean => supported && ids.some((id) => holding.has(id));
  const kept = claims.filter((claim) => unsupported === "show" || holds(claim));
  const shown = kept.map((claim) => {
    const supported = holds(claim);
    return { ...claim, supported, citations: supported ? claim.citations.filter((id) => holding.has(id)).map(number) : [] };
  });
  const used = [...numbers].flatMap(([id, renumbered]) => {
    const citation = holding.get(id);
    return citation === undefined ? [] : [{ ...citation, id: renumbered }];
  });
  const struck = claims.filter((claim) => !kept.includes(claim));
  return { claims: shown, citations: used, struck, coverage: coverageOf(shown, struck.length) };
}

/** Counts the sentences that are shown, and those that were struck where any was. */
export function coverageOf(shown: readonly DraftClaim[], struck: number): Coverage {
  const supported = shown.filter((claim) => claim.supported).length;
  return { sentences: shown.length, supported, unsupported: shown.length - supported, ...(struck > 0 && { struck }) };
}
