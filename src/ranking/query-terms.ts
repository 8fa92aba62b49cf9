import type { WeightedTerm } from "./bm25.ts";
import { normalizeText } from "./normalize-text.ts";
import { toSimplified } from "./simplified.ts";
import { LINKING_CHARACTERS, STOP_TERMS, UNSPACED_STOP_WORDS } from "./stop-words.ts";
import { tokenise } from "./tokenise.ts";

/** Chinese dictionary words; ICU cuts Japanese with the same dictionary. */
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
/** Names of people and places are seldom longer; what is joined beyond that is no word any more. */
const MAX_JOINED_LENGTH = 4;
const IDEOGRAPHS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+/gu;

/**
 * The terms of a question that bear content, each once, in reading order, cut as `tokenise` cuts: without the stop and
 * question words of English, Chinese and Japanese. All terms where nothing else is left; empty only without any term.
 */
export function queryTerms(text: string): string[] {
  const terms = tokenise(withSpacesFor(text, ["gap"])).filter((term) => !STOP_TERMS.has(term));
  return [...new Set(terms.length > 0 ? terms : tokenise(text))];
}

/** Words with joints, of which tokenise gives the whole beside its parts. */
const COMPOUND = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_/][\p{L}\p{N}]+)+/gu;
/** The parts say what the whole says; three votes for "HIV-positive" would be two too many (measured on SciFact and Cranfield). */
const WHOLE_WEIGHT = 0.2;

/** The terms of `queryTerms`, with what each counts: a compound whose parts stand beside it a fifth, anything else 1. */
export function weighQueryTerms(text: string): WeightedTerm[] {
  const compounds = (normalizeText(text).match(COMPOUND) ?? []).map((word) => tokenise(word));
  const wholes = new Set(compounds.flatMap(([whole, ...parts]) => (parts.length > 0 ? [whole] : [])));
  return queryTerms(text).map((term) => ({ term, weight: wholes.has(term) ? WHOLE_WEIGHT : 1 }));
}

/**
 * `text` with a space for each Chinese or Japanese stop word. Taken out before pairs of characters are made, a stop
 * word leaves no pair behind that reaches into its neighbours.
 */
export function withoutUnspacedStopWords(text: string): string {
  return withSpacesFor(text, ["gap", "link"]);
}

function withSpacesFor(text: string, kinds: readonly WordKind[]): string {
  return normalizeText(text).replaceAll(IDEOGRAPHS, (run) =>
    cutWords(run)
      .map(({ word, kind }) => (kinds.includes(kind) ? " " : word))
      .join(""),
  );
}

/**
 * The content words of a question's run of ideographs and kana, as the question spells them, stop words left out. A character that the
 * dictionary leaves alone is taken together with its neighbours, because it is most often a piece of a name.
 */
export function contentWords(run: string): string[] {
  const words: string[] = [];
  let previous: WordKind = "gap";
  for (const { word, kind } of cutWords(run)) {
    const joined = `${words.at(-1) ?? ""}${word}`;
    const meets = previous === "character" || (previous === "word" && kind === "character");
    const isContent = kind === "word" || kind === "character";
    if (isContent && meets && joined.length <= MAX_JOINED_LENGTH) words[words.length - 1] = joined;
    else if (isContent) words.push(word);
    previous = kind;
  }
  return words;
}

/** A gap is a stop word, a link one of a character with which names are written too; a character is a word of one character. */
type WordKind = "gap" | "link" | "word" | "character";

/** Cut in Simplified characters, so that both scripts are cut alike; the words are as `run` spells them. */
function cutWords(run: string): { word: string; kind: WordKind }[] {
  const segments = Array.from(segmenter.segment(toSimplified(run)));
  const kinds = kindsOf(segments.map(({ segment }) => segment));
  return segments.map(({ segment, index }, i) => ({ word: run.slice(index, index + segment.length), kind: kinds[i] ?? "word" }));
}

function kindsOf(segments: readonly string[]): WordKind[] {
  const kinds = segments.map((segment): WordKind => {
    if (LINKING_CHARACTERS.has(segment)) return "link";
    // 它是, 他的
    if (Array.from(segment).every((character) => UNSPACED_STOP_WORDS.has(character))) return "gap";
    return Array.from(segment).length === 1 ? "character" : "word";
  });
  for (const [i] of segments.entries()) {
    // The segmenter cuts some stop words (哪种, 哪一年) in two or three.
    for (const end of [i + 1, i + 2, i + 3]) if (UNSPACED_STOP_WORDS.has(segments.slice(i, end).join(""))) kinds.fill("gap", i, end);
  }
  return kinds.map((kind, i) => {
    // In names such as 吴应龙 and 那英 a link stands between lone characters, or before the first of a phrase.
    const isInName = kinds[i + 1] === "character" && ["character", "gap", undefined].includes(kinds[i - 1]);
    return kind === "link" && isInName ? "character" : kind;
  });
}
