import { z } from "zod";
import { type QuotedRow, quotedRow } from "../util/row-text.ts";

/** Indices into the report's `claims`. */
const Sentences = z.array(z.int().nonnegative());

/** Headings and the heads of tables cite nothing. `support` is null if nothing in them had to be checked. */
const Label = { support: z.enum(["summary", "unverified"]).nullable().default(null), reason: z.string().nullable().default(null) };

const ListItemSchema = z.object({
  level: z.int().nonnegative().max(5).describe("0 for an item of the outermost list."),
  number: z.int().nonnegative().optional().describe("The number of an item of a numbered list that lies in another list."),
  sentences: Sentences,
});

/** The first word behind a code fence, such as `ts` and `c++`. No Markdown or HTML can stand in it. */
export const CODE_LANGUAGE = /^[\w+#.-]{1,20}$/;

/** A part of a report, in the order of the text. A row of a table is one claim, whose text is its cells joined by `CELL_SEPARATOR`. */
export const BlockSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("heading"), level: z.int().min(1).max(6), text: z.string(), ...Label }),
  /** `struck`: codes why all sentences below a heading were taken out. The paragraph stands in their place and has none. */
  z.object({ kind: z.literal("paragraph"), sentences: Sentences, struck: z.array(z.string()).optional() }),
  z.object({ kind: z.literal("list"), items: z.array(ListItemSchema) }),
  z.object({ kind: z.literal("numbered-list"), start: z.int().nonnegative(), items: z.array(ListItemSchema) }),
  /** Lines in a code fence, as they were written, and the language that the fence names. They are not judged. */
  z.object({ kind: z.literal("code"), text: z.string(), language: z.string().regex(CODE_LANGUAGE).optional() }),
  z.object({ kind: z.literal("table"), caption: z.string().optional(), head: z.array(z.string()), rows: Sentences, ...Label }),
]);
export type Block = z.infer<typeof BlockSchema>;
export type ListItem = z.infer<typeof ListItemSchema>;

export const CELL_SEPARATOR = " | ";

/** Returns the indices of the sentences of a block, in order. */
export function sentencesOf(block: Block): readonly number[] {
  if (block.kind === "heading" || block.kind === "code") return [];
  if (block.kind === "paragraph") return block.sentences;
  return block.kind === "table" ? block.rows : block.items.flatMap(({ sentences }) => sentences);
}

/** Returns the indices of the sentences before the first heading. */
export function leadSentences(blocks: readonly Block[]): number[] {
  const end = blocks.findIndex(({ kind }) => kind === "heading");
  return blocks.slice(0, end < 0 ? blocks.length : end).flatMap(sentencesOf);
}

/**
 * Gives each sentence the index that `indexOf` returns, and drops it if that is null. Blocks that become empty are dropped. So are their headings,
 * unless `struckFor` says why a sentence is taken out: then a paragraph with the reasons stands in place of all that a heading had.
 */
export function renumberSentences(
  blocks: readonly Block[],
  indexOf: (sentence: number) => number | null,
  struckFor: (sentence: number) => string | null = () => null,
): Block[] {
  const kept = (sentences: readonly number[]): number[] => sentences.flatMap((sentence) => indexOf(sentence) ?? []);
  const items = (all: readonly ListItem[]): ListItem[] => {
    const renumbered = all.map((item) => ({ item: { ...item, sentences: kept(item.sentences) }, wasEmpty: item.sentences.length === 0 }));
    return renumbered.filter(({ item, wasEmpty }) => wasEmpty || item.sentences.length > 0).map(({ item }) => item);
  };
  const renumber = (block: Block): Block => {
    if (block.kind === "heading" || block.kind === "code") return block;
    if (block.kind === "paragraph") return { ...block, sentences: kept(block.sentences) };
    return block.kind === "table" ? { ...block, rows: kept(block.rows) } : { ...block, items: items(block.items) };
  };
  const reasonsIn = (part: readonly Block[]): string[] => {
    const sentences = part.flatMap(sentencesOf).filter((sentence) => indexOf(sentence) === null);
    return [...new Set(sentences.flatMap((sentence) => struckFor(sentence)?.split(": ", 1) ?? []))];
  };
  const parts = partsOf(blocks).map((part): Block[] => {
    const shown = part.map(renumber).filter((block) => block.kind === "heading" || !isEmpty(block));
    const struck = shown.length === 1 && shown[0]?.kind === "heading" ? reasonsIn(part) : [];
    return struck.length === 0 ? shown : [...shown, { kind: "paragraph", sentences: [], struck }];
  });
  return dropEmptyHeadings(parts.flat());
}

