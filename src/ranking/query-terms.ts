import { requestWordsOf, words } from "./request-words.ts";
import type { WeightedTerm } from "./scoring.ts";
import { STOP_TERMS, stopTermsFor, unspacedStopWord } from "./stop-words.ts";
import { normalizeText, tokenize, toSimplified } from "./tokenize.ts";

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
const MAX_JOINED_LENGTH = 4;
const IDEOGRAPHS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+/gu;

/** Returns the distinct terms of a question without stop words, or all its terms if they are all stop words. */
export function queryTerms(text: string): string[] {
  const stopTerms = stopTermsFor(text);
  const terms = tokenize(withSpacesFor(text, ["gap"])).filter((term) => !stopTerms.has(term));
  return [...new Set(terms.length > 0 ? terms : tokenize(text))];
}

/** Whether a text has a term that is no stop word. */
export function hasContentTerms(text: string): boolean {
  const stopTerms = stopTermsFor(text);
  return tokenize(withSpacesFor(text, ["gap"])).some((term) => !stopTerms.has(term));
}

const COMPOUND = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]+(?:[-_/][\p{L}\p{M}\p{N}]+)+/gu;
const WHOLE_WEIGHT = 0.2;

/** A compound such as `last-event-id` weighs 0.2, because its parts are terms too. All other terms weigh 1. */
export function weighQueryTerms(text: string): WeightedTerm[] {
  const compounds = (normalizeText(text).match(COMPOUND) ?? []).map((word) => tokenize(word));
  const wholes = new Set(compounds.flatMap(([whole, ...parts]) => (parts.length > 0 ? [whole] : [])));
  return queryTerms(text).map((term) => ({ term, weight: wholes.has(term) ? WHOLE_WEIGHT : 1 }));
}

/** Replaces Chinese and Japanese words of these kinds with a space, so that `tokenize` builds no character pair across them. */
function withSpacesFor(text: string, kinds: readonly WordKind[]): string {
  const normalized = normalizeText(text);
  const runs = cutRuns(normalized.match(IDEOGRAPHS) ?? []).values();
  return normalized.replaceAll(IDEOGRAPHS, () => spaced(runs.next().value ?? [], kinds));
}

function spaced(words: readonly Word[], kinds: readonly WordKind[]): string {
  return words.map(({ word, kind }) => (kinds.includes(kind) ? " " : word)).join("");
}

/** Returns the words of Chinese or Japanese text except stop words. Joins single characters, which are often parts of a name. */
export function contentWords(run: string): string[] {
  const words: string[] = [];
  let previous: WordKind = "gap";
  for (const { word, kind } of cutRuns([run])[0] ?? []) {
    // The segmenter does not know names such as 华为, which ends with a linking word.
    const endsWord = kind === "link" && previous === "character" && words.at(-1)?.length === 1;
    const joined = `${words.at(-1) ?? ""}${word}`;
    const meets = previous === "character" || (previous === "word" && kind === "character");
    const isContent = kind === "word" || kind === "character" || endsWord;
    if (isContent && meets && joined.length <= MAX_JOINED_LENGTH) words[words.length - 1] = joined;
    else if (isContent) words.push(word);
    previous = kind;
  }
  return words;
}

/** `gap`: a stop word. `link`: a linking word such as 并 (and). `character`: another word of one character. `word`: a longer word. */
type WordKind = "gap" | "link" | "word" | "character";

interface Word {
  readonly word: string;
  readonly kind: WordKind;
}

/** Returns the words of each run. Segments all runs at once, because each call of the segmenter takes tens of microseconds. */
function cutRuns(runs: readonly string[]): Word[][] {
  const joined = runs.join("\n");
  const cut: { words: string[]; segments: string[] }[] = [{ words: [], segments: [] }];
  for (const { segment, index } of segmenter.segment(toSimplified(joined))) {
    if (segment === "\n") cut.push({ words: [], segments: [] });
    else {
      cut.at(-1)?.segments.push(segment);
      cut.at(-1)?.words.push(joined.slice(index, index + segment.length));
    }
  }
  return cut.map(({ words, segments }) => {
    const kinds = kindsOf(segments);
    return words.map((word, i) => ({ word, kind: kinds[i] ?? "word" }));
  });
}

