import { mapProse, splitCode } from "../util/code-spans.ts";

/** Returns one line of well-formed Unicode. Controls, lone surrogates and noncharacters, which XML mostly forbids, become U+FFFD. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/\p{Cc}|\p{Noncharacter_Code_Point}/gu, "\ufffd");
}

/** Like `cleanText`, but keeps the spaces of a line of code. */
export function cleanLine(line: string): string {
  const spaced = line.toWellFormed().replaceAll("\t", "    ").trimEnd();
  return spaced.replace(/\p{Cc}|\p{Noncharacter_Code_Point}/gu, "\ufffd");
}

/** Puts quotation marks around a text, unless it is one whole quotation. */
export function quotedText(text: string): string {
  return `“${text.replace(/^["“]([^"“”]*)["”]$/su, "$1")}”`;
}

/** Returns words that a model wrote with a capital at their beginning and a stop at their end. */
export function asSentence(words: string): string {
  const begun = words.replace(/^\p{Ll}(?=\p{Ll}*\s)/u, (letter) => letter.toUpperCase());
  return /[\p{L}\p{N})）]$/u.test(begun) ? `${begun}${/[\p{sc=Han}）]$/u.test(begun) ? "。" : "."}` : begun;
}

/** Closes a code span that it cuts, so that what is in it does not become a link. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const parts = splitCode(text);
  let left = length;
  while (left >= (parts[0]?.text.length ?? 0)) left -= parts.shift()?.text.length ?? 0;
  const ticks = parts[0]?.isCode === true ? (/^`+/.exec(parts[0].text)?.[0] ?? "") : "";
  return `${text.slice(0, length).toWellFormed()}…${ticks}`;
}

/** Whether a text has at least as many Han characters as Latin words. Latin names may have more letters than the Chinese around them. */
export function isChinese(text: string): boolean {
  const ideographs = text.match(/\p{sc=Han}/gu)?.length ?? 0;
  const words = text.match(/[\p{sc=Latin}\p{N}][\p{sc=Latin}\p{N}_.'’/:@-]*/gu)?.length ?? 0;
  return ideographs > 0 && ideographs >= words;
}

export function readable(url: string): string {
  try {
    return decodeURI(url).toWellFormed().replace(/\s/g, " ");
  } catch {
    return url.toWellFormed();
  }
}

/** Returns an address as people read it: of a file, its name. */
export function placeOf(url: string): string {
  return readable(url).replace(/^(?:corpus:|upload:[0-9a-f]{64}\/)/, "");
}

/** With a `>` behind it this may be HTML: `<b>` and `<a href=x>`, but not `a < b` or `Map<string, T>`. */
const TAG_START = /<(?=\/?[a-z][a-z0-9-]*[\s/>]|[!?])/gi;

/** Returns plain text as one line of Markdown. Escapes markup and HTML (CommonMark 0.31), but not code spans. */
export function escapeMarkdown(text: string): string {
  return mapProse(text.replace(/\s+/gu, " ").trim(), escapeProse)
    .replace(/^([#>+=-])/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}

function escapeProse(text: string): string {
  return text
    .replace(/[\\`*[\]|~]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_/gu, "\\_")
    .replace(/&(?=#|[a-z\d]+;)/gi, "&amp;")
    .replace(TAG_START, (sign, at: number, whole: string) => (/[=>]/.test(whole.slice(at)) ? "&lt;" : sign));
}
