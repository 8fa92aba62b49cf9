import type { Sentence } from "./passages.ts";

const TABLES: ReadonlySet<string> = new Set(["market", "filing"]);

/** Whether a sentence is a row of market data or of what a company filed: a statement of one figure or fact of one company. */
export function isCompanyRow({ kind, reading }: Sentence): boolean {
  return (kind === "table-row" || kind === "list-item") && TABLES.has(reading.hit.kind);
}
