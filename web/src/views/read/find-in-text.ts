import type { Span } from "./text-window.ts";

/** More matches of one search are not counted. */
export const MAX_MATCHES = 1_000;
const SLICE = 250_000;
const MAX_QUERY = 200;

/**
 * Returns where the words stand in a text, in order, at most 1,000 places. Case does not count, and any white space matches any other. The text is
 * searched in slices, between which the browser works; linear in the length of the text.
 */
export async function findInText(text: string, words: string, signal: AbortSignal): Promise<Span[]> {
  const pattern = patternOf(words);
  const found: Span[] = [];
  if (pattern === null) return found;
  for (let from = 0; from < text.length && found.length < MAX_MATCHES; from += SLICE) {
    // A match may begin in this slice and end in the next one.
    const slice = text.slice(from, from + SLICE + 4 * MAX_QUERY);
    const last = found.at(-1)?.end ?? 0;
    for (const match of slice.matchAll(pattern)) {
      const start = from + match.index;
      if (match.index >= SLICE || found.length === MAX_MATCHES) break;
      if (start >= last) found.push({ start, end: start + match[0].length });
    }
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
  return found;
}

/** Returns what finds the words in time linear in the text; null if there are none. */
export function patternOf(words: string): RegExp | null {
  const parts = words
    .trim()
    .slice(0, MAX_QUERY)
    .toWellFormed()
    .split(/\s+/)
    .filter((part) => part !== "");
  if (parts.length === 0) return null;
  return new RegExp(parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("\\s{1,20}"), "giu");
}
