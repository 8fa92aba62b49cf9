import { keywords } from "../../ranking/query-terms.ts";

/** The question on one line, whole words only, at most `maxLength` characters: for services that take questions as they are asked. */
export function questionLine(text: string, maxLength: number): string {
  return joinWithin(text.normalize("NFC").toWellFormed().trim().split(/\s+/), " ", maxLength);
}

/** The words of the question that bear content, in one line of at most `maxLength` characters. */
export function keywordLine(text: string, maxLength: number): string {
  return joinWithin(keywords(text), " ", maxLength);
}

/** As many words as fit; a single word that does not fit, Chinese without spaces for instance, is cut. */
export function joinWithin(words: readonly string[], separator: string, maxLength: number): string {
  let line = Array.from(words[0] ?? "")
    .slice(0, maxLength)
    .join("");
  for (const word of words.slice(1)) {
    if (line.length + separator.length + word.length > maxLength) break;
    line += separator + word;
  }
  return line;
}
