export interface TextSearch {
  readonly isEmpty: boolean;
  /** Whether each part of the search is in one of the texts. */
  matches(texts: readonly string[]): boolean;
}

/** Searches for all parts between the spaces of `text`, without regard to upper and lower case and to the width of characters. */
export function createTextSearch(text: string): TextSearch {
  const parts = fold(text)
    .split(/\s+/)
    .filter((part) => part !== "");
  return {
    isEmpty: parts.length === 0,
    matches(texts) {
      const folded = texts.map(fold);
      return parts.every((part) => folded.some((one) => one.includes(part)));
    },
  };
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
