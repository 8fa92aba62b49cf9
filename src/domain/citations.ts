import { SUPPORT_KINDS, type SupportKind, supportKind } from "../util/support-kinds.ts";
import { arrangeBySection, keepSentences, unlessAllStruck } from "./blocks.ts";
import { type Block as DocumentBlock, placeOfSpan } from "./document.ts";
import type { Draft, Findings } from "./ports/analyst.ts";
import {
  type Citation,
  type Coverage,
  type DraftClaim,
  isChecked,
  MAX_CLOSEST,
  type Passage,
  type Support,
  SupportSchema,
} from "./report.ts";
import type { UnsupportedSentencePolicy } from "./task.ts";

export function citationHolds({ start, end, quote }: Passage, text: string | undefined): boolean {
  return end > start && text?.slice(start, end) === quote;
}

interface PlacedText {
  readonly contentHash: string;
  readonly blocks?: readonly DocumentBlock[];
}

/** Returns the passages with their places in the files of the documents. */
export function withPlaces<P extends Passage>(passages: readonly P[], documents: Iterable<PlacedText>): P[] {
  const byHash = new Map(Array.from(documents, ({ contentHash, blocks = [] }) => [contentHash, blocks]));
  return passages.map((passage) => {
    const place = placeOfSpan(byHash.get(passage.contentHash) ?? [], passage);
    return place === undefined ? passage : { ...passage, place };
  });
}

export function verifiedPassages(passages: readonly Passage[], textOf: (contentHash: string) => string | undefined): Passage[] {
  const valid = passages.filter((passage) => citationHolds(passage, textOf(passage.contentHash)));
  return valid.slice(0, MAX_CLOSEST).map(({ sourceId, contentHash, start, end, quote }) => ({ sourceId, contentHash, start, end, quote }));
}

export type Written = Pick<Draft, "claims" | "citations" | "blocks" | "struck">;

/**
 * Drops citations whose quote is not in the text, and renumbers the rest in the order of first use. A sentence that loses a citation is
 * `unverified`. `strike` moves all `unverified` sentences to `struck`.
 */
export function verifyClaims(
  { claims, citations, blocks = arrangeBySection(claims), struck = [] }: Written,
  textOf: (contentHash: string) => string | undefined,
  unsupported: UnsupportedSentencePolicy = "show",
) {
  const holding = new Set(citations.filter((citation) => citationHolds(citation, textOf(citation.contentHash))).map(({ id }) => id));
  const checked = claims.map((claim) => withHolding(claim, holding));
  const isShown = ({ support }: DraftClaim): boolean => unsupported === "show" || support !== "unverified";
  const { claims: shown, blocks: kept } = keepSentences({ claims: checked, blocks }, isShown, (claim) => claim?.reason ?? "no_citation");
  const numbers = new Map([...new Set(shown.flatMap(({ citations: ids }) => ids))].map((id, index) => [id, index + 1]));
  const removed = checked.filter((claim) => !isShown(claim)).map(({ text, reason }) => ({ text, reason: reason ?? "no_citation" }));
  const allStruck = [...struck, ...removed];
  return {
    claims: shown.map((claim) => ({ ...claim, citations: claim.citations.flatMap((id) => numbers.get(id) ?? []) })),
    citations: renumbered(citations, numbers),
    blocks: unlessAllStruck(kept),
    struck: allStruck,
    coverage: coverageOf(shown, allStruck.length),
  };
}

function withHolding(claim: DraftClaim, holding: ReadonlySet<number>): DraftClaim {
  const citations = claim.citations.filter((id) => holding.has(id));
  if (citations.length === claim.citations.length) return claim;
  return { ...claim, citations, ...unverified("quote_not_found") };
}

export function unverified(reason: string): Pick<DraftClaim, "support" | "supported" | "reason" | "expression"> {
  return { support: "unverified", supported: false, reason, expression: null };
}

function renumbered(citations: readonly Citation[], numbers: ReadonlyMap<number, number>): Citation[] {
  const used = citations.flatMap((citation) => {
    const id = numbers.get(citation.id);
    return id === undefined ? [] : [{ ...citation, id }];
  });
  return used.sort((a, b) => a.id - b.id);
}

export function coverageOf(shown: readonly Pick<DraftClaim, "support" | "supported">[], removed: number): Coverage {
  const count = (isCounted: (claim: Pick<DraftClaim, "support" | "supported">) => boolean): number => shown.filter(isCounted).length;
  const kinds = SUPPORT_KINDS.map((kind) => [kind, count((claim) => supportKind(claim) === kind)]);
  const supports = SupportSchema.options.map((support) => [support, count((claim) => claim.support === support)]);
  const supported = count((claim) => claim.supported);
  return {
    sentences: shown.length,
    ...(Object.fromEntries(kinds) as Record<SupportKind, number>),
    removed,
    supported,
    unsupported: shown.length - supported,
    ...(removed > 0 && { struck: removed }),
    bySupport: Object.fromEntries(supports) as Record<Support, number>,
  };
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

/** Adds `offset` to the ids of the citations. */
export function renumber({ claims, citations, ...rest }: Findings, offset: number): Findings {
  return {
    ...rest,
    claims: claims.map((claim) => ({ ...claim, citations: claim.citations.map((id) => id + offset) })),
    citations: citations.map((citation) => ({ ...citation, id: citation.id + offset })),
  };
}

function joinClaims(first: DraftClaim, more: readonly DraftClaim[]): DraftClaim {
  const best = [first, ...more].find(isChecked) ?? first;
  return { ...best, citations: [...new Set([first, ...more].flatMap(({ citations }) => citations))] };
}
