import type { JsonValue } from "../../../../src/domain/json.ts";
import { firstOf, listOf, type Props, propsOf, textOf } from "./read-props.ts";

export interface TableData {
  readonly columns: readonly { readonly key: string; readonly title: string }[];
  readonly rows: readonly (readonly JsonValue[])[];
}

const MAX_COLUMNS = 50;

/** Reads `{columns, rows}`. Columns are titles or `{key, title}`, rows are lists or objects; without columns they have the keys of the rows. */
export function tableOf(props: Props): TableData {
  const rows = listOf(firstOf(props, "rows", "data"));
  const given = listOf(firstOf(props, "columns", "headers")).map((column, index) => {
    const { key, field, id, ...others } = propsOf(column);
    const title = typeof column === "string" ? column : textOf(firstOf(others, "title", "label", "name", "header"));
    const name = textOf(key ?? field ?? id) || title || String(index);
    return { key: name, title: title || name };
  });
  const columns = (given.length > 0 ? given : keysOf(rows)).slice(0, MAX_COLUMNS);
  return { columns, rows: rows.map((row) => cellsOf(row, columns)) };
}

function keysOf(rows: readonly JsonValue[]): TableData["columns"] {
  const keys = new Set(rows.slice(0, 100).flatMap((row) => (Array.isArray(row) ? [] : Object.keys(propsOf(row)))));
  if (keys.size > 0) return [...keys].map((key) => ({ key, title: key }));
  const width = Math.max(0, ...rows.slice(0, 100).map((row) => (Array.isArray(row) ? row.length : 0)));
  return Array.from({ length: width }, (_, index) => ({ key: String(index), title: String(index + 1) }));
}

function cellsOf(row: JsonValue, columns: TableData["columns"]): readonly JsonValue[] {
  if (Array.isArray(row)) return columns.map((_, index) => row[index] ?? null);
  const cells = propsOf(row);
  return columns.map(({ key, title }) => firstOf(cells, key, title) ?? null);
}

/** A cell as text: nested values as JSON. */
export function cellText(cell: JsonValue): string {
  return cell === null ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
