import type { Citation, DraftClaim } from "../domain/report.ts";
import { type CitedSentence, readSentences } from "./cited-sentences.ts";
import type { Evidence } from "./evidence.ts";
import { createQuoteLocator } from "./locate-quote.ts";
import { type FaultReason, type Located, type MarkerContext, prefixOf } from "./markers.ts";

/** A marker that does not hold, as the model wrote it, and the sentence that stands on it. */
export interface CitationFault {
  readonly sentence: string;
  readonly marker: string;
  readonly why: FaultReason;
}

export interface CitedText {
  /** Every sentence; one without a citation that holds is not `supported`. */
  readonly claims: readonly DraftClaim[];
  /** Numbered from 1 in the order of first use; one for each place. */
  readonly citations: readonly Citation[];
  readonly faults: readonly CitationFault[];
  /** The text without markers. */
  readonly text: string;
}

/**
 * Reads a Markdown text that cites by id and quote right after (or in) a sentence: `Sentence. [P3: "exact words"]`, in the forms that
 * models give this. A citation stands only where its quote was found in the evidence of that id (see `createQuoteLocator`).
 * `prefixes` begin ids that mean a citation although there is no evidence of that kind. Headings become the `section` of the claims below them; code fences, rules and heads of tables make no claims. Takes linear time.
 */
export function readCitedText(text: string, evidence: ReadonlyMap<string, Evidence>, prefixes: readonly string[] = []): CitedText {
  const context = markerContext(evidence, prefixes);
  const { sentences, text: unmarked } = readSentences(text, context);
  const numbers = new CitationNumbers();
  const claims = sentences.map((sentence) => numbers.claim(sentence));
  const faults = sentences.flatMap((sentence) =>
    sentence.markers.flatMap(({ start, end, faults: why }) =>
      why.map((reason): CitationFault => ({ sentence: sentence.text, marker: text.slice(start, end), why: reason })),
    ),
  );
  return { claims, citations: numbers.citations, faults, text: unmarked };
}

/** How markers are read for this evidence; ids are found in any case. */
export function markerContext(evidence: ReadonlyMap<string, Evidence>, prefixes: readonly string[] = []): MarkerContext {
  const byUpper = new Map([...evidence].map(([id, one]) => [id.toUpperCase(), one]));
  return {
    byId: (id) => evidence.get(id) ?? byUpper.get(id.toUpperCase()),
    locate: createQuoteLocator(),
    prefixes: new Set(["P", ...prefixes, ...Array.from(evidence.keys(), prefixOf)]),
  };
}

/** Numbers places from 1 in the order in which they are first cited. */
export class CitationNumbers {
  readonly #byPlace = new Map<string, Citation>();

  get citations(): Citation[] {
    return [...this.#byPlace.values()];
  }

  claim({ text, section, markers }: CitedSentence): DraftClaim {
    const ids = new Set(markers.flatMap(({ found }) => found.map((located) => this.#number(located))));
    return { text, citations: [...ids], supported: ids.size > 0, section };
  }

  #number({ evidence, start, end }: Located): number {
    const { contentHash, sourceId, text } = evidence;
    const place = `${contentHash} ${start} ${end}`;
    const known = this.#byPlace.get(place);
    if (known !== undefined) return known.id;
    const id = this.#byPlace.size + 1;
    this.#byPlace.set(place, { id, sourceId, contentHash, start, end, quote: text.slice(start, end) });
    return id;
  }
}
