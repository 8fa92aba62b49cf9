import { SOFT_HYPHEN } from "./segments.ts";

const WORD = /\p{L}+(?:[-‐]\p{L}+)*/gu;
const BROKEN_END = new RegExp(String.raw`(\p{L}+(?:[-‐]\p{L}+)*)[-‐${SOFT_HYPHEN}]$`, "u");
const CONTINUED_START = /^\p{L}+/u;

/** The words of a document, in lower case, those with hyphens as they are written within a line. */
export function vocabularyOf(lines: Iterable<string>): ReadonlySet<string> {
  const words = new Set<string>();
  for (const line of lines)
    for (const [word] of line.replace(BROKEN_END, "").matchAll(WORD)) words.add(word.toLowerCase().replaceAll("‐", "-"));
  return words;
}

/**
 * The lines of a paragraph as one text with line breaks, except within words that were broken at the end of a line. Whether
 * such a word has a hyphen of its own is looked up in the document; what occurs nowhere else loses it before a small letter.
 */
export function joinLines(lines: readonly string[], vocabulary: ReadonlySet<string>): string {
  return lines.reduce((text, line) => joinTwo(text, line, vocabulary));
}

function joinTwo(text: string, line: string, vocabulary: ReadonlySet<string>): string {
  const broken = BROKEN_END.exec(text.slice(-80))?.[1];
  const rest = CONTINUED_START.exec(line)?.[0];
  const cut = text.slice(0, -1);
  if (broken === undefined) return text.endsWith(SOFT_HYPHEN) ? `${cut}-${line}` : `${text}\n${line}`;
  if (rest === undefined) return `${cut}-${line}`;
  const compound = `${broken}-${rest}`.toLowerCase();
  const whole = `${broken}${rest}`.toLowerCase();
  const hyphenated = vocabulary.has(compound) || (!vocabulary.has(whole) && !/^\p{Ll}/u.test(rest));
  return hyphenated ? `${cut}-${line}` : `${cut}${line}`;
}
