import { createHash } from "node:crypto";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/sdk/types.js";
import { type ContentItem, ContentItemSchema } from "../../domain/content.ts";
import { canonicalJson, type JsonValue } from "../../domain/json.ts";
import type { OfferedTool, ToolResult, ToolSource } from "../../domain/tool.ts";
import { DossierError } from "../../errors.ts";

const SNIPPET_LENGTH = 300;
const MAX_SOURCES = 20;
const MAX_TITLE_LENGTH = 200;
const MAX_ERROR_LENGTH = 1_000;
/** The longest JSON that readers are shown, and how many items of it. */
const MAX_JSON_LENGTH = 20_000;

interface Called {
  readonly offered: Pick<OfferedTool, "server" | "tool" | "kind">;
  readonly args: unknown;
  readonly maxCharacters: number;
}

/**
 * A server's answer as a tool's: its text, the texts and links it brought as sources, and what is shown rather than read. What a
 * query says can be cited; what a mutation says of itself is no evidence.
 * @throws DossierError `tool_failed` where the server says that it failed
 */
export function readResult(result: CallToolResult, called: Called): ToolResult {
  const { maxCharacters } = called;
  if (result.isError === true) throw failed(result);
  const structured = result.structuredContent;
  const items = structured === undefined ? [] : [itemOf(structured as JsonValue)].filter((item) => item !== null);
  const said = result.content.map(wordsOf).filter((text) => text !== "");
  const words = said.length === 0 && structured !== undefined ? [JSON.stringify(structured)] : said;
  const text = cut(words.join("\n\n"), maxCharacters);
  const own = called.offered.kind === "query" ? ownSource(text, called) : [];
  const sources = [...own, ...result.content.flatMap((block) => sourceOf(block, called))].slice(0, MAX_SOURCES);
  const content: ContentItem[] = [...(text === "" ? [] : [{ type: "text" as const, text }]), ...items];
  return { text, sources, ...(items.length > 0 && { content }) };
}

function failed({ content }: CallToolResult): DossierError {
  const said = content.map(wordsOf).join(" ").replaceAll(/\s+/g, " ").trim();
  return new DossierError("tool_failed", cut(said, MAX_ERROR_LENGTH) || "The tool failed, and its server does not say why.");
}

/** Structured content is a component where it says so, otherwise JSON; what is too long is only read. */
function itemOf(structured: JsonValue): ContentItem | null {
  if (JSON.stringify(structured).length > MAX_JSON_LENGTH) return null;
  const item = ContentItemSchema.safeParse(structured);
  return item.success && item.data.type !== "text" ? item.data : { type: "json", json: structured };
}

/** What a model reads of one block; of what is not text, that it was there. */
function wordsOf(block: ContentBlock): string {
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
function sourceOf(block: ContentBlock, { offered: { server }, maxCharacters }: Called): ToolSource[] {
  if (block.type === "resource" && "text" in block.resource && block.resource.text !== "") {
    const { uri, text } = block.resource;
    const whole = cut(clean(text), maxCharacters);
    const snippet = cut(whole, SNIPPET_LENGTH);
    return [{ title: cut(uri, MAX_TITLE_LENGTH), url: `${server}/${encodeURIComponent(uri)}`, publishedAt: null, snippet, text: whole }];
  }
  if (block.type === "resource_link" && /^https?:/i.test(block.uri) && URL.canParse(block.uri)) {
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
