import type { Citation, DraftClaim } from "../domain/report.ts";
import { finish, type LongWork } from "../util/turns.ts";
import { type FaultReason, type Located, type MarkerContext, prefixOf } from "./citation-markers.ts";
import { type CitedSentence, readSentences } from "./cited-sentences.ts";
import { type MissingFigure, missingFigures } from "./figures/check-figures.ts";
import { unfinishedHostStart } from "./host-names.ts";
import { unfinishedStrikeStart } from "./markdown-blocks.ts";
import { createQuoteLocator, type Evidence } from "./quote-location.ts";
import { unknownAddresses } from "./unknown-references.ts";

/** A citation whose quote is not in the evidence, or a figure that no quote of its sentence contains. */
export interface CitationFault {
  readonly sentence: string;
  readonly marker: string;
  readonly why: FaultReason | "figure_not_in_quote";
}

interface CitedText {
  /** All sentences. `supported` means that a quote was found and that the quotes contain all figures of the sentence. */
  readonly claims: readonly DraftClaim[];
  /** One citation for each quoted passage, with ids from 1 in the order of first use. */
  readonly citations: readonly Citation[];
  readonly faults: readonly CitationFault[];
  readonly text: string;
}

/** In UTF-16 code units. The rest of a longer text is not read. */
export const MAX_CITED_TEXT = 100_000;

/**
 * Checks citations such as `Sentence. [P3: "exact words"]`. Each quote must be in the evidence with its id. The quotes of a sentence
 * must contain its figures, except names in `known` and web addresses in `addresses`. Ids may also begin with `prefixes`.
 */
export function* readCitedText(
  whole: string,
  evidence: ReadonlyMap<string, Evidence>,
  prefixes: readonly string[] = [],
  known: readonly string[] = [],
  addresses: readonly string[] = [],
): LongWork<CitedText> {
  const text = whole.length > MAX_CITED_TEXT ? whole.slice(0, MAX_CITED_TEXT).toWellFormed() : whole;
  const { sentences, text: unmarked } = yield* readSentences(text, markerContext(evidence, prefixes));
  const claims = createClaimReader(known, addresses);
  const read: DraftClaim[] = [];
  const faults: CitationFault[] = [];
  for (const sentence of sentences) {
    const { claim, missing } = claims.read(sentence);
    read.push(claim);
    for (const { start, end, faults: why } of sentence.markers)
      for (const reason of why) faults.push({ sentence: sentence.text, marker: text.slice(start, end), why: reason });
    for (const figure of missing) faults.push({ sentence: sentence.text, marker: figure.text, why: "figure_not_in_quote" });
    yield;
  }
  return { claims: read, citations: claims.citations(), faults, text: unmarked };
}

function markerContext(evidence: ReadonlyMap<string, Evidence>, prefixes: readonly string[] = []): MarkerContext {
  const byUpper = new Map([...evidence].map(([id, one]) => [id.toUpperCase(), one]));
  return {
    byId: (id) => evidence.get(id) ?? byUpper.get(id.toUpperCase()),
    locate: createQuoteLocator(),
    prefixes: new Set(["P", ...prefixes, ...Array.from(evidence.keys(), prefixOf)]),
  };
}

function createClaimReader(known: readonly string[], addresses: readonly string[]) {
  const byPlace = new Map<string, Citation>();

  function missingIn(sentence: string, located: readonly Located[]): MissingFigure[] {
    const quotes = [...new Set(located.map(({ evidence, start, end }) => evidence.text.slice(start, end)))];
    const names = [...known, ...new Set(located.flatMap(({ evidence: { title } }) => title ?? []))];
    const unknown = unknownAddresses(sentence, [...quotes, ...names], addresses);
    return [...missingFigures(sentence, quotes, names), ...unknown.map((text): MissingFigure => ({ kind: "name", text }))];
  }

  /** A heading such as "2024" is a part of the claim, so the quotes must contain its numbers. */
  function isSupported(section: string, located: readonly Located[]): boolean {
    return !/[\d〇零一二三四五六七八九十]/.test(section) || !missingIn(section, located).some(({ kind }) => kind === "number");
  }

  function numberOf({ evidence, start, end }: Located): number {
    const { contentHash, sourceId, text } = evidence;
    const place = `${contentHash} ${start} ${end}`;
    const id = byPlace.get(place)?.id ?? byPlace.size + 1;
    byPlace.set(place, { id, sourceId, contentHash, start, end, quote: text.slice(start, end) });
    return id;
  }

  function read({ text, section, markers }: CitedSentence): { readonly claim: DraftClaim; readonly missing: readonly MissingFigure[] } {
    const located = markers.flatMap(({ found }) => found);
    const missing = located.length === 0 ? [] : missingIn(text, located);
    const citations = [...new Set(missing.length > 0 ? [] : located.map(numberOf))];
    const supported = citations.length > 0;
    const checked = { support: supported ? ("quoted" as const) : ("unverified" as const), supported, expression: null };
    const reason = supported ? null : missing.length > 0 ? "amount_not_in_quote" : "no_citation";
    return { claim: { text, citations, ...checked, reason, section: isSupported(section, located) ? section : "" }, missing };
  }

  return { read, citations: (): Citation[] => [...byPlace.values()] };
}

export interface CitedStream {
  push(piece: string): DraftClaim[];
  end(): DraftClaim[];
  readonly citations: readonly Citation[];
}

const MAY_COMPLETE = /[\n\])】）］.!?。！？；;]/;
const MAX_HELD = 16_000;

/** Returns a sentence when the next sentence begins, because citations follow the sentence that they support. */
export function createCitedStream(
  evidence: ReadonlyMap<string, Evidence>,
  known: readonly string[] = [],
  addresses: readonly string[] = [],
): CitedStream {
  const context = markerContext(evidence);
  const claims = createClaimReader(known, addresses);
  let held = "";
  let section = "";
  let readAt = 0;
  let mayComplete = false;
  const take = (final: boolean): DraftClaim[] => {
    const { sentences } = finish(readSentences(held, context, section));
    const until = Math.min(unfinishedStrikeStart(held), unfinishedHostStart(held));
    const complete = final ? sentences : sentences.slice(0, -1).filter(({ end }) => end <= until);
    const last = complete.at(-1);
    held = final ? "" : held.slice(last?.end ?? 0);
    section = last?.section ?? section;
    readAt = held.length + Math.max(1, held.length >> 3);
    mayComplete = MAY_COMPLETE.test(held);
    return complete.map((sentence) => claims.read(sentence).claim);
  };
  return {
    push: (piece) => {
      held += piece;
      mayComplete ||= MAY_COMPLETE.test(piece);
      return mayComplete && held.length >= readAt && held.length <= MAX_HELD ? take(false) : [];
    },
    end: () => (held.length > MAX_HELD ? [] : take(true)),
    get citations() {
      return claims.citations();
    },
  };
}
