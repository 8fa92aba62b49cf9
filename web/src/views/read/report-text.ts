import type { Block, ListItem } from "../../../../src/domain/blocks.ts";
import type { Claim, Report } from "../../../../src/domain/report.ts";
import { isNumeric, rowCells } from "../../../../src/util/row-text.ts";

/** Returns the blocks of a report. Sentences of a report without blocks are listed by section. */
export function blocksOf({ blocks, claims }: Pick<Report, "blocks" | "claims">): readonly Block[] {
  if (blocks.length > 0) return blocks;
  const sections = Map.groupBy(claims.keys(), (index) => claims[index]?.section ?? "");
  return [...sections].flatMap(([section, members]): Block[] => {
    const list: Block = { kind: "list", items: members.map((index) => ({ level: 0, sentences: [index] })) };
    return section === "" ? [list] : [{ kind: "heading", level: 2, text: section, support: null, reason: null }, list];
  });
}

export interface ListNode {
  readonly item: ListItem;
  readonly items: readonly ListNode[];
}

/** Nests the items of a list by their levels. An item too deep for its predecessor lies directly below it. */
export function nestItems(items: readonly ListItem[]): ListNode[] {
  const roots: ListNode[] = [];
  const path: ListNode[][] = [roots];
  for (const item of items) {
    path.length = Math.min(item.level + 1, path.length);
    const children: ListNode[] = [];
    path.at(-1)?.push({ item, items: children });
    path.push(children);
  }
  return roots;
}

export interface TableRow {
  readonly sentence: number;
  readonly cells: readonly string[];
}

export interface TableText {
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
  /** Columns of numbers. */
  readonly numeric: readonly boolean[];
}

/** Splits the rows of a table into as many cells as its widest row. */
export function tableText({ head, rows }: Extract<Block, { kind: "table" }>, claims: readonly Claim[]): TableText {
  const split = rows.flatMap((sentence) => {
    const text = claims[sentence]?.text;
    return text === undefined ? [] : { sentence, cells: rowCells(text, head) };
  });
  const columns = Math.max(1, head.length, ...split.map(({ cells }) => cells.length));
  const fill = (cells: readonly string[]): string[] => Array.from({ length: columns }, (_, column) => cells[column]?.trim() ?? "");
  const filled = split.map(({ sentence, cells }) => ({ sentence, cells: fill(cells) }));
  const numeric = Array.from({ length: columns }, (_, column) => column > 0 && isNumeric(filled.map(({ cells }) => cells[column] ?? "")));
  return { head: fill(head), rows: filled, numeric };
}

const SAMPLE = 4_000;
const CHINESE_SHARE = 0.2;

/** Returns the `lang` of a report's text: as requested, otherwise by its letters; empty if unknown. */
export function languageOf(requested: string | undefined, texts: Iterable<string>): string {
  if (requested !== undefined && requested !== "auto") return requested;
  let sample = "";
  for (const text of texts) {
    sample += text.slice(0, SAMPLE);
    if (sample.length >= SAMPLE) break;
  }
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const ideographs = sample.match(/\p{sc=Han}/gu)?.length ?? 0;
  return letters > 0 && ideographs / letters >= CHINESE_SHARE ? "zh-Hans" : "";
}
