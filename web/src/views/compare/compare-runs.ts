import type { Citation, Claim, Source } from "../../../../src/domain/report.ts";

export interface PlacedClaim {
  readonly claim: Claim;
  /** Its place in the report, counted from 0. */
  readonly index: number;
}

/** `words`: the same text but for white space and case. `place`: other words, but quotes of an overlapping place of the same document. */
export type Likeness = "words" | "place";

export interface SharedClaim {
  readonly left: PlacedClaim;
  readonly right: PlacedClaim;
  readonly by: Likeness;
}

export interface Comparison {
  readonly both: readonly SharedClaim[];
  readonly left: readonly PlacedClaim[];
  readonly right: readonly PlacedClaim[];
}

interface Compared {
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
}

/** Pairs the sentences of two reports, each at most once, in the order of the left one. Whether they mean the same is for the reader to say. */
export function compareClaims(left: Compared, right: Compared): Comparison {
  const matches = new Map<number, { readonly index: number; readonly by: Likeness }>();
  const taken = new Set<number>();
  const match = (index: number, other: number | undefined, by: Likeness): void => {
    if (other === undefined || matches.has(index)) return;
    matches.set(index, { index: other, by });
    taken.add(other);
  };
  const byWords = groupBy(right.claims, ({ text }) => [foldWords(text)]);
  for (const [index, { text }] of left.claims.entries()) {
    match(
      index,
      byWords.get(foldWords(text))?.find((one) => !taken.has(one)),
      "words",
    );
  }
  const [leftPlaces, rightPlaces] = [placesOf(left), placesOf(right)];
  const byDocument = groupBy(rightPlaces, (places) => places.map(({ contentHash }) => contentHash));
  for (const [index, places] of leftPlaces.entries()) {
    if (matches.has(index)) continue;
    const candidates = new Set(places.flatMap(({ contentHash }) => byDocument.get(contentHash) ?? []));
    const found = [...candidates]
      .sort((one, other) => one - other)
      .find((one) => !taken.has(one) && overlap(places, rightPlaces[one] ?? []));
    match(index, found, "place");
  }
  const place = (claims: readonly Claim[]): PlacedClaim[] => claims.map((claim, index) => ({ claim, index }));
  const placed = { left: place(left.claims), right: place(right.claims) };
  return {
    both: placed.left.flatMap((one) => {
      const matched = matches.get(one.index);
      const other = matched === undefined ? undefined : placed.right[matched.index];
      return matched === undefined || other === undefined ? [] : [{ left: one, right: other, by: matched.by }];
    }),
    left: placed.left.filter(({ index }) => !matches.has(index)),
    right: placed.right.filter(({ index }) => !taken.has(index)),
  };
}

function foldWords(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

function placesOf({ claims, citations }: Compared): (readonly Citation[])[] {
  const known = new Map(citations.map((citation) => [citation.id, citation]));
  return claims.map((claim) => claim.citations.flatMap((id) => known.get(id) ?? []));
}

function overlap(some: readonly Citation[], others: readonly Citation[]): boolean {
  return some.some((one) =>
    others.some((other) => one.contentHash === other.contentHash && one.start < other.end && other.start < one.end),
  );
}

function groupBy<T>(entries: readonly T[], keysOf: (entry: T) => readonly string[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, entry] of entries.entries()) {
    for (const key of keysOf(entry)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [index]);
      else group.push(index);
    }
  }
  return groups;
}

export interface SourceComparison {
  readonly both: readonly Source[];
  readonly left: readonly Source[];
  readonly right: readonly Source[];
}

/** Sources are the same if their address or their text is. */
export function compareSources(left: readonly Source[], right: readonly Source[]): SourceComparison {
  const [inLeft, inRight] = [keysOf(left), keysOf(right)];
  const isIn = (keys: ReadonlySet<string>, source: Source): boolean => sourceKeys(source).some((key) => keys.has(key));
  return {
    both: left.filter((source) => isIn(inRight, source)),
    left: left.filter((source) => !isIn(inRight, source)),
    right: right.filter((source) => !isIn(inLeft, source)),
  };
}

function keysOf(sources: readonly Source[]): ReadonlySet<string> {
  return new Set(sources.flatMap(sourceKeys));
}

function sourceKeys({ url, contentHash }: Source): string[] {
  return [`address ${url.replace(/#.*$/, "").replace(/\/$/, "")}`, ...(contentHash === null ? [] : [`text ${contentHash}`])];
}
