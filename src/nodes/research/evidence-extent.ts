import type { Citation } from "../../domain/report.ts";
import type { Gathered } from "./state.ts";

type Evidence = Pick<Gathered, "findings" | "read">;

/**
 * Counts the documents that were read, the places in them that notes quote, and the notes that quote nothing. It grows only with what is
 * new: the same document, or another quote of the same words, adds nothing.
 */
export function extentOf(gathered: readonly Evidence[]): number {
  const documents = countRead(gathered.flatMap(({ read }) => read));
  const uncited = new Set(
    gathered.flatMap(({ findings }) => findings.claims.filter(({ citations }) => citations.length === 0).map(({ text }) => text)),
  );
  return documents + uncited.size + countPlaces(gathered.flatMap(({ findings }) => findings.citations));
}

/** Counts the texts that were read, each once. */
export function countRead(read: Gathered["read"]): number {
  return new Set(read.flatMap(({ contentHash }) => contentHash ?? [])).size;
}

/** Returns the greatest number of quotes of which no two overlap. */
function countPlaces(citations: readonly Citation[]): number {
  const ends = new Map<string, number>();
  let places = 0;
  for (const { contentHash, start, end } of citations.toSorted((a, b) => a.end - b.end)) {
    if (start < (ends.get(contentHash) ?? 0)) continue;
    ends.set(contentHash, end);
    places += 1;
  }
  return places;
}
