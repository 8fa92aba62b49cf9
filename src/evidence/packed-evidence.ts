import type { Evidence } from "./quote-location.ts";

/** Passages by their ids, with each text once: a thread that gets them would copy the text of a document with each of its passages. */
export interface PackedEvidence {
  readonly texts: ReadonlyMap<string, string>;
  readonly passages: readonly (readonly [id: string, passage: Omit<Evidence, "text">])[];
}

export function packEvidence(evidence: ReadonlyMap<string, Evidence>): PackedEvidence {
  return {
    texts: new Map(Array.from(evidence.values(), ({ contentHash, text }) => [contentHash, text])),
    passages: Array.from(evidence, ([id, { text: _, ...passage }]) => [id, passage] as const),
  };
}

export function unpackEvidence({ texts, passages }: PackedEvidence): Map<string, Evidence> {
  return new Map(passages.map(([id, passage]) => [id, { ...passage, text: texts.get(passage.contentHash) ?? "" }]));
}
