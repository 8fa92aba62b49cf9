import { createHash } from "node:crypto";
import { type ContentBlock, ContentBlockSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { type ContentItem, readContentItem, readContentList } from "../../domain/content.ts";
import { canonicalJson } from "../../domain/json.ts";
import type { OfferedTool, ToolResult, ToolSource } from "../../domain/tool.ts";
import { DossierError } from "../../errors.ts";
import { parseJson } from "../../util/json-fields.ts";
import { cutText } from "../shared/text.ts";

// Lengths are in UTF-16 code units.
const SNIPPET_LENGTH = 300;
const MAX_TITLE_LENGTH = 200;
const MAX_ERROR_LENGTH = 1_000;
const MAX_SOURCES = 20;
const MAX_JSON_LENGTH = 20_000;
const MAX_ITEMS = 100;
const MAX_BLOCKS = 1_000;
const MAX_PROPS_LENGTH = 2_000;

/** Accepts unknown block types, because servers also send components, which MCP does not define. */
export const AnswerSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
type Answer = z.infer<typeof AnswerSchema>;
type Block = Answer["content"][number];

interface Called {
  readonly offered: Pick<OfferedTool, "server" | "tool" | "kind">;
  readonly args: unknown;
  readonly maxCharacters: number;
}

/** The text of a `mutation` tool is not a source, because it proves nothing. @throws DossierError `tool_failed` */
export function readResult(result: Answer, called: Called): ToolResult {
  const { maxCharacters } = called;
  const blocks = result.content.slice(0, MAX_BLOCKS).map(readBlock);
  if (result.isError === true) throw failureOfTool(blocks);
  const unpacked = blocks.flatMap((block) => itemsInText(block) ?? [block]);
  const structured = structuredItems(result, unpacked);
  // Structured data repeats the text. Structured items may say more.
  const isMore = structured.length > 0 && readContentList(result.structuredContent) !== null;
  const text = cutText(joinedText(isMore ? [...unpacked, ...structured] : unpacked) || joinedText(structured), maxCharacters);
  const own = called.offered.kind === "query" ? ownSource(text, called) : [];
  const sources = [...own, ...blocks.flatMap((block) => sourceOf(block, called))].slice(0, MAX_SOURCES);
  const content = boundedItems([...unpacked, ...structured].flatMap((block) => itemsOf(block, maxCharacters)));
  return { text, sources, ...(content.some(({ type }) => type !== "text") && { content }) };
}

interface ReadBlock {
  readonly raw: Block;
  readonly known: ContentBlock | undefined;
  readonly item: ContentItem | null;
  readonly isTooLarge: boolean;
  readonly text: string;
}

function readBlock(raw: Block): ReadBlock {
  const known = ContentBlockSchema.safeParse(raw).data;
  const item = readContentItem(raw) ?? (known === undefined ? readContentItem({ type: "json", json: raw }) : null);
  const isTooLarge = item !== null && item.type !== "text" && JSON.stringify({ ...item, html: undefined }).length > MAX_JSON_LENGTH;
  return { raw, known, item, isTooLarge, text: known === undefined ? textOfItem(raw.type, item, isTooLarge) : textOf(known) };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return clean(block.text);
    case "resource":
      return "text" in block.resource ? clean(block.resource.text) : `(a file of type ${block.resource.mimeType ?? "unknown"}, not shown)`;
    case "resource_link":
      return `${block.title ?? block.name}${block.description === undefined ? "" : `: ${block.description}`}`;
    case "image":
    case "audio":
      return `(${block.type} of type ${block.mimeType}, not shown)`;
  }
}

function textOfItem(type: string, item: ContentItem | null, isTooLarge: boolean): string {
  if (item?.type === "text") return clean(item.text);
  if (item?.type === "json") return JSON.stringify(item.json);
  if (isTooLarge) return "(a component, too large to be shown)";
  if (item?.type === "component")
    return `(the component ${item.component}, shown to the reader: ${cutText(JSON.stringify(item.props), MAX_PROPS_LENGTH)})`;
  if (item?.type === "webcomponent") {
    const { tag, props } = item;
    const html = "html" in item ? item.html.trim() : "";
    const element = tag === undefined && props === undefined ? "" : JSON.stringify({ tag, props });
    return `(a web component, shown to the reader: ${cutText([element, html].filter(Boolean).join(" "), MAX_PROPS_LENGTH)})`;
  }
  return `(${cutText(type, MAX_TITLE_LENGTH)}, not shown)`;
}

