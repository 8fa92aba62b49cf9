import { CELL_SEPARATOR } from "../../domain/blocks.ts";
import type { Located, Marker } from "../citation-markers.ts";
import type { CitedBlock } from "../cited-blocks.ts";
import type { CitedSentence } from "../cited-sentences.ts";
import { isFalse, type Judgement, judgeClaim, type Known } from "./judge.ts";
import type { QuotedPlace } from "./quote-texts.ts";
import type { SummedBlock, SummedSentence } from "./report-sums.ts";

export interface JudgedSentence extends SummedSentence {
  readonly sentence: CitedSentence;
  readonly located: readonly Located[];
}

export interface JudgedBlock extends SummedBlock<JudgedSentence> {
  readonly block: CitedBlock;
}

const MAX_WORDS = 120;

/** Judges the sentences of a block that cite something. `strikes` tells whether false sentences are taken out, and not shown with their reason. */
export function judgeCited(block: CitedBlock, known: Known, strikes: boolean): JudgedBlock {
  const head = block.kind === "table" ? block.head : undefined;
  const sentences: JudgedSentence[] = [];
  for (const paragraph of paragraphsIn(block)) {
    let followsStruck = false;
    for (const sentence of paragraph) {
      const located = sentence.markers.flatMap(({ found }) => found);
      const places = located.map(placeOf);
      const { text, written } = sentence;
      const judgement = judgeMarkers(sentence, places, head, known);
      sentences.push({ sentence, text, written, head, located, places, judgement, followsStruck });
      // The next sentences without citation may be about what the one that is taken out was about.
      if (judgement !== null) followsStruck = strikes && judgement.why !== null && isFalse(judgement.why);
    }
  }
  const label = "markers" in block ? inventedIn(block.markers) : null;
  return { block, level: block.kind === "heading" ? block.level : null, words: wordsOf(block), sentences, label };
}

function placeOf({ evidence: { text, contentHash, title }, start, end, written }: Located): QuotedPlace {
  return { text, contentHash, title, start, end, written };
}

function wordsOf(block: CitedBlock): string | null {
  if (block.kind === "table") return block.head.join(CELL_SEPARATOR);
  return block.kind === "heading" ? block.text : null;
}

/** Returns the sentences of each paragraph, item or row. */
function paragraphsIn(block: CitedBlock): readonly (readonly CitedSentence[])[] {
  if (block.kind === "heading" || block.kind === "code") return [];
  if (block.kind === "table") return block.sentences.map((row) => [row]);
  return block.kind === "list" ? block.items.map(({ sentences }) => sentences) : [block.sentences];
}

/** Judges a sentence by its citations. Returns null if it has none. */
function judgeMarkers(
  { text, written, markers }: CitedSentence,
  places: readonly QuotedPlace[],
  head: readonly string[] | undefined,
  known: Known,
): Judgement | null {
  const invented = inventedIn(markers);
  if (places.length === 0) {
    const unquoted = markers.some(({ faults }) => faults.length > 0);
    return invented ?? (unquoted ? { support: "unverified", why: { reason: "no_quote", words: "" }, expression: null } : null);
  }
  const expressions = markers.flatMap(({ expression }) => expression ?? []);
  const judgement = judgeClaim({ text, written, head, expressions }, places, known);
  // A sentence stays if its other quotes say it in its words, or if its value is calculated from them.
  const isSure = judgement.support === "quoted" || judgement.support === "computed" || (judgement.why !== null && isFalse(judgement.why));
  return isSure || invented?.why?.reason === "quote_too_short" ? judgement : (invented ?? judgement);
}

function inventedIn(markers: readonly Marker[]): Judgement | null {
  const found = markers.flatMap(({ faults, written }) =>
    faults.filter((fault) => fault !== "no_quote").map((reason) => ({ reason, words: written.slice(0, MAX_WORDS).toWellFormed() })),
  );
  // A short quote stands in the document, so it hides no invented one.
  const why = found.find(({ reason }) => reason !== "quote_too_short") ?? found[0];
  return why === undefined ? null : { support: "unverified", why, expression: null };
}
