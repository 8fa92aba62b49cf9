import type { Nodes, Parents } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { type BlockDraft, cleanCode, collapse, type Draft } from "./block-text.ts";
import { normalizeDate } from "./dates.ts";
import { extractText } from "./extract-text.ts";
import { bodyOf } from "./html/dom.ts";
import { htmlBlocks } from "./html/html-blocks.ts";
import { parsePage } from "./html/parse-page.ts";
import type { DraftLink } from "./links.ts";

export function extractMarkdown(text: string): Draft {
  const { fields, body } = splitFrontMatter(text);
  const drafts = splitMarkdown(body).flatMap((part) => (part.plain ? extractText(part.text).drafts : markdownBlocks(part.text)));
  const headings = drafts.filter((draft) => draft.kind === "heading");
  const heading = headings.find((draft) => draft.level === 1) ?? headings[0];
  return {
    drafts,
    title: field(fields, ["title"]) ?? heading?.text ?? null,
    language: field(fields, ["lang", "language", "locale"]),
    publishedAt: normalizeDate(field(fields, ["date", "published", "publishedat", "published_at", "pubdate", "created"])),
    author: field(fields, ["author", "authors", "by"]),
  };
}

const FENCED = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const MAX_FRONT_MATTER_LENGTH = 20_000;
const FIELD = /^([A-Za-z][\w-]*)[ \t]*:[ \t]*(\S.*)$/;

function splitFrontMatter(text: string): { readonly fields: ReadonlyMap<string, string>; readonly body: string } {
  const match = FENCED.exec(text.slice(0, MAX_FRONT_MATTER_LENGTH));
  const lines = match?.[1]?.split(/\r?\n/) ?? [];
  // `---` without `key: value` lines is a thematic break, not front matter.
  if (!match || !lines.every((line) => /^\s*(?:#.*)?$|^[A-Za-z][\w-]*[ \t]*:|^\s+\S|^\s*-\s/.test(line)))
    return { fields: new Map(), body: text };
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, key = "", value = ""] = FIELD.exec(line) ?? [];
    if (key !== "") fields.set(key.toLowerCase(), unquote(value.trim()));
  }
  return { fields, body: text.slice(match[0].length) };
}

function unquote(value: string): string {
  const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(value);
  if (quoted) return quoted[2] ?? "";
  const list = /^\[(.*)\]$/.exec(value);
  if (list) return Array.from((list[1] ?? "").split(","), (item) => unquote(item.trim())).join(", ");
  return value.replace(/\s+#.*$/, "");
}

function field(fields: ReadonlyMap<string, string>, keys: readonly string[]): string | null {
  return keys.map((key) => fields.get(key)).find((value) => value !== undefined && value !== "") ?? null;
}

type Context = Pick<BlockDraft, "kind" | "level">;

function markdownBlocks(text: string): BlockDraft[] {
  const tree = fromMarkdown(text, { extensions: [gfm({ singleTilde: false })], mdastExtensions: [gfmFromMarkdown()] });
  return childBlocks(tree, { kind: "paragraph", level: 0 });
}

function childBlocks(parent: Parents, context: Context): BlockDraft[] {
  return parent.children.flatMap((child) => blocksOf(child, context));
}

function blocksOf(node: Nodes, context: Context): BlockDraft[] {
  switch (node.type) {
    case "heading":
      return [{ kind: "heading", level: node.depth, text: inlineText(node), ...linksOf(node) }];
    case "paragraph":
      return [{ ...context, text: inlineText(node), ...linksOf(node) }];
    case "code":
      return [{ kind: "code", level: 0, text: cleanCode(node.value) }];
    case "html":
      return htmlBlocks(bodyOf(parsePage(node.value)));
    case "list":
      return childBlocks(node, { kind: "list-item", level: context.kind === "list-item" ? context.level + 1 : 1 });
    case "blockquote":
      return childBlocks(node, { kind: "quote", level: 0 });
    case "table":
      return node.children.map(({ children }, index) => {
        const cells = children.map(inlineText);
        const text = cells.some((cell) => cell !== "") ? cells.join(" | ").trim() : "";
        return { kind: "table-row", level: index === 0 ? 1 : 0, text, ...linksOf({ type: "tableRow", children }) };
      });
    case "listItem":
    case "footnoteDefinition":
      return childBlocks(node, context);
    default:
      return [];
  }
}

function linksOf(node: Nodes): Pick<BlockDraft, "links"> {
  const links = linksIn(node);
  return links.length === 0 ? {} : { links };
}

function linksIn(node: Nodes): DraftLink[] {
  if (node.type === "link") return [{ href: node.url, text: inlineText(node) }].filter(({ text }) => text !== "");
  return "children" in node ? node.children.flatMap(linksIn) : [];
}

const PRESENTATION = /<(?:su[bp]|del|s|strike)\b/i;

function inlineText(node: Nodes): string {
  const html = rawText(node, (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
  return collapse(PRESENTATION.test(html) ? (bodyOf(parsePage(html)).textContent ?? "") : rawText(node));
}

/** Without `encode`, HTML tags are dropped. With it, tags are kept and all other text is encoded. */
function rawText(node: Nodes, encode?: (text: string) => string): string {
  if (node.type === "text" || node.type === "inlineCode") return encode?.(node.value) ?? node.value;
  if (node.type === "break" || node.type === "delete" || (node.type === "html" && /^<br\b/i.test(node.value))) return " ";
  if (node.type === "html") return encode ? node.value : "";
  return "children" in node ? node.children.map((child) => rawText(child, encode)).join("") : "";
}

/** micromark takes quadratic time: half a minute for 1 MB, but one second if the text is cut into parts of this length. */
const PART_LENGTH = 32_000;
const MAX_PART_LENGTH = 128_000;
/**
 * One unit of cost is about 25 ns. A paragraph with n marks such as `*` costs n² more, a part with n items of lists n² / 2 more,
 * and with n containers in others or after empty lines 4 n² more.
 */
const COST_PER_CHARACTER = 40;
const COST_PER_LINE = 800;
const COST_OF_ITEMS = 0.5;
const COST_OF_CONTAINERS = 4;
const MAX_PART_COST = 8_000_000;
const MAX_TOTAL_COST = 120_000_000;
const ITEMS = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?=\s)/gm;
/** After the mark of an item comes a space: `- **Term**` and `---` have one mark or none. */
const CONTAINERS =
  /^[ \t]*>[ \t]*(?:[-*+>]|\d{1,9}[.)])|^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s|$))|^[ \t]{2,}(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s|$))|\n[ \t]*\n[ \t]*>/gm;