function failureOfTool(blocks: readonly ReadBlock[]): DossierError {
  const texts = blocks.map(({ text }) => text);
  const message = texts.join(" ").replaceAll(/\s+/g, " ").trim();
  return new DossierError("tool_failed", cutText(message, MAX_ERROR_LENGTH) || "The tool failed, and its server does not say why.");
}

/** Servers may repeat structured content as text for older clients. Those items are dropped here. */
function structuredItems({ structuredContent }: Answer, blocks: readonly ReadBlock[]): readonly ReadBlock[] {
  if (structuredContent === undefined) return [];
  const items = readContentList(structuredContent) ?? [{ type: "json", json: structuredContent }];
  const known = new Set(blocks.map(({ raw }) => JSON.stringify(raw)));
  return items.filter((item) => !known.has(JSON.stringify(item))).map(readBlock);
}

function joinedText(blocks: readonly ReadBlock[]): string {
  const texts = blocks.map(({ text }) => text);
  return texts.filter((text) => text !== "").join("\n\n");
}

const FENCED = /^\s*```(?:json)?\s*\n([\s\S]*)\n```\s*$/;

/** Some servers send components as JSON inside a text block. Returns null for any other block. */
function itemsInText({ known }: ReadBlock): readonly ReadBlock[] | null {
  const text = known?.type === "text" ? known.text : "";
  const json = FENCED.exec(text)?.[1] ?? text;
  const items = /^\s*[[{]/.test(json) ? readContentList(parseJson(json))?.map(readBlock) : undefined;
  return items === undefined || items.some(({ isTooLarge }) => isTooLarge) ? null : items;
}

function itemsOf({ item, isTooLarge, text }: ReadBlock, maxCharacters: number): ContentItem[] {
  if (item !== null && item.type !== "text" && !isTooLarge) return [item];
  return text === "" ? [] : [{ type: "text", text: cutText(text, maxCharacters) }];
}

function boundedItems(items: readonly ContentItem[]): ContentItem[] {
  const left = items.length - MAX_ITEMS;
  return left <= 0 ? [...items] : [...items.slice(0, MAX_ITEMS), { type: "text", text: `(${left} further items, not shown)` }];
}

function ownSource(text: string, { offered: { server, tool }, args }: Called): ToolSource[] {
  if (text === "") return [];
  const given = canonicalJson(args ?? {});
  const hash = createHash("sha256").update(given, "utf8").digest("hex").slice(0, 12);
  const title = cutText(`${tool}${given === "{}" ? "" : ` ${given}`}`, MAX_TITLE_LENGTH);
  const url = `${server}/${encodeURIComponent(tool)}#${hash}`;
  return [{ title, url, publishedAt: null, snippet: cutText(text, SNIPPET_LENGTH), text }];
}

/** The URL of an embedded text begins with the server's id, because the server could claim any URL. */
function sourceOf({ known: block }: ReadBlock, { offered: { server }, maxCharacters }: Called): ToolSource[] {
  if (block?.type === "resource" && "text" in block.resource && block.resource.text !== "") {
    const { uri } = block.resource;
    const text = cutText(clean(block.resource.text), maxCharacters);
    const url = `${server}/${encodeURIComponent(uri)}`;
    return [{ title: cutText(uri, MAX_TITLE_LENGTH), url, publishedAt: null, snippet: cutText(text, SNIPPET_LENGTH), text }];
  }
  if (block?.type === "resource_link" && /^https?:/i.test(block.uri) && URL.canParse(block.uri)) {
    const title = cutText(clean(block.title ?? block.name), MAX_TITLE_LENGTH);
    const snippet = cutText(clean(block.description ?? ""), SNIPPET_LENGTH);
    return [{ title, url: new URL(block.uri).href, publishedAt: null, snippet, text: null }];
  }
  return [];
}

function clean(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\u0000", "").trim();
}
