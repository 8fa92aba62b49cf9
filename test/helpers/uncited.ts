import { uncitedNote } from "../../src/domain/report.ts";
import { splitSentences } from "../../src/ranking/sentences.ts";

/** Returns the Markdown of an agent's answer that cites nothing: its text, and a line that says so in the language of the question. */
export function uncited(
  text: string,
  sentences: number = splitSentences(text).length,
  language: "en" | "zh" = /\p{sc=Han}/u.test(text) ? "zh" : "en",
): string {
  return `${text}\n\n*${uncitedNote(sentences, language)}*`;
}
