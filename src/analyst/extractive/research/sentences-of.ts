import { splitSentences } from "../../../ranking/sentences.ts";

/** Headings, quotes, tables, rules and what only lists sources say nothing themselves. */
const NO_SENTENCE = /^\s*(?:#|>|\||```|(?:-{3,}|\*{3,})\s*$|\[\d+\]:?\s|\*\*[^*]+\*\*:?\s*$)/u;
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/u;
const NUMBERS = /\s*(?:\[\d+(?:\s*,\s*\d+)*\])+/gu;
const EMPHASIS = /(\*\*|__|(?<![\p{L}\p{N}])[*_](?=\S))(.+?)\1/gu;
const LINK = /\[([^\]]+)\]\([^()\s]*\)/gu;

/** The sentences of an answer in Markdown as plain text, without headings, lists' marks, the numbers of citations, and quotes. */
export function sentencesOf(answer: string): string[] {
  return answer
    .split(/[\r\n]+/)
    .filter((line) => !NO_SENTENCE.test(line))
    .map((line) => line.replace(LIST_MARK, "").replaceAll(LINK, "$1").replaceAll(NUMBERS, "").replaceAll(EMPHASIS, "$2"))
    .flatMap((line) => splitSentences(line).map(({ start, end }) => line.slice(start, end).trim()))
    .filter((sentence) => sentence !== "");
}
