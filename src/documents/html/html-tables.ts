import { type DomNode, isElement, isText, walk } from "./dom.ts";

/** A cell with more text than this is a part of the page rather than a datum. */
const MAX_CELL_LENGTH = 600;

/**
 * Whether a table holds data, so that its rows mean something, rather than laying out a page: no table within, no
 * heading or long text in a cell, and a row with two cells of text.
 */
export function isDataTable(table: DomNode): boolean {
  if (/^(?:presentation|none)$/.test(table.getAttribute?.("role") ?? "")) return false;
  const scan = { layout: false, filledCells: 0, widestRow: 0, cellLength: 0 };
  walk(
    table,
    (node) => {
      const name = isElement(node) ? node.localName : undefined;
      if (name === "tr") scan.filledCells = 0;
      if (name === "td" || name === "th") scan.cellLength = 0;
      if (isText(node)) scan.cellLength += node.nodeValue?.trim().length ?? 0;
      if (scan.cellLength > MAX_CELL_LENGTH || (node !== table && name !== undefined && /^(?:table|h[1-6])$/.test(name)))
        scan.layout = true;
      return !scan.layout;
    },
    (node) => {
      if (node.localName !== "td" && node.localName !== "th") return;
      if (scan.cellLength > 0) scan.filledCells++;
      scan.widestRow = Math.max(scan.widestRow, scan.filledCells);
    },
  );
  return !scan.layout && scan.widestRow > 1;
}
