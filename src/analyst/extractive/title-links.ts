import type { Reading } from "../../domain/ports/analyst.ts";
import { type Sentence, textOf } from "./passages.ts";
import type { Scored } from "./scoring.ts";

/** Sentences that may name what to read next. */
const SEEDS = 4;
/** The most that a link adds, where a full match of the question is 1. Measured on HotpotQA, as SEEDS is. */
const LINKED = 0.2;
/** The first sentence says what the thing with that name is. */
const FIRST = 0.1;
/** What tells two things of one name apart is no part of the name: "Protea (plant)". */
const APPOSITION = /\s*[(（][^()（）]*[)）]\s*$/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const MIN_LETTERS = 4;
const MIN_IDEOGRAPHS = 3;

/** Finds the documents whose titles stand in a text. */
export interface TitleLinks {
  namedIn(text: string): ReadonlySet<Reading>;
}

/**
 * The titles of the documents that `sentences` are of, where they are names, with a capital or of three ideographs; looked for word
 * for word, so that a title "Search" is not found in "to search".
 */
export function readTitles(sentences: readonly Sentence[]): TitleLinks {
  const readings = [...new Set(sentences.map(({ reading }) => reading))];
  const names = readings.map((reading) => [reading, nameOf(reading)] as const).filter(([, name]) => isName(name));
  return {
    namedIn: (text) => {
      const plain = text.normalize("NFKC");
      return new Set(names.filter(([, name]) => stands(name, plain)).map(([reading]) => reading));
    },
  };
}

function nameOf({ document, hit }: Reading): string {
  return (document.title || hit.title).normalize("NFKC").replace(APPOSITION, "").trim();
}

function isName(title: string): boolean {
  if (UNSPACED.test(title)) return (title.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_IDEOGRAPHS;
  return title.length >= MIN_LETTERS && /^\P{L}*\p{Lu}/u.test(title);
}

/** Between ideographs there are no spaces to tell words by. */
function stands(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (UNSPACED.test(name)) return true;
    if (
      !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
      !/^[\p{L}\p{N}]/u.test(text.slice(at + name.length, at + name.length + 2))
    )
      return true;
  }
  return false;
}

/**
 * The scores with what the sentences owe to the title of their document: that the question names it, or one of the best sentences of
 * other documents. Who asks about the director of a film is led from the page of the film to that of its director.
 */
export function followTitles(question: string, scored: readonly Scored[], titles: TitleLinks): Scored[] {
  const links = new Map([...titles.namedIn(question)].map((reading) => [reading, LINKED]));
  const seeds = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.index - b.index);
  const best = seeds[0]?.score ?? 1;
  for (const { sentence, score } of seeds.slice(0, SEEDS)) {
    for (const reading of titles.namedIn(textOf(sentence))) {
      if (reading !== sentence.reading) links.set(reading, Math.max(links.get(reading) ?? 0, (LINKED * score) / best));
    }
  }
  return scored.map((entry, i) => {
    const link = links.get(entry.sentence.reading);
    if (link === undefined) return entry;
    const opens = scored[i - 1]?.sentence.reading !== entry.sentence.reading;
    return { ...entry, score: entry.score + link + (opens ? FIRST : 0), linked: true };
  });
}
