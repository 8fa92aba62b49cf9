import { hasFigures } from "../../src/evidence/figures/check-figures.ts";
import { splitSentences } from "../../src/ranking/sentences.ts";
import { uncitedNote } from "../../src/words/verdict.ts";

/** Returns the Markdown of the answer of an agent that has found nothing: its text and, if it has figures, a line that says that it cites nothing. */
export function uncited(text: string, sentences?: number): string {
  return hasFigures(text) ? withUncitedNote(text, sentences) : text;
}

/** Returns the Markdown of an uncited answer of an agent that has found something, in the language of the question. */
export function withUncitedNote(text: string, sentences: number = splitSentences(text).length): string {
  return `${text}\n\n*${uncitedNote(sentences, /\p{sc=Han}/u.test(text) ? "zh" : "en")}*`;
}
