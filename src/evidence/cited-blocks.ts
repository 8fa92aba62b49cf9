import { type Block, CELL_SEPARATOR, CODE_LANGUAGE } from "../domain/blocks.ts";
import { type Anchor, findMarkers, type Marker, type MarkerContext, removeMarkers, type Unmarked } from "./citation-markers.ts";
import { type CitedSentence, cellsOf, sentencesOf, wordsOf } from "./cited-sentences.ts";
import type { FindKnownAddress } from "./known-addresses.ts";
import { blankEmphasis, type MarkdownBlock, markdownBlocks, readFences, removeBlanks } from "./markdown-blocks.ts";

/** `first` is the number of the first item, or null in a list without numbers. */
export type CitedBlock =
  | { readonly kind: "heading"; readonly level: number; readonly text: string; readonly markers: readonly Marker[] }
  | { readonly kind: "code"; readonly code: Extract<Block, { kind: "code" }> }
  | { readonly kind: "paragraph"; readonly sentences: readonly CitedSentence[] }
  | {
      readonly kind: "list";
      readonly first: number | null;
      readonly items: { readonly level: number; readonly number?: number; readonly sentences: CitedSentence[] }[];
    }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly markers: readonly Marker[]; readonly sentences: CitedSentence[] };

/** The most blocks and sentences of a text together. A report of 10,000 words has less than a tenth of them. */
const MAX_PARTS = 5_000;

export interface ReadBlocks {
  readonly blocks: readonly CitedBlock[];
  /** The whole text without citations. */
  readonly text: string;
  /** Whether `blocks` has only the first `MAX_PARTS` blocks and sentences. */
  readonly isCut: boolean;
}

/** Reads the blocks of a Markdown text and gives each sentence its citations. `section` is the heading above the text. */
export function readBlocks(text: string, context: MarkerContext, section = ""): ReadBlocks {
  const unmarked = removeMarkers(text, findMarkers(text, context, readFences(text).closed));
  const blocks = markdownBlocks(unmarked.text);
  const writer = new BlockWriter({ ...unmarked, text: blankEmphasis(unmarked.text, blocks) }, context.known, section);
  let anchor = 0;
  for (const [i, block] of blocks.entries()) {
    if (writer.isCut) break;
    const until = blocks[i + 1]?.start ?? unmarked.text.length + 1;
    const anchors: Anchor[] = [];
    for (let next = unmarked.anchors[anchor]; next !== undefined && next.at < until; next = unmarked.anchors[++anchor]) anchors.push(next);
    writer.push(block, anchors);
  }
  return { blocks: writer.blocks.map(withoutEmptyColumn), text: unmarked.text, isCut: writer.isCut };
}

class BlockWriter {
  readonly blocks: CitedBlock[] = [];
  readonly #unmarked: Unmarked;
  readonly #known: FindKnownAddress;
  #section: string;
  #last: MarkdownBlock | null = null;
  #room = MAX_PARTS;

  constructor(unmarked: Unmarked, known: FindKnownAddress, section: string) {
    this.#unmarked = unmarked;
    this.#known = known;
    this.#section = section;
  }

  get isCut(): boolean {
    return this.#room < 0;
  }

  push(block: MarkdownBlock, anchors: readonly Anchor[]): void {
    if (--this.#room < 0) return;
    const markers = anchors.map(({ marker }) => marker);
    if (block.kind === "heading") {
      this.#section = wordsOf(this.#unmarked.text, block, this.#known);
      this.blocks.push({ kind: "heading", level: block.level, text: this.#section, markers });
    } else if (block.kind === "head") {
      this.blocks.push({ kind: "table", head: cellsOf(this.#unmarked.text, block, this.#known), markers, sentences: [] });
    } else if (block.kind === "code") {
      const code = codeIn(this.#unmarked.text.slice(block.start, block.end));
      if (code.text.trim() !== "") this.blocks.push({ kind: "code", code });
    } else if (block.kind !== "note") {
      const sentences = sentencesOf(block, anchors, this.#unmarked.text, { section: this.#section, known: this.#known });
      this.#pushSentences(block, sentences.slice(0, this.#room));
      this.#room -= sentences.length;
    }
    this.#last = block;
  }

  #pushSentences(block: MarkdownBlock, sentences: CitedSentence[]): void {
    if (sentences.length === 0) return;
    const above = this.blocks.at(-1);
    const { level, kind, number } = block;
    // Rows without a head are no table, but text.
    const isInTable = kind === "row" && (this.#last?.kind === "head" || this.#last?.end === block.start - 1);
    if (isInTable && above?.kind === "table") above.sentences.push(...sentences);
    else if (kind === "item") {
      const continues = above?.kind === "list" && (level > 0 || (above.first === null) === (number === null));
      const item = { level, ...(level > 0 && number !== null && { number }), sentences };
      if (continues) above.items.push(item);
      else this.blocks.push({ kind: "list", first: number, items: [item] });
    } else if (kind === "more" && above?.kind === "list") above.items.at(-1)?.sentences.push(...sentences);
    else this.blocks.push({ kind: "paragraph", sentences });
  }
}

/** Returns the lines between two fences, and the language that the first one names. */
function codeIn(fenced: string): Extract<Block, { kind: "code" }> {
  const [opening = "", ...lines] = removeBlanks(fenced).split("\n");
  const language = /[^\s`~]\S*/.exec(opening)?.[0] ?? "";
  const text = lines.slice(0, /^\s*(?:`{3,}|~{3,})\s*$/.test(lines.at(-1) ?? "") ? -1 : undefined).join("\n");
  return { kind: "code", text, ...(CODE_LANGUAGE.test(language) && { language }) };
}

/** Removes the last column of a table if it had only citations. */
function withoutEmptyColumn(block: CitedBlock): CitedBlock {
  if (block.kind !== "table" || block.sentences.length === 0) return block;
  const columns = Math.max(...block.sentences.map(({ cells }) => (cells ?? []).findLastIndex((cell) => cell !== "") + 1));
  const sentences = block.sentences.map((sentence): CitedSentence => {
    const cells = (sentence.cells ?? []).slice(0, columns);
    return { ...sentence, cells, text: cells.join(CELL_SEPARATOR) };
  });
  return { ...block, head: block.head.slice(0, columns), sentences };
}