/** Keeps some of the sentences of a text, and its blocks with the new indices. `struckFor`: as for `renumberSentences`. */
export function keepSentences<Sentence extends object>(
  { claims, blocks }: { readonly claims: readonly Sentence[]; readonly blocks: readonly Block[] },
  isKept: (claim: Sentence) => boolean,
  struckFor: (claim: Sentence | undefined) => string | null = () => null,
): { claims: Sentence[]; blocks: Block[] } {
  const kept = claims.filter(isKept);
  const indices = new Map<Sentence | undefined, number>(kept.map((claim, index) => [claim, index]));
  const indexOf = (sentence: number): number | null => indices.get(claims[sentence]) ?? null;
  return { claims: kept, blocks: renumberSentences(blocks, indexOf, (sentence) => struckFor(claims[sentence])) };
}

/** Each part but the first begins with a heading, and has what stands before the next one. */
function partsOf(blocks: readonly Block[]): Block[][] {
  const parts: Block[][] = [[]];
  for (const block of blocks) {
    if (block.kind === "heading") parts.push([]);
    parts.at(-1)?.push(block);
  }
  return parts;
}

function isEmpty(block: Block): boolean {
  return block.kind !== "code" && sentencesOf(block).length === 0 && !isStruck(block);
}

/** Whether a block only says that something was taken out. */
export function isStruck(block: Block): block is Extract<Block, { kind: "paragraph" }> & { readonly struck: string[] } {
  return block.kind === "paragraph" && block.struck !== undefined;
}

/** Returns no blocks if only headings are left of a report whose sentences were taken out. */
export function unlessAllStruck(blocks: Block[]): Block[] {
  return blocks.some(isStruck) && blocks.every((block) => block.kind === "heading" || isStruck(block)) ? [] : blocks;
}

/** A heading stays if another block follows it before the next heading of its level or a higher one. */
function dropEmptyHeadings(blocks: readonly Block[]): Block[] {
  const kept: Block[] = [];
  let deepest = 0;
  for (const block of blocks.toReversed()) {
    if (block.kind === "heading" && block.level >= deepest) continue;
    deepest = block.kind === "heading" ? block.level : Number.POSITIVE_INFINITY;
    kept.push(block);
  }
  return kept.reverse();
}

/** Arranges sentences without blocks: a heading per section, under it a list of its sentences. Quoted rows of one table are a table. */
export function arrangeBySection(claims: readonly { readonly section: string; readonly text?: string }[]): Block[] {
  const sections = Map.groupBy(claims.entries(), ([, { section }]) => section);
  return [...sections].flatMap(([section, members]): Block[] => {
    const blocks: Block[] = [];
    for (const [index, { text = "" }] of members) addQuote(index, quotedRow(text), blocks);
    return section === "" ? blocks : [{ kind: "heading", level: 2, text: section, support: null, reason: null }, ...blocks];
  });
}

function addQuote(index: number, row: QuotedRow | null, blocks: Block[]): void {
  const last = blocks.at(-1);
  if (row === null) {
    const item = { level: 0, sentences: [index] };
    if (last?.kind === "list") last.items.push(item);
    else blocks.push({ kind: "list", items: [item] });
    return;
  }
  const { caption, head } = row;
  const isSame = (block: Block): block is Extract<Block, { kind: "table" }> =>
    block.kind === "table" && (block.caption ?? "") === caption && block.head.join("\n") === head.join("\n");
  const known = blocks.find(isSame);
  if (known !== undefined) known.rows.push(index);
  else blocks.push({ kind: "table", ...(caption !== "" && { caption }), head: [...head], rows: [index], support: null, reason: null });
}
