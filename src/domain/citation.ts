import type { Citation, Coverage, DraftClaim } from "./report.ts";

/** Whether the quote stands in the text at exactly these offsets (UTF-16 code units). */
export function citationHolds(citation: Citation, text: string | undefined): boolean {
  return citation.end > citation.start && text?.slice(citation.start, citation.end) === citation.quote;
}

export interface VerifiedClaims {
  readonly claims: DraftClaim[];
  readonly citations: Citation[];
  readonly struck: DraftClaim[];
  readonly coverage: Coverage;
}

/**
 * What may be shown of a draft: citations that do not hold are struck, and so are claims that are left without any. The rest is
 * numbered from 1 in the order of first use.
 */
export function verifyClaims(
  claims: readonly DraftClaim[],
  citations: readonly Citation[],
  textOf: (contentHash: string) => string | undefined,
): VerifiedClaims {
  const holding = new Map(
    citations.filter((citation) => citationHolds(citation, textOf(citation.contentHash))).map((citation) => [citation.id, citation]),
  );
  const numbers = new Map<number, number>();
  const number = (id: number): number => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return numbers.get(id) ?? 0;
  };
  const kept = claims.filter((claim) => claim.citations.some((id) => holding.has(id)));
  const shown = kept.map((claim) => ({
    ...claim,
    supported: true,
    citations: claim.citations.filter((id) => holding.has(id)).map(number),
  }));
  const used = [...numbers].flatMap(([id, renumbered]) => {
    const citation = holding.get(id);
    return citation === undefined ? [] : [{ ...citation, id: renumbered }];
  });
  return {
    claims: shown,
    citations: used,
    struck: claims.filter((claim) => !kept.includes(claim)),
    coverage: { sentences: shown.length, supported: shown.length, unsupported: 0 },
  };
}