function kindsOf(segments: readonly string[]): WordKind[] {
  const kinds = segments.map((segment): WordKind => {
    const stop = unspacedStopWord(segment);
    if (stop !== null) return stop;
    return Array.from(segment).length === 1 ? "character" : "word";
  });
  for (const [i] of segments.entries()) {
    // The segmenter splits some stop words, such as 哪种 and 哪一年.
    for (const end of [i + 1, i + 2, i + 3]) if (unspacedStopWord(segments.slice(i, end).join("")) === "gap") kinds.fill("gap", i, end);
  }
  return kinds.map((kind, i) => {
    // A linking word before a single character may be part of a name, such as 应 in 吴应龙.
    const isInName = kinds[i + 1] === "character" && ["character", "gap", undefined].includes(kinds[i - 1]);
    return kind === "link" && isInName ? "character" : kind;
  });
}

const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー`;
const RUN = new RegExp(String.raw`[${UNSPACED}]+|[\p{L}\p{N}][[\p{L}\p{N}\p{M}'’._+#&\/\-]--[${UNSPACED}]]*`, "gv");
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "v");

const LAST_PUNCTUATION = /[^\p{L}\p{N}\p{M}+#]+$/u;

/** Returns every word in its order. A run of Chinese or Japanese text is one word. */
export function plainWords(text: string): string[] {
  return (normalizeText(text).match(RUN) ?? []).map((run) => run.replace(LAST_PUNCTUATION, ""));
}

interface QuestionWord {
  /** A word, or a piece of Chinese or Japanese text between stop words. */
  readonly word: string;
  readonly isContent: boolean;
}

/**
 * The segmenter cuts a word that it does not know into single characters, such as 产能 (capacity) into 产 and 能 (can). So a linking word after
 * a single character is kept as part of its word. Where it is none, as in 铁会生锈, a search engine reads the whole just as well.
 */
function keepUnknownWords(words: readonly Word[]): Word[] {
  return words.map(({ word, kind }, i) => {
    const endsWord = kind === "link" && words[i - 1]?.kind === "character" && words[i + 1]?.kind !== "link";
    return { word, kind: endsWord ? "character" : kind };
  });
}

/** Whether a word is a stop word of English, or of a language with a script of its own. */
export function isStopWord(word: string): boolean {
  return tokenize(word).every((term) => STOP_TERMS.has(term));
}

/** Returns the words of a question in their order, and whether it is a request for a text, such as "write a report". */
function readWords(question: string): { readonly words: readonly QuestionWord[]; readonly isRequest: boolean } {
  const runs = normalizeText(question).match(RUN) ?? [];
  const cut = cutRuns(runs.filter((run) => UNSPACED_START.test(run)));
  const all = [...runs.filter((run) => !UNSPACED_START.test(run)), ...cut.flat().map(({ word }) => word)];
  const isOfRequest = requestWordsOf(all);
  const stopTerms = stopTermsFor(question);
  const unspaced = cut
    .map((own) => keepUnknownWords(own.map(({ word, kind }) => ({ word, kind: isOfRequest(word) ? "gap" : kind }))))
    .values();
  const found = runs.flatMap((run): QuestionWord[] => {
    if (UNSPACED_START.test(run)) {
      return words(spaced(unspaced.next().value ?? [], ["gap", "link"])).map((word) => ({ word, isContent: true }));
    }
    const word = run.replace(LAST_PUNCTUATION, "");
    return [{ word, isContent: !isOfRequest(word) && tokenize(word).some((term) => !stopTerms.has(term)) }];
  });
  return { words: found, isRequest: all.some(isOfRequest) };
}

/** Whether all words of a question only ask for a text, as in "Summarize this". */
export function isBareRequest(question: string): boolean {
  const { words, isRequest } = readWords(question);
  return isRequest && !words.some(({ isContent }) => isContent);
}

/** Whether a question asks for a text, such as "write a report", so that it is no question to send to a search engine. */
export function isRequest(question: string): boolean {
  return readWords(question).isRequest;
}

/**
 * Returns the distinct words of a question without stop words and words that ask for a text, for a search engine. Chinese text is split
 * only at these.
 */
export function keywords(question: string): string[] {
  const found = readWords(question).words;
  const content = found.filter(({ isContent }) => isContent);
  return [...new Set((content.length > 0 ? content : found).map(({ word }) => word))];
}
