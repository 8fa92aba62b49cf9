import type { Citation, DraftClaim } from "../domain/report.ts";
import { type FaultReason, type Located, type MarkerContext, prefixOf } from "./citation-markers.ts";
import { type CitedSentence, readSentences } from "./cited-sentences.ts";
import { type MissingFigure, missingFigures } from "./figures/check-figures.ts";
import { openHost } from "./host-names.ts";
import { openStruck } from "./markdown-blocks.ts";
import { createQuoteLocator, type Evidence } from "./quote-location.ts";
import { unknownAddresses } from "./unknown-references.ts";

/** A marker that does not hold, as the model wrote it, and the sentence that stands on it; or what the sentence says and its quotes do not. */
export interface CitationFault {
  readonly sentence: string;
  readonly marker: string;
  readonly why: FaultReason | "figure_not_in_quote";
}

interface CitedText {
  /** Every sentence; one without a citation that holds is not `supported`, nor one that says more than its quotes, which then has none. */
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
 * `prefixes` begin ids that mean a citation although there is no evidence of that kind. Numbers, dates
 * and names with digits (GPT-4) of a sentence must stand in its quotes; names may stand in `known`, such as the question, or in the title of the evidence;
 * an address must be one of `addresses`, or stand there as well. Headings become the `section` of the claims below them; code fences, rules and heads of tables make no claims. Takes linear time.
 */
export function readCitedText(
  text: string,
  evidence: ReadonlyMap<string, Evidence>,
  prefixes: readonly string[] = [],
  known: readonly string[] = [],
  addresses: readonly string[] = [],
): CitedText {
  const context = markerContext(evidence, prefixes);
  const { sentences, text: unmarked } = readSentences(text, context);
  const numbers = new CitationNumbers(known, addresses);
  const read = sentences.map((sentence) => numbers.read(sentence));
  const faults = sentences.flatMap((sentence, i) => [
    ...sentence.markers.flatMap(({ start, end, faults: why }) =>
      why.map((reason): CitationFault => ({ sentence: sentence.text, marker: text.slice(start, end), why: reason })),
    ),
    ...(read[i]?.missing ?? []).map(
      (missing): CitationFault => ({ sentence: sentence.text, marker: missing.text, why: "figure_not_in_quote" }),
    ),
  ]);
  return { claims: read.map(({ claim }) => claim), citations: numbers.citations, faults, text: unmarked };
}

/** How markers are read for this evidence; ids are found in any case. */
function markerContext(evidence: ReadonlyMap<string, Evidence>, prefixes: readonly string[] = []): MarkerContext {
  const byUpper = new Map([...evidence].map(([id, one]) => [id.toUpperCase(), one]));
  return {
    byId: (id) => evidence.get(id) ?? byUpper.get(id.toUpperCase()),
    locate: createQuoteLocator(),
    prefixes: new Set(["P", ...prefixes, ...Array.from(evidence.keys(), prefixOf)]),
  };
}

/** Numbers places from 1 in the order in which they are first cited. */
class CitationNumbers {
  readonly #known: readonly string[];
  readonly #addresses: readonly string[];
  readonly #byPlace = new Map<string, Citation>();

  get citations(): Citation[] {
    return [...this.#byPlace.values()];
  }

  constructor(known: readonly string[] = [], addresses: readonly string[] = []) {
    this.#known = known;
    this.#addresses = addresses;
  }

  /** A sentence with the numbers of its citations; without any where it says something that they do not. */
  read({ text, section, markers }: CitedSentence): { readonly claim: DraftClaim; readonly missing: readonly MissingFigure[] } {
    const located = markers.flatMap(({ found }) => found);
    const missing = located.length === 0 ? [] : this.#missing(text, located);
    const ids = new Set(missing.length > 0 ? [] : located.map((one) => this.#number(one)));
    return {
      claim: { text, citations: [...ids], supported: ids.size > 0, section: this.#holds(section, located) ? section : "" },
      missing,
    };
  }

  /** A heading that states a figure states it of the sentences below. */
  #holds(section: string, located: readonly Located[]): boolean {
    return !/[\d〇零一二三四五六七八九十]/.test(section) || !this.#missing(section, located).some(({ kind }) => kind === "number");
  }

  #missing(sentence: string, located: readonly Located[]): MissingFigure[] {
    const quotes = new Set(located.map(({ evidence, start, end }) => evidence.text.slice(start, end)));
    const titles = new Set(located.flatMap(({ evidence: { title } }) => (title === undefined ? [] : [title])));
    const known = [...this.#known, ...titles];
    const places = unknownAddresses(sentence, [...quotes, ...known], this.#addresses);
    return [...missingFigures(sentence, [...quotes], known), ...places.map((text): MissingFigure => ({ kind: "name", text }))];
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

/** A text as `readCitedText` reads it, while it arrives. */
export interface CitedStream {
  /** The sentences that have become complete with `piece`, with what they cite; those that do not hold are not `supported`. */
  push(piece: string): DraftClaim[];
  /** The rest. */
  end(): DraftClaim[];
  /** All citations so far, numbered from 1. */
  readonly citations: readonly Citation[];
}

/** Nothing can end a sentence or a marker but these. */
const MAY_COMPLETE = /[\n\])】）］.!?。！？；;]/;
/** What has not become a sentence by then never will; nothing more is shown of such a text before its end. */
const MAX_HELD = 32_000;

/** A sentence is complete when the next one has begun, because its markers stand behind it. */
export function createCitedStream(
  evidence: ReadonlyMap<string, Evidence>,
  known: readonly string[] = [],
  addresses: readonly string[] = [],
): CitedStream {
  const context = markerContext(evidence);
  const numbers = new CitationNumbers(known, addresses);
  let held = "";
  let section = "";
  /** Below it a look at `held` is not worth its time. */
  let lookAt = 0;
  const take = (final: boolean): DraftClaim[] => {
    const { sentences } = readSentences(held, context, section);
    const until = Math.min(openStruck(held), openHost(held));
    const complete = final ? sentences : sentences.slice(0, -1).filter(({ end }) => end <= until);
    const last = complete.at(-1);
    held = final ? "" : held.slice(last?.end ?? 0);
    section = last?.section ?? section;
    lookAt = held.length + Math.max(1, held.length >> 3);
    return complete.map((sentence) => numbers.read(sentence).claim);
  };
  return {
    push: (piece) => {
      held += piece;
      if (held.length > MAX_HELD || held.length < lookAt || !MAY_COMPLETE.test(held)) return [];
      return take(false);
    },
    end: () => (held.length > MAX_HELD ? [] : take(true)),
    get citations() {
      return numbers.citations;
    },
  };
}
