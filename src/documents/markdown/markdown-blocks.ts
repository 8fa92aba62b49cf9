import type { Nodes, Parents, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { type BlockDraft, cleanCode, collapse } from "../block-text.ts";
import { bodyOf, parsePage } from "../html/dom.ts";
import { htmlBlocks } from "../html/html-blocks.ts";

interface Context {
  readonly kind: BlockDraft["kind"];
  readonly level: number;
}

const PARAGRAPH: Context = { kind: "paragraph", level: 0 };

/** The blocks of a Markdown text of bounded depth (see `splitMarkdown`): links as their text, HTML as its text. */
export function markdownBlocks(text: string): BlockDraft[] {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return childBlocks(tree, PARAGRAPH);
}

function childBlocks(parent: Parents, context: Context): BlockDraft[] {
  return parent.children.flatMap((child) => blocksOf(child, context));
}

function blocksOf(node: Nodes, context: Context): BlockDraft[] {
  switch (node.type) {
    case "heading":
      return [{ kind: "heading", level: node.depth, text: inlineText(node) }];
    case "paragraph":
      return [{ ...context, text: inlineText(node) }];
    case "code":
      return [{ kind: "code", level: 0, text: cleanCode(node.value) }];
    case "html":
      return htmlBlocks(bodyOf(parsePage(node.value)));
    case "list":
      return childBlocks(node, { kind: "list-item", level: context.kind === "list-item" ? context.level + 1 : 1 });
    case "blockquote":
      return childBlocks(node, { kind: "quote", level: 0 });
    case "table":
      return tableRows(node);
    case "listItem":
    case "footnoteDefinition":
      return childBlocks(node, context);
    default:
      // Definitions and thematic breaks hold no text.
      return [];
  }
}

function tableRows(table: Table): BlockDraft[] {
  return table.children.map((row) => {
    const cells = row.children.map(inlineText);
    return { kind: "table-row", level: 0, text: cells.some((cell) => cell !== "") ? cells.join(" | ").trim() : "" };
  });
}

function inlineText(node: Nodes): string {
  return collapse(rawText(node));
}

/** Images stand for nothing: their text describes what the reader does not see (and is a badge, as a rule). */
function rawText(node: Nodes): string {
  if (node.type === "text" || node.type === "inlineCode") return node.value;
  if (node.type === "break" || (node.type === "html" && /^<br\b/i.test(node.value))) return " ";
  return "children" in node ? node.children.map(rawText).join("") : "";
}
