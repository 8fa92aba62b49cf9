import type { WeightedTerm } from "./bm25.ts";
import { joinNames } from "./names-of-stop-words.ts";
import { LINKING_WORDS, STOP_TERMS, UNSPACED_STOP_WORDS } from "./stop-words.ts";
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
  const terms = tokenise(withoutUnspacedStopWords(text)).filter((term) => !STOP_TERMS.has(term));
  return [...new Set(terms.length > 0 ? terms : tokenise(text))];
}

/** Words with joints, of which tokenise gives the whole beside its parts. */
const COMPOUND = /[\p{L}\p{N}]+(?:[-_/][\p{L}\p{N}]+)+/gu;
/** The parts say what the whole says; three votes for "HIV-positive" would be two too many (measured on SciFact and Cranfield). */
const WHOLE_WEIGHT = 0.2;

/** The terms of `queryTerms`, with what each counts: a compound whose parts stand beside it a fifth, anything else 1. */
export function weighQueryTerms(text: string): WeightedTerm[] {
  const compounds = (text.normalize("NFKC").match(COMPOUND) ?? []).map((word) => tokenise(word));
  const wholes = new Set(compounds.flatMap(([whole, ...parts]) => (parts.length > 0 ? [whole] : [])));
  return queryTerms(text).map((term) => ({ term, weight: wholes.has(term) ? WHOLE_WEIGHT : 1 }));
}

/**
 * `text` with a space for each Chinese or Japanese stop word. Taken out before pairs of characters are made, a stop
 * word leaves no pair behind that reaches into its neighbours.
 */
export function withoutUnspacedStopWords(text: string): string {
  return text.normalize("NFKC").replaceAll(IDEOGRAPHS, (run) =>
    cutWords(run)
      .map(({ word, kind }) => (kind === "gap" ? " " : word))
      .join(""),
  );
}

/**
 * The content words of a question's run of ideographs and kana, stop words left out. A character that the dictionary
 * leaves alone is taken together with its neighbours, because it is most often a piece of a name.
 */
export function contentWords(run: string): string[] {
  const words: string[] = [];
  let previous: WordKind = "gap";
  for (const { word, kind } of cutWords(run)) {
    const joined = `${words.at(-1) ?? ""}${word}`;
    const meets = (previous === "character" && kind !== "name") || (previous === "word" && kind === "character");
    if (kind !== "gap" && meets && joined.length <= MAX_JOINED_LENGTH) words[words.length - 1] = joined;
    else if (kind !== "gap") words.push(word);
    previous = kind;
  }
  return words;
}

/** What bears no content is a gap between words; a character that stands alone is most often a piece of a name; nothing joins a name. */
type WordKind = "gap" | "word" | "character" | "name";

function cutWords(run: string): { word: string; kind: WordKind }[] {
  const { words, names } = joinNames(Array.from(segmenter.segment(run), ({ segment }) => segment));
  let previous: WordKind | null = null;
  return words.map((word, i) => {
    const next = words[i + 1];
    const links = LINKING_WORDS.has(word) && (previous === "word" || (next !== undefined && UNSPACED_STOP_WORDS.has(next)));
    const gap = links || UNSPACED_STOP_WORDS.has(word);
    const kind: WordKind = names.has(i) ? "name" : gap ? "gap" : Array.from(word).length === 1 ? "character" : "word";
    previous = kind;
    return { word, kind };
  });
}