const MARKS = /[*_~[\]!<`&]/g;
const PARAGRAPH_START = /\n(?=[ \t]*(?:\n|#|(?:[-*+]|\d{1,9}[.)])\s))/;
const PARAGRAPH_OR_ROW_START = /\n(?=[ \t]*(?:\n|[#|]|(?:[-*+]|\d{1,9}[.)])\s))/;
const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*\|[-:| \t]*$/m;
const DEEP_QUOTE = /^[ \t]*(?:>[ \t]*){50}/m;
const DEEP_LIST = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){50}/m;
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S{1,2000}[^\n]{0,200}$/gm;
const MAX_DEFINITIONS_LENGTH = 8_000;

/** Cuts text into parts, each with all link definitions. A part is `plain` if micromark would take too long for it. */
function splitMarkdown(text: string): { readonly text: string; readonly plain: boolean }[] {
  const parts = cut(text);
  const definitions = parts.length > 1 ? (text.match(DEFINITION) ?? []).join("\n").slice(0, MAX_DEFINITIONS_LENGTH) : "";
  let spent = 0;
  return parts.map((part) => {
    const cost = costOf(part);
    const plain = cost > MAX_PART_COST || spent + cost > MAX_TOTAL_COST;
    if (!plain) spent += cost;
    return { text: plain || definitions === "" ? part : `${part}\n\n${definitions}`, plain };
  });
}

function cut(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const boundary of boundaries(text)) {
    if (boundary - start < PART_LENGTH) continue;
    parts.push(text.slice(start, boundary));
    start = boundary;
  }
  return [...parts, text.slice(start)];
}

function* boundaries(text: string): Generator<number> {
  let offset = 0;
  let fence = "";
  let afterEmpty = false;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (afterEmpty && fence === "" && /^\S/.test(line)) yield offset;
    if (mark && fence === "") fence = mark[1] ?? "";
    else if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === "") fence = "";
    afterEmpty = line.trim() === "";
    offset += line.length + 1;
  }
}

function costOf(part: string): number {
  if (part.length > MAX_PART_LENGTH || DEEP_QUOTE.test(part) || DEEP_LIST.test(part)) return Number.POSITIVE_INFINITY;
  const prose = part.replaceAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\1[ \t]*$/gm, "");
  const paragraphs = prose.split(TABLE_RULE.test(prose) ? PARAGRAPH_OR_ROW_START : PARAGRAPH_START);
  const squares = paragraphs.map((paragraph) => (paragraph.match(MARKS)?.length ?? 0) ** 2);
  const count = (pattern: RegExp): number => prose.match(pattern)?.length ?? 0;
  const nested = count(ITEMS) ** 2 * COST_OF_ITEMS + count(CONTAINERS) ** 2 * COST_OF_CONTAINERS;
  const lines = Math.min(part.length, PART_LENGTH) * COST_PER_CHARACTER + prose.split("\n").length * COST_PER_LINE;
  return squares.reduce((sum, square) => sum + square, lines + nested);
}
