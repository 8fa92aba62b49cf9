import type { Block } from "../../domain/document.ts";

const FORMS: readonly (readonly [Block["kind"], RegExp])[] = [
  ["heading", /^#{1,6}\s+\S/],
  ["list-item", /^\s*(?:[-*+•·▪◦‣]|\d{1,3}[.)])\s+\S/],
  ["table-row", /^\s*\|.*\|\s*$/],
  ["quote", /^>\s*\S/],
];

/**
 * Blocks for a text that came without any, such as a snippet: paragraphs between empty lines, and lines that look like
 * headings, list items, table rows or quotes of plain text.
 */
export function guessBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open = false;
  for (const line of text.matchAll(/[^\n]+|\n[^\S\n]*(?=\n)/g)) {
    const content = line[0];
    if (content.trim() === "") {
      open = false;
      continue;
    }
    const kind = FORMS.find(([, form]) => form.test(content))?.[0] ?? "paragraph";
    const end = line.index + content.length;
    const last = blocks.at(-1);
    // A line without a form of its own goes on with the paragraph or item above it.
    if (open && last && kind === "paragraph" && last.kind !== "table-row") blocks[blocks.length - 1] = { ...last, end };
    else blocks.push({ kind, start: line.index, end, level: kind === "heading" ? content.indexOf(" ") : 0 });
    open = kind !== "heading";
  }
  return blocks;
}
