import type { Findings } from "./ports/analyst.ts";
import { type Citation, type Coverage, type DraftClaim, MAX_CLOSEST, type Passage } from "./report.ts";
import type { UnsupportedSentencePolicy } from "./request.ts";

export function citationHolds({ start, end, quote }: Passage, text: string | undefined): boolean {
  return end > start && text?.slice(start, end) === quote;
}

export function verifiedPassages(passages: readonly Passage[], textOf: (contentHash: string) => string | undefined): Passage[] {
  const valid = passages.filter((passage) => citationHolds(passage, textOf(passage.contentHash)));
  return valid.slice(0, MAX_CLOSEST).map(({ sourceId, contentHash, start, end, quote }) => ({ sourceId, contentHash, start, end, quote }));
}

/** Drops citations whose quote is not in the text, and renumbers the rest. `strike` also drops claims without a citation. */
export function verifyClaims(
  claims: readonly DraftClaim[],
  citations: readonly Citation[],
  textOf: (contentHash: string) => string | undefined,
  unsupported: UnsupportedSentencePolicy = "strike",
) {
  const valid = new Map(
    citations.filter((citation) => citationHolds(citation, textOf(citation.contentHash))).map((citation) => [citation.id, citation]),
  );
  const numbers = new Map<number, number>();
  const number = (id: number): number => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return numbers.get(id) ?? 0;
  };
  const holds = ({ supported, citations: ids }: DraftClaim): boolean => supported && ids.some((id) => valid.has(id));
  const kept = claims.filter((claim) => unsupported === "show" || holds(claim));
  const shown = kept.map((claim) => {
    const supported = holds(claim);
    return { ...claim, supported, citations: supported ? claim.citations.filter((id) => valid.has(id)).map(number) : [] };
  });
  const used = [...numbers].flatMap(([id, renumbered]) => {
    const citation = valid.get(id);
    return citation === undefined ? [] : [{ ...citation, id: renumbered }];
  });
  const struck = claims.filter((claim) => !kept.includes(claim));
  return { claims: shown, citations: used, struck, coverage: coverageOf(shown, struck.length) };
}

export function coverageOf(shown: readonly DraftClaim[], struck: number): Coverage {
  const supported = shown.filter((claim) => claim.supported).length;
  return { sentences: shown.length, supported, unsupported: shown.length - supported, ...(struck > 0 && { struck }) };
}

export const NOTHING_FOUND: Findings = { claims: [], citations: [], reason: null };

/** Joins claims with equal text, and citations of equal passages. Citation ids count from 1. */
export function mergeFindings(parts: readonly Findings[]): Findings {
  let used = 0;
  const renumbered = parts.map((part) => {
    const offset = used;
    used += Math.max(0, ...part.citations.map(({ id }) => id));
    return renumber(part, offset);
  });
  const { claims, citations } = mergeCitations({
    claims: renumbered.flatMap((part) => part.claims),
    citations: renumbered.flatMap((part) => part.citations),
  });
  const merged = [...Map.groupBy(claims, ({ text }) => text).values()].map(([first, ...more]) => joinClaims(first as DraftClaim, more));
  if (merged.length > 0) return { claims: merged, citations, reason: null };
  const closest = parts.flatMap((part) => part.closest ?? []);
  return { claims: merged, citations, reason: parts.at(-1)?.reason ?? null, ...(closest.length > 0 && { closest }) };
}

export function mergeCitations({ claims, citations }: Pick<Findings, "claims" | "citations">): Pick<Findings, "claims" | "citations"> {
  const known = new Map<string, Citation>();
  const united: Citation[] = [];
  const numbers = new Map<number, number>();
  for (const citation of citations) {
    // A page and its search result are two documents, but may contain the same quote.
    const keys = [`${citation.contentHash} ${citation.start} ${citation.end}`, `${citation.sourceId} ${citation.quote}`];
    const before = keys.map((key) => known.get(key)).find((one) => one !== undefined);
    const one = before ?? { ...citation, id: united.length + 1 };
    if (before === undefined) united.push(one);
    for (const key of keys) known.set(key, one);
    numbers.set(citation.id, one.id);
  }
  const cited = (ids: readonly number[]): number[] => [...new Set(ids.flatMap((id) => numbers.get(id) ?? []))];
  return { claims: claims.map((claim) => ({ ...claim, citations: cited(claim.citations) })), citations: united };
}

/** Returns the ids of those `citations` that equal or overlap a citation of the findings. */
export function citationsSharedWith(findings: Findings, citations: readonly Citation[]): number[] {
  const shared = (one: Citation): boolean => findings.citations.some((own) => isSame(own, one));
  return citations.filter(shared).map(({ id }) => id);
}

function isSame(own: Citation, one: Citation): boolean {
  if (own.sourceId === one.sourceId && own.quote === one.quote) return true;
  return own.contentHash === one.contentHash && own.start < one.end && one.start < own.end;
}

function renumber({ claims, citations, ...rest }: Findings, offset: number): Findings {
  return {
    ...rest,
    claims: claims.map((claim) => ({ ...claim, citations: claim.citations.map((id) => id + offset) })),
    citations: citations.map((citation) => ({ ...citation, id: citation.id + offset })),
  };
}

function joinClaims(first: DraftClaim, more: readonly DraftClaim[]): DraftClaim {
  return {
    ...first,
    citations: [...new Set([first, ...more].flatMap(({ citations }) => citations))],
    supported: first.supported || more.some(({ supported }) => supported),
  };
}
