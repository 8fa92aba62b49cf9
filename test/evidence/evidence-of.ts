import type { Evidence } from "../../src/evidence/quote-location.ts";

/** Returns the evidence of one whole text. */
export function evidenceOf(text: string, id = "P1"): Evidence {
  return { id, sourceId: `S-${id}`, contentHash: `h-${id}`, text, start: 0, end: text.length };
}

/** Returns these texts as the passages P1, P2 and so on. */
export function passages(...texts: readonly string[]): Map<string, Evidence> {
  return new Map(texts.map((text, i) => [`P${i + 1}`, evidenceOf(text, `P${i + 1}`)]));
}
