import { type CitedText, readCitedText } from "../../evidence/cited-text.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import type { LongWork } from "../../util/turns.ts";

interface TextView {
  readonly question: string;
  readonly prefixes: readonly string[];
  readonly known: readonly string[];
  readonly evidence: ReadonlyMap<string, Evidence>;
}

/** Reads a cited text and keeps sentences with invented citations as `unverified`. */
export function readMarkedText(markdown: string, { question, prefixes, known, evidence }: TextView): LongWork<CitedText> {
  return readCitedText(markdown, evidence, { prefixes, known: [question], addresses: known, showInvented: true });
}
