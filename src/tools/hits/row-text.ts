import type { ToolSource } from "../../domain/tool.ts";

/**
 * Text of rows, a line each, so that each can be quoted alone: a row is a whole statement, with what it is about, its
 * unit, its time and where it comes from, in one sentence.
 */
export function rowText(rows: readonly string[]): Required<Pick<ToolSource, "blocks">> & { readonly text: string } {
  const lines = rows.map((row) => row.toWellFormed().replaceAll("\0", "").replaceAll(/\s+/g, " ").trim()).filter((row) => row !== "");
  let start = 0;
  const blocks = lines.map((line) => {
    const block = { kind: "list-item" as const, start, end: start + line.length, level: 1 };
    start = block.end + 1;
    return block;
  });
  return { text: lines.join("\n"), blocks };
}
