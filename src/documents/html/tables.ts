import { attributeOf, type DomNode, isElement, isText, walk } from "./dom.ts";

/** A table with a longer cell lays out the page and holds no data. */
const MAX_CELL_LENGTH = 600;

export function isDataTable(table: DomNode): boolean {
  if (/^(?:presentation|none)$/.test(attributeOf(table, "role"))) return false;
  let [isLayout, filledCells, cellLength, depth, dataRows, nestedTables] = [false, 0, 0, 0, 0, 0];
  const enter = (node: DomNode): boolean => {
    const name = isElement(node) ? (node.localName ?? "") : "";
    if (name === "tr" && depth === 1) filledCells = 0;
    if (name === "table" && ++depth === 2) {
      nestedTables++;
      filledCells = -Infinity;
    }
    if (/^t[dh]$/.test(name) && depth === 1) cellLength = 0;
    if (isText(node)) cellLength += node.nodeValue?.trim().length ?? 0;
    isLayout ||= cellLength > MAX_CELL_LENGTH || depth > 2 || /^h[1-6]$/.test(name);
    return !isLayout;
  };
  walk(table, enter, ({ localName = "" }) => {
    if (localName === "table") depth--;
    if (depth === 1 && /^t[dh]$/.test(localName) && cellLength > 0) filledCells++;
    if (depth === 1 && localName === "tr" && filledCells > 1) dataRows++;
  });
  return !isLayout && dataRows > nestedTables;
}

export interface Cell {
  readonly node: DomNode;
  readonly text: string;
}

const MAX_COLUMNS = 30;
const MAX_ROWS = 500;
const SEPARATOR_LENGTH = 3;
/** A limit per page, because a hostile page could repeat a cell millions of times. */
export const MAX_ADDED_BY_SPANS = 500_000;

/** Repeats cells over their spans, so that columns line up. In tables without headers or row spans, spans are only layout. */
export class TableSpans {
  private readonly expands: boolean;
  private readonly pending = new Map<number, { text: string; rows: number }>();
  private readonly budget: { left: number };

  constructor(table: DomNode, budget: { left: number }) {
    this.expands = Array.from(table.querySelectorAll?.("th, td[rowspan]") ?? []).some(
      (cell) => cell.localName === "th" || spanOf(cell, "rowspan", MAX_ROWS) > 1,
    );
    this.budget = budget;
  }

  /** A span does not continue from `<thead>` into `<tbody>`. */
  endGroup(): void {
    this.pending.clear();
  }

  row(cells: readonly Cell[]): string[] {
    if (!this.expands) return cells.map(({ text }) => text);
    const row: string[] = [];
    for (const cell of cells) {
      this.fill(row);
      const rows = spanOf(cell.node, "rowspan", MAX_ROWS);
      // The only cell of a row is a title, which is not repeated.
      const columns = cells.length === 1 && rows === 1 ? 1 : spanOf(cell.node, "colspan", MAX_COLUMNS);
      for (let i = 0; i < columns && (i === 0 || this.budget.left > 0); i++) {
        const text = i === 0 || cell.node.localName === "th" ? cell.text : "";
        if (i > 0) this.budget.left -= text.length + SEPARATOR_LENGTH;
        if (rows > 1) this.pending.set(row.length, { text, rows: rows - 1 });
        row.push(text);
      }
    }
    this.fill(row);
    return row;
  }

  private fill(row: string[]): void {
    for (let above = this.pending.get(row.length); above && this.budget.left > 0; above = this.pending.get(row.length)) {
      if (above.rows === 1) this.pending.delete(row.length);
      else this.pending.set(row.length, { ...above, rows: above.rows - 1 });
      this.budget.left -= above.text.length + SEPARATOR_LENGTH;
      row.push(above.text);
    }
  }
}

function spanOf(cell: DomNode, name: string, most: number): number {
  const span = Number.parseInt(attributeOf(cell, name), 10);
  return span >= 1 ? Math.min(span, most) : 1;
}
