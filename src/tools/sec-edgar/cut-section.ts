import type { Block, ExtractedDocument } from "../../domain/document.ts";

/** The text of one item of a report, with its blocks. */
export interface Section {
  readonly heading: string;
  readonly text: string;
  readonly blocks: Block[];
}

interface Heading {
  /** The part of the report it stands in, empty before the first. */
  readonly part: string;
  /** `1A`; empty where only a part begins, or the signatures. */
  readonly item: string;
  /** Whether it ends with the number of a page, as in a table of contents. */
  readonly listed: boolean;
  /** The index of its block. */
  readonly index: number;
}

/** Longer blocks that begin with an item are sentences that speak of it. */
const MAX_HEADING = 250;
const ITEM = /^item\s*(\d{1,2})\s*([A-D])?(?=[\s.:|—–-]|$)/i;
const PART = /^part\s+(I{1,3}|IV)\b/i;
const PAGE_NUMBER = /[|.\s]\s*\d{1,3}\s*\|?$/;
/** What comes after the last item. */
const SIGNATURES = /^signatures?\.?$/i;
const WANTED = /^(?:(?:part\s*)?(I{1,3}|IV)[.,\s-]+)?(?:item\s*)?(\d{1,2}[A-D]?)\.?$/i;
/** Running heads and page numbers differ in their figures only, and come again on many pages. */
const MAX_FURNITURE = 80;
const FURNITURE_AT = 4;

/**
 * The text of an item such as `1A` or, in a 10-Q, `II.1A`; null where the report has none. Tables of contents and references
 * name items as well: the item is where no page number follows, and the most text before another item is named.
 */
export function cutSection({ text, blocks }: ExtractedDocument, wanted: string, whose: string): Section | null {
  const [, part, item = ""] = WANTED.exec(wanted.trim()) ?? [];
  const headings = findHeadings(text, blocks);
  const fits = (heading: Heading): boolean =>
    heading.item === item.toUpperCase() && (part === undefined || heading.part === part.toUpperCase());
  const spans = headings.flatMap((heading, i) => {
    const end = endOf(heading, headings.slice(i + 1), blocks.length);
    const length = (blocks[end - 1]?.end ?? 0) - (blocks[heading.index]?.end ?? 0);
    return fits(heading) ? [{ ...heading, end, length }] : [];
  });
  const best = spans.sort((a, b) => Number(a.listed) - Number(b.listed) || b.length - a.length)[0];
  return best === undefined ? null : assemble(text, withoutFurniture(text, blocks, best.index, best.end), whose);
}

/** The items a report has, in their order, for whoever asked for another. */
export function itemsOf({ text, blocks }: ExtractedDocument): string[] {
  const headings = findHeadings(text, blocks).filter(({ item }) => item !== "");
  const own = headings.filter(({ listed }) => !listed);
  return [...new Set((own.length > 0 ? own : headings).map(({ part, item }) => (part === "" ? item : `${part}.${item}`)))];
}

function findHeadings(text: string, blocks: readonly Block[]): Heading[] {
  const headings: Heading[] = [];
  let part = "";
  blocks.forEach(({ start, end }, index) => {
    if (end - start > MAX_HEADING) return;
    const line = text.slice(start, end);
    const listed = PAGE_NUMBER.test(line);
    const begun = PART.exec(line)?.[1]?.toUpperCase();
    part = begun ?? part;
    const match = ITEM.exec(line.replace(PART, "").replace(/^[\s,.:|—–-]+/, ""));
    if (match !== null) headings.push({ part, item: `${match[1]}${match[2] ?? ""}`.toUpperCase(), listed, index });
    else if (begun !== undefined || SIGNATURES.test(line)) headings.push({ part: begun ?? "", item: "", listed, index });
  });
  return headings;
}

/** The same part or item named again (at the head of each page, or "continued") does not end an item. */
function endOf({ item, part }: Heading, after: readonly Heading[], end: number): number {
  return after.find((next) => next.part !== part || (next.item !== "" && next.item !== item))?.index ?? end;
}

function withoutFurniture(text: string, blocks: readonly Block[], from: number, to: number): Block[] {
  const shape = ({ start, end }: Block): string => text.slice(start, end).replaceAll(/\d+/g, "#");
  const shapes = Map.groupBy(
    blocks.filter(({ start, end }) => end - start <= MAX_FURNITURE),
    shape,
  );
  return blocks
    .slice(from, to)
    .filter((block, i) => i === 0 || (!isFurniture(shapes.get(shape(block)) ?? [], text) && !isBarePart(block, text)));
}

/** Lines of one shape that are not all the same line. */
function isFurniture(alike: readonly Block[], text: string): boolean {
  return alike.length >= FURNITURE_AT && new Set(alike.map(({ start, end }) => text.slice(start, end))).size >= FURNITURE_AT;
}

function isBarePart({ start, end }: Block, text: string): boolean {
  return /^part\s+(?:I{1,3}|IV)\.?$/i.test(text.slice(start, end));
}

/** The heading says whose item it is, as reports on several companies have the same ones. */
function assemble(text: string, [first, ...rest]: readonly Block[], whose: string): Section | null {
  if (first === undefined) return null;
  const named = text
    .slice(first.start, first.end)
    .replaceAll(/\s*\|\s*/g, " ")
    .trim();
  const heading = `${whose}: ${named}`;
  const parts = [
    { kind: "heading" as const, level: 1, text: heading },
    ...rest.map(({ kind, level, start, end }) => ({ kind, level, text: text.slice(start, end) })),
  ];
  let length = 0;
  const placed = parts.map(({ kind, level, text: part }): Block => {
    const start = length === 0 ? 0 : length + 1;
    length = start + part.length;
    return { kind, level, start, end: length };
  });
  return { heading, text: parts.map((part) => part.text).join("\n"), blocks: placed };
}
