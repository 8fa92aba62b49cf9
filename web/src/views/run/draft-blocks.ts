/** A block of Markdown as drafts have it. Inline marks stay in the texts. */
export type DraftBlock =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph" | "code"; readonly text: string }
  | { readonly kind: "list"; readonly items: { readonly level: number; readonly number: string | null; text: string }[] }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly rows: (readonly string[])[] };

/** Reads the Markdown that the server shows while a report is written. What it does not know is a paragraph. Linear in the length of the text. */
export function draftBlocks(markdown: string): DraftBlock[] {
  const lines = markdown.split("\n");
  const blocks: DraftBlock[] = [];
  let isOpen = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const last = isOpen ? blocks.at(-1) : undefined;
    const fence = /^`{3,}/.exec(line)?.[0];
    const heading = /^(#{1,6})\s+(.+)$/.exec(line);
    const item = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/.exec(line);
    isOpen = line.trim() !== "" && heading === null && fence === undefined;
    if (fence !== undefined) {
      const end = lines.findIndex((other, index) => index > at && other.startsWith(fence));
      const until = end < 0 ? lines.length : end;
      blocks.push({ kind: "code", text: lines.slice(at + 1, until).join("\n") });
      at = until;
    } else if (heading !== null) blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" });
    else if (!isOpen) continue;
    else if (line.startsWith("|") && (last?.kind === "table" || isRule(lines[at + 1]))) {
      if (last?.kind === "table") {
        if (!isRule(line)) last.rows.push(cellsIn(line));
      } else blocks.push({ kind: "table", head: cellsIn(line), rows: [] });
    } else if (item !== null) {
      const row = { level: Math.min(5, Math.floor((item[1]?.length ?? 0) / 2)), number: item[2] ?? null, text: item[3] ?? "" };
      if (last?.kind === "list") last.items.push(row);
      else blocks.push({ kind: "list", items: [row] });
    } else if (last?.kind === "paragraph") blocks[blocks.length - 1] = { kind: "paragraph", text: `${last.text}\n${line}` };
    else blocks.push({ kind: "paragraph", text: line });
  }
  return blocks;
}

function isRule(line = ""): boolean {
  return /^\|(?:\s*:?-+:?\s*\|)+\s*$/.test(line);
}

function cellsIn(line: string): string[] {
  const cells = line
    .trim()
    .slice(1)
    .split(/(?<!\\)\|/);
  return cells.slice(0, -1).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

export interface DraftPiece {
  readonly kind: "text" | "code" | "citation" | "unverified";
  readonly text: string;
}

const PIECES = /(`[^`\n]+`)|\[([A-Z]{0,2}\d{1,4})(?:\s*[:：][^\]\n]*)?\]|(\(not verified\)|（未核实）)/g;

/** Splits a text at its citations, code and marks. @param offset is added to citation numbers, which each part of a report counts from 1 */
export function draftPieces(text: string, offset: number): DraftPiece[] {
  const plain = text.replaceAll("**", "");
  const pieces: DraftPiece[] = [];
  let from = 0;
  for (const match of plain.matchAll(PIECES)) {
    const [whole, code, id = ""] = match;
    const before = plain.slice(from, match.index);
    const words = code === undefined ? before.trimEnd() : before;
    if (words !== "") pieces.push({ kind: "text", text: words });
    if (code !== undefined) pieces.push({ kind: "code", text: code.slice(1, -1) });
    else if (id !== "") pieces.push({ kind: "citation", text: `[${/^\d/.test(id) ? Number(id) + offset : id}]` });
    else pieces.push({ kind: "unverified", text: whole });
    from = match.index + whole.length;
  }
  if (from < plain.length) pieces.push({ kind: "text", text: plain.slice(from) });
  return pieces;
}

/** The highest citation number of a text; 0 without one. */
export function lastCitation(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/\[(\d{1,4})\]/g), ([, number]) => Number(number)));
}
