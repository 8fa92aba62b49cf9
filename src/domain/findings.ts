import type { Findings } from "./ports/research-analyst.ts";
import type { Citation, DraftClaim } from "./report.ts";

export const NOTHING_FOUND: Findings = { claims: [], citations: [], reason: null };

/** Claims with their citations, as a draft has them. */
interface Cited {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
}

/** All findings together: a sentence is said once, and a passage has one number, from 1 in the order in which they come. */
export function joinFindings(parts: readonly Findings[]): Findings {
  const moved = parts.map((part, at) =>
    renumber(
      part,
      parts.slice(0, at).reduce((sum, { citations }) => sum + highest(citations), 0),
    ),
  );
  const { claims, citations } = uniteCitations({
    claims: moved.flatMap((part) => part.claims),
    citations: moved.flatMap((part) => part.citations),
  });
  const said = [...Map.groupBy(claims, ({ text }) => text).values()].map(([first, ...more]) => joinClaims(first as DraftClaim, more));
  if (said.length > 0) return { claims: said, citations, reason: null };
  const closest = parts.flatMap((part) => part.closest ?? []);
  return { claims: said, citations, reason: parts.at(-1)?.reason ?? null, ...(closest.length > 0 && { closest }) };
}

/**
 * The same with one number for each passage, from 1 in the order of `citations`: those of the same text and place, or of the same words of
 * a source, are one.
 */
export function uniteCitations({ claims, citations }: Cited): { readonly claims: DraftClaim[]; readonly citations: Citation[] } {
  const known = new Map<string, Citation>();
  const united: Citation[] = [];
  const numbers = new Map<number, number>();
  for (const citation of citations) {
    // A search result's own text is another document than the page it is of; the words are the same ones.
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

/** The numbers of those of `citations` that share a place with one of the findings. */
export function citationsOf(findings: Findings, citations: readonly Citation[]): number[] {
  const shared = (one: Citation): boolean => findings.citations.some((own) => isSame(own, one));
  return citations.filter(shared).map(({ id }) => id);
}

function isSame(own: Citation, one: Citation): boolean {
  if (own.sourceId === one.sourceId && own.quote === one.quote) return true;
  return own.contentHash === one.contentHash && own.start < one.end && one.start < own.end;
}

function renumber({ claims, citations, ...rest }: Findings, by: number): Findings {
  return {
    ...rest,
    claims: claims.map((claim) => ({ ...claim, citations: claim.citations.map((id) => id + by) })),
    citations: citations.map((citation) => ({ ...citation, id: citation.id + by })),
  };
}

function highest(citations: readonly Citation[]): number {
  return Math.max(0, ...citations.map(({ id }) => id));
}

function joinClaims(first: DraftClaim, more: readonly DraftClaim[]): DraftClaim {
  return {
    ...first,
    citations: [...new Set([first, ...more].flatMap(({ citations }) => citations))],
    supported: first.supported || more.some(({ supported }) => supported),
  };
}
