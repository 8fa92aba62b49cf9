import { type BlockDraft, collapse, type Draft, NO_METADATA } from "./block-text.ts";

const LIST_ITEM = /^\s*(?:[-*+•·‣◦]|\(?\d{1,3}[.)、]|[（(][一二三四五六七八九十]+[)）])\s+\S/;
const SENTENCE_END = /[.!?。！？…:：;；,，、]["'”’」』)）]*$/;
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff00-\uff60]/gu;
const MIN_WRAP_COLUMNS = 40;
const MAX_WRAP_COLUMNS = 120;
const FILLED_SHARE = 0.7;
const MAX_TITLE_LENGTH = 100;

/** Joins lines that an editor wrapped. Other lines, such as verse or a log, stay separate. */
export function extractText(text: string): Draft {
  const paragraphs = text
    .split(/\r\n?|\n|\f|\u2028|\u2029/)
    .reduce(intoParagraphs, [[]])
    .filter((lines) => lines.length > 0);
  const drafts = paragraphs.flatMap(paragraphBlocks);
  const [first] = drafts;
  const alone = first !== undefined && paragraphs.length > 1 && paragraphs[0]?.length === 1;
  if (!alone || !isTitle(first)) return { ...NO_METADATA, drafts };
  return { ...NO_METADATA, title: first.text, drafts: [{ kind: "heading", level: 1, text: first.text }, ...drafts.slice(1)] };
}

export function isTitle({ kind, text }: BlockDraft): boolean {
  return kind === "paragraph" && text.length <= MAX_TITLE_LENGTH && !SENTENCE_END.test(text);
}

function intoParagraphs(paragraphs: string[][], line: string): string[][] {
  if (line.trim() !== "") paragraphs.at(-1)?.push(line);
  else if (paragraphs.at(-1)?.length) paragraphs.push([]);
  return paragraphs;
}

function paragraphBlocks(lines: readonly string[]): BlockDraft[] {
  const items = lines.filter((line) => LIST_ITEM.test(line)).length;
  if (items > 0) return lines.reduce(intoItems, []).map(toBlock);
  return isWrapped(lines) ? [toBlock(lines.join("\n"))] : lines.map(toBlock);
}

function intoItems(items: string[], line: string): string[] {
  const previous = items.at(-1);
  const continues = previous !== undefined && !LIST_ITEM.test(line) && /^\s/.test(line) && LIST_ITEM.test(previous);
  if (continues) items[items.length - 1] = `${previous}\n${line}`;
  else items.push(line);
  return items;
}

function toBlock(text: string): BlockDraft {
  return LIST_ITEM.test(text)
    ? { kind: "list-item", level: 1, text: collapse(text) }
    : { kind: "paragraph", level: 0, text: collapse(text) };
}

function isWrapped(lines: readonly string[]): boolean {
  const columns = lines.map((line) => line.trimEnd().length + (line.match(WIDE)?.length ?? 0));
  const widest = columns.reduce((most, width) => Math.max(most, width), 0);
  if (widest < MIN_WRAP_COLUMNS || widest > MAX_WRAP_COLUMNS) return false;
  const indented = lines.slice(1).some((line) => /^\s/.test(line) !== /^\s/.test(lines[1] ?? ""));
  return !indented && columns.slice(0, -1).every((width) => width >= widest * FILLED_SHARE);
}
