import type { SentWords } from "../../../../src/domain/estimate.ts";

/** Bounds of the server; characters are UTF-16 code units. */
export const MAX_QUERIES = 6;
export const MAX_QUERY = 500;

interface Queries {
  readonly graph: string;
  /** As typed. */
  readonly queries: string | null;
}

/** What the user wants to be searched for, one text a line. Null: the words of the question, or what a model writes. Other graphs take none. */
export function queriesOf({ graph, queries }: Queries): string[] | null {
  if (graph !== "executor" || queries === null) return null;
  return queries
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Nothing may be asked with a fault: the sources would be sent other words than the user wants. */
export function queriesFault(options: Queries): "none" | "tooMany" | "tooLong" | null {
  const queries = queriesOf(options);
  if (queries === null) return null;
  if (queries.length === 0) return "none";
  if (queries.length > MAX_QUERIES) return "tooMany";
  return queries.some(({ length }) => length > MAX_QUERY) ? "tooLong" : null;
}

export interface SentGroup {
  readonly sources: readonly string[];
  readonly words: readonly string[];
}

/** Sources that are sent the same words, in the order of the first of them. */
export function groupSent(sent: readonly SentWords[]): SentGroup[] {
  const bySource = [...Map.groupBy(sent, ({ source }) => source)].map(([source, all]) => ({
    source,
    words: [...new Set(all.map(({ words }) => words))],
  }));
  return [...Map.groupBy(bySource, ({ words }) => words.join("\n")).values()].map((group) => ({
    sources: group.map(({ source }) => source),
    words: group[0]?.words ?? [],
  }));
}

/** The words that most sources would be sent, as the text of the field: a source may take a part of them, or the whole question. */
export function linesOf(sent: readonly SentWords[]): string {
  const [most] = groupSent(sent).toSorted((one, other) => other.sources.length - one.sources.length);
  return (most?.words ?? []).slice(0, MAX_QUERIES).join("\n");
}
