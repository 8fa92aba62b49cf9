import type { Nodes, Parents } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { parse } from "yaml";
import { type Fields, isFields } from "../util/json-fields.ts";
import { type BlockDraft, cleanCode, collapse, type Draft } from "./block-text.ts";
import { normalizeDate } from "./dates.ts";
import { bodyOf } from "./html/dom.ts";
import { htmlBlocks } from "./html/html-blocks.ts";
import { parsePage } from "./html/parse-page.ts";
import type { DraftLink } from "./links.ts";

export function extractMarkdown(text: string): Draft {
  const { fields, body } = splitFrontMatter(text);
  const drafts = splitMarkdown(body).flatMap(markdownBlocks);
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

/** `---` above what is no YAML with keys is a thematic break. */
function splitFrontMatter(text: string): { readonly fields: Fields; readonly body: string } {
  const match = FENCED.exec(text.slice(0, MAX_FRONT_MATTER_LENGTH));
  const fields = match === null ? null : readYaml(match[1] ?? "");
  if (match === null || !isFields(fields)) return { fields: {}, body: text };
  const lowered = Object.entries(fields).map(([key, value]) => [key.toLowerCase(), value]);
  return { fields: Object.fromEntries(lowered), body: text.slice(match[0].length) };
}

function readYaml(text: string): unknown {
  try {
    // Without a schema all values are texts, also dates and numbers.
    return parse(text, { schema: "failsafe", maxAliasCount: 0, logLevel: "silent" });
  } catch {
    return null;
  }
}

function field(fields: Fields, keys: readonly string[]): string | null {
  const texts = keys.map((key) =>
    [fields[key]]
      .flat()
      .filter((value) => typeof value === "string")
      .join(", "),
  );
  return texts.find((text) => text !== "") ?? null;
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

/** In UTF-16 code units. micromark takes quadratic time: half a minute for 1 MB, but one second if the text is cut into parts of this length. */
const PART_LENGTH = 32_000;
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S{1,2000}[^\n]{0,200}$/gm;
const MAX_DEFINITIONS_LENGTH = 8_000;

/** Cuts text into parts, each with all link definitions. */
function splitMarkdown(text: string): string[] {
  const parts = cut(text);
  const definitions = parts.length > 1 ? (text.match(DEFINITION) ?? []).join("\n").slice(0, MAX_DEFINITIONS_LENGTH) : "";
  return definitions === "" ? parts : parts.map((part) => `${part}\n\n${definitions}`);
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
