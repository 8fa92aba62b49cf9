import { createHash } from "node:crypto";
import { ContentBlockSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { type ContentItem, readContentItem, readContentList } from "../../domain/content.ts";
import { canonicalJson, type JsonValue } from "../../domain/json.ts";
import type { OfferedTool, ToolResult, ToolSource } from "../../domain/tool.ts";
import { DossierError } from "../../errors.ts";

const SNIPPET_LENGTH = 300;
const MAX_SOURCES = 20;
const MAX_TITLE_LENGTH = 200;
const MAX_ERROR_LENGTH = 1_000;
/** The longest JSON that readers are shown, and how many items of it. */
const MAX_JSON_LENGTH = 20_000;
/** How much of a component's properties a model reads. */
const MAX_PROPS_LENGTH = 2_000;

interface Called {
  readonly offered: Pick<OfferedTool, "server" | "tool" | "kind">;
  readonly args: unknown;
  readonly maxCharacters: number;
}

/** The answer to `tools/call`, with blocks that the protocol does not know: some servers send components among their texts. */
export const AnswerSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.record(z.string(), z.json()).optional(),
  isError: z.boolean().optional(),
});
type Answer = z.infer<typeof AnswerSchema>;
type Block = Answer["content"][number];

/**
 * A server's answer as a tool's: its text, the texts and links it brought as sources, and what is shown rather than read, in the order
 * of the answer. What a query says can be cited; what a mutation says of itself is no evidence.
 * @throws DossierError `tool_failed` where the server says that it failed
 */
export function readResult(result: Answer, called: Called): ToolResult {
  const { maxCharacters } = called;
  if (result.isError === true) throw failed(result);
  const structured = result.structuredContent;
  const blocks = result.content.flatMap(blocksOf);
  const read = blocks.map(wordsOf).filter((text) => text !== "");
  const words = read.length === 0 && structured !== undefined ? [JSON.stringify(structured)] : read;
  const text = cut(words.join("\n\n"), maxCharacters);
  const own = called.offered.kind === "query" ? ownSource(text, called) : [];
  const sources = [...own, ...result.content.flatMap((block) => sourceOf(block, called))].slice(0, MAX_SOURCES);
  const said = blocks.flatMap((block) => itemsOf(block, maxCharacters));
  // Servers repeat what is structured as text, for clients that read nothing else.
  const known = new Set(said.map((item) => canonicalJson(item)));
  const more = structured === undefined ? [] : structuredItems(structured).filter((item) => !known.has(canonicalJson(item)));
  const content = [...said, ...more];
  return { text, sources, ...(content.some(({ type }) => type !== "text") && { content }) };
}

/** A text that is nothing but a list of items with components in it stands for its items. */
function blocksOf(block: Block): Block[] {
  const known = ContentBlockSchema.safeParse(block).data;
  if (known?.type !== "text" || !/^\s*[[{]/.test(known.text)) return [block];
  try {
    return (readContentList(JSON.parse(known.text)) as Block[] | null) ?? [block];
  } catch {
    return [block];
  }
}

function itemsOf(block: Block, maxCharacters: number): ContentItem[] {
  const item = readContentItem(block);
  if (item !== null && item.type !== "text") return isTooLong(item) ? [] : [item];
  const text = cut(wordsOf(block), maxCharacters);
  return text === "" ? [] : [{ type: "text", text }];
}

function failed({ content }: Answer): DossierError {
  const said = content.map(wordsOf).join(" ").replaceAll(/\s+/g, " ").trim();
  return new DossierError("tool_failed", cut(said, MAX_ERROR_LENGTH) || "The tool failed, and its server does not say why.");
}

/** Structured content is a component, or a list of items, where it says so, otherwise JSON; what is too long is only read. */
function structuredItems(structured: Readonly<Record<string, JsonValue>>): ContentItem[] {
  const items = readContentList(structured["content"] ?? structured) ?? [{ type: "json" as const, json: structured as JsonValue }];
  return items.filter((item) => !isTooLong(item));
}

function isTooLong(item: ContentItem): boolean {
  return !("html" in item) && item.type !== "text" && JSON.stringify(item).length > MAX_JSON_LENGTH;
}

/** What a model reads of one block; of what is not text, that it was there. */
function wordsOf(block: Block): string {
  const known = ContentBlockSchema.safeParse(block).data;
  switch (known?.type) {
    case "text":
      return clean(known.text);
    case "resource":
      return "text" in known.resource ? clean(known.resource.text) : `(a file of type ${known.resource.mimeType ?? "unknown"}, not shown)`;
    case "resource_link":
      return `${known.title ?? known.name}${known.description === undefined ? "" : `: ${known.description}`}`;
    case "image":
    case "audio":
      return `(${known.type} of type ${known.mimeType}, not shown)`;
    default:
      return unknownWords(block);
  }
}

function unknownWords(block: Block): string {
  const item = readContentItem(block);
  if (item?.type === "component")
    return `(the component ${item.component}, shown to the reader: ${cut(JSON.stringify(item.props), MAX_PROPS_LENGTH)})`;
  if (item?.type === "webcomponent") return "(a web component, shown to the reader)";
  return `(${cut(block.type, MAX_TITLE_LENGTH)}, not shown)`;
}

/** The answer itself: the same call has the same address. */
function ownSource(text: string, { offered: { server, tool }, args }: Called): ToolSource[] {
  if (text === "") return [];
  const given = canonicalJson(args ?? {});
  const hash = createHash("sha256").update(given, "utf8").digest("hex").slice(0, 12);
  const shown = given === "{}" ? "" : ` ${given}`;
  const url = `${server}/${encodeURIComponent(tool)}#${hash}`;
  return [{ title: cut(`${tool}${shown}`, MAX_TITLE_LENGTH), url, publishedAt: null, snippet: cut(text, SNIPPET_LENGTH), text }];
}

/** Texts that came along stand under the server's name, whatever address they claim; a link to the web is followed like any other. */
function sourceOf(raw: Block, { offered: { server }, maxCharacters }: Called): ToolSource[] {
  const block = ContentBlockSchema.safeParse(raw).data;
  if (block?.type === "resource" && "text" in block.resource && block.resource.text !== "") {
    const { uri, text } = block.resource;
    const whole = cut(clean(text), maxCharacters);
    const snippet = cut(whole, SNIPPET_LENGTH);
    return [{ title: cut(uri, MAX_TITLE_LENGTH), url: `${server}/${encodeURIComponent(uri)}`, publishedAt: null, snippet, text: whole }];
  }
  if (block?.type === "resource_link" && /^https?:/i.test(block.uri) && URL.canParse(block.uri)) {
    const title = cut(clean(block.title ?? block.name), MAX_TITLE_LENGTH);
    const snippet = cut(clean(block.description ?? ""), SNIPPET_LENGTH);
    return [{ title, url: new URL(block.uri).href, publishedAt: null, snippet, text: null }];
  }
  return [];
}

function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}

/** As documents have their lines. */
function clean(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\u0000", "").trim();
}
