import type { Reading } from "../../domain/ports/analyst.ts";
import { normalizeText } from "../../ranking/tokenize.ts";
import { type Sentence, textOf } from "./sentences.ts";

const SEEDS = 4;
/** The most that a link adds, where a full match of the question is 1. */
const LINK = 0.2;
/** What tells two things of one name apart is no part of the name: "Protea (plant)". */
const APPOSITION = /\s*[(（][^()（）]*[)）]\s*$/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const MIN_LETTERS = 4;
const MIN_IDEOGRAPHS = 2;

/**
 * What the sentences of each document owe to its title: that the question names it, or one of the best sentences of another document.
 * So a question on the director of a film leads from the page of the film to the page of the director.
 */
export function followTitles(question: string, sentences: readonly Sentence[], scores: readonly number[]): ReadonlyMap<Reading, number> {
  const namedIn = readTitles([...new Set(sentences.map(({ section }) => section.reading))]);
  const links = new Map(namedIn(question).map((reading) => [reading, LINK]));
  const seeds = [...scores.keys()]
    .filter((i) => (scores[i] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
    .slice(0, SEEDS);
  const most = scores[seeds[0] ?? -1] ?? 1;
  for (const index of seeds) {
    const sentence = sentences[index];
    if (sentence === undefined) continue;
    for (const reading of namedIn(textOf(sentence))) {
      if (reading === sentence.section.reading) continue;
      links.set(reading, Math.max(links.get(reading) ?? 0, (LINK * (scores[index] ?? 0)) / most));
    }
  }
  return links;
}

/** Finds the documents whose titles, where these are names, stand in a text word for word. */
export function readTitles(readings: readonly Reading[]): (text: string) => Reading[] {
  const titles = readings.map((reading) => ({ reading, name: nameOf(reading) })).filter(({ name }) => isName(name));
  return (text) => {
    const plain = normalizeText(text);
    return titles.filter(({ name }) => standsIn(name, plain)).map(({ reading }) => reading);
  };
}

function nameOf({ document, hit }: Reading): string {
  return normalizeText(document.title || hit.title)
    .replace(APPOSITION, "")
    .trim();
}

/** Titles with a capital, or of two ideographs: "Search" is not looked for in "to search". */
function isName(title: string): boolean {
  if (UNSPACED.test(title)) return (title.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_IDEOGRAPHS;
  return title.length >= MIN_LETTERS && /^\P{L}*\p{Lu}/u.test(title);
}

/** Word for word; between ideographs there are no spaces to tell words by. */
function standsIn(name: string, text: string): boolean {
  if (UNSPACED.test(name) || !text.includes(name)) return text.includes(name);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${RegExp.escape(name)}(?![\p{L}\p{N}])`, "u").test(text);
}
