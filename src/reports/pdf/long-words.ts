import type { FontRun } from "./typesetter.ts";

/** A stretch without a place where lines may be broken: no blank, hyphen, slash or ideograph. Without surrogates, which may not be parted. */
const UNBROKEN = String.raw`[^\s\-/\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\ud800-\udfff]`;

export type BrokenRun = FontRun & { readonly wordBreak?: "break-all" };

/**
 * Marks words of `longest` letters and more, such as addresses and hashes, to be broken anywhere. Else they make columns wider than
 * the page, and the layout measures their rest once for each letter.
 */
export function breakLongWords(runs: readonly FontRun[], longest: number): BrokenRun[] {
  const long = new RegExp(`(${UNBROKEN}{${longest},})`);
  return runs.flatMap(({ text, font }) =>
    text
      .split(long)
      .map((part, index) => (index % 2 === 0 ? { text: part, font } : { text: part, font, wordBreak: "break-all" as const }))
      .filter((run) => run.text !== ""),
  );
}
