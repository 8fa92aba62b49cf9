import { lengthOf } from "../block-text.ts";
import { isPhrase, LEAVING_HEADING, LINK_LEAD_IN } from "./clutter-phrases.ts";
import { isByline, isDateLine } from "./date-lines.ts";
import type { HtmlBlock } from "./html-blocks.ts";

/** So much of a block in links makes it a link rather than text with links. */
const LINK_SHARE = 0.85;
/** Lists of links that are more of a page than this are what the page is about. */
const MAX_LISTED_SHARE = 0.25;
/** A longer link is a paragraph of which the author, or a mistake in the page, made a link. */
const MAX_LINK_LENGTH = 200;
/** So many headings that are links are the headlines of a front page, the first of them too. */
const MIN_TEASERS = 4;
/** A link that is written out is information. */
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$|^\S+@\S+$/i;
/** As long as a short sentence; Chinese and Japanese say as much in fewer characters. */
const SENTENCE_LENGTH = 60;
const UNSPACED_SENTENCE_LENGTH = 20;

/**
 * An article's blocks without what templates put before, between and after its paragraphs: bylines and dates, links to
 * other articles, requests to share or subscribe. A page that is not mainly running text, such as an index, keeps all.
 */
export function cleanBlocks(blocks: readonly HtmlBlock[], title: string | null): HtmlBlock[] {
  if (!isProse(blocks)) return [...blocks];
  const start = blocks.findIndex(isSentence);
  const teasers = blocks.filter(isLinkedHeading).length >= MIN_TEASERS;
  const leads = (block: HtmlBlock): boolean => !(teasers && isLinkedHeading(block)) && isLeadClutter(block, title);
  const kept = new Set(blocks.filter((block, i) => !isClutter(block) && !(i < start && leads(block))));
  const lists = linkLists(blocks).flat();
  if (lengthOf(lists) <= lengthOf(blocks) * MAX_LISTED_SHARE) for (const block of lists) kept.delete(block);
  for (const block of leavingParts(blocks)) kept.delete(block);
  return withoutEmptySections(blocks, kept);
}

function isProse(blocks: readonly HtmlBlock[]): boolean {
  return lengthOf(blocks.filter(isSentence)) >= lengthOf(blocks) / 2;
}

function isSentence({ kind, text, linked }: HtmlBlock): boolean {
  if (kind !== "paragraph" && kind !== "quote" && kind !== "list-item") return false;
  const least = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) ? UNSPACED_SENTENCE_LENGTH : SENTENCE_LENGTH;
  return linked < 0.5 && text.length >= least && !isPhrase(text) && !isDateLine(text);
}

function isClutter({ kind, text, linked }: HtmlBlock): boolean {
  if (kind === "code" || kind === "table-row") return false;
  if (isPhrase(text)) return true;
  if (LEAVING_HEADING.test(text)) return true;
  return (
    (kind === "paragraph" && linked >= LINK_SHARE && text.length <= MAX_LINK_LENGTH && !ADDRESS.test(text)) ||
    (linked > 0.3 && LINK_LEAD_IN.test(text))
  );
}

function isLinkedHeading({ kind, linked }: HtmlBlock): boolean {
  return kind === "heading" && linked >= LINK_SHARE;
}

/** What only stands before the first sentence. */
function isLeadClutter({ kind, text, linked }: HtmlBlock, title: string | null): boolean {
  if (kind === "code" || kind === "table-row") return false;
  if (isByline(text) || isDateLine(text) || linked >= LINK_SHARE || /^https?:\S+$/.test(text)) return true;
  return title !== null && text.toLowerCase() === title.toLowerCase();
}

/** What follows a heading that leads away, until the text goes on: titles and first words of other articles. */
function leavingParts(blocks: readonly HtmlBlock[]): HtmlBlock[] {
  let leaving = false;
  return blocks.filter((block) => {
    if (LEAVING_HEADING.test(block.text)) leaving = true;
    else if (isSentence(block) || (block.kind === "heading" && block.linked < 0.5)) leaving = false;
    return leaving && block.linked >= 0.5;
  });
}

/** Lists of nothing but links, of two items or more, unless the text announces them with a colon. */
function linkLists(blocks: readonly HtmlBlock[]): HtmlBlock[][] {
  const lists: HtmlBlock[][] = [];
  for (const [i, block] of blocks.entries()) {
    if (block.kind !== "list-item") continue;
    if (blocks[i - 1]?.kind === "list-item") lists.at(-1)?.push(block);
    else lists.push([block]);
  }
  return lists.filter((list) => list.length >= 2 && list.every(({ linked }) => linked >= LINK_SHARE) && !isAnnounced(blocks, list));
}

function isAnnounced(blocks: readonly HtmlBlock[], [first]: readonly HtmlBlock[]): boolean {
  const before = first && blocks[blocks.indexOf(first) - 1];
  return before?.kind === "paragraph" && before.text.length >= SENTENCE_LENGTH / 2 && /[:：]$/u.test(before.text);
}

/** What is kept, without the headings of which nothing is left, and without headings at the very end. */
function withoutEmptySections(blocks: readonly HtmlBlock[], kept: ReadonlySet<HtmlBlock>): HtmlBlock[] {
  const result: HtmlBlock[] = [];
  let next: HtmlBlock | undefined;
  let removed = true;
  for (const block of blocks.toReversed()) {
    if (!kept.has(block)) removed = true;
    else if (block.kind === "heading" && removed && (!next || (next.kind === "heading" && next.level <= block.level))) continue;
    else {
      result.push(block);
      next = block;
      removed = false;
    }
  }
  return result.reverse();
}
