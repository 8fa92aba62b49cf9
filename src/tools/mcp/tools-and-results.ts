import { createHash } from "node:crypto";
import { ContentBlockSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { type ContentItem, readContentItem, readContentList } from "../../domain/content.ts";
import { canonicalJson, type JsonValue, replaceLoneSurrogates } from "../../domain/json.ts";
import type { OfferedTool, ToolResult, ToolSource } from "../../domain/tool.ts";
import { DossierError } from "../../errors.ts";
import { maskValues } from "../../util/mask-values.ts";
import type { BoundedClient } from "./connection.ts";
import { maskJson } from "./secrets.ts";
import type { ServerSettings } from "./servers-file.ts";

const MAX_DESCRIPTION_LENGTH = 1_000;
/** The longest schema that a model is shown; it is asked for an object where a server has a longer one. */
const MAX_SCHEMA_LENGTH = 8_000;

interface ListOptions {
  readonly id: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The tools of a connected server as runs are offered them. What it does not mark as read-only changes something. */
export async function offerTools(
  client: BoundedClient,
  settings: ServerSettings,
  { id, timeoutMs, signal }: ListOptions,
): Promise<OfferedTool[]> {
  // Loaded late: it brings much along that a service without servers never needs.
  const { loadMcpTools } = await import("@langchain/mcp-adapters");
  client.begin({ timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal });
  const tools = await loadMcpTools(settings.name, client, { throwOnLoadError: false });
  const offered = tools.map(({ name, description, schema, metadata }): OfferedTool => {
    const kind = isReadOnly(metadata) ? "query" : "mutation";
    return {
      name: toolName(settings.name, name),
      description: maskValues(description, settings.secrets).slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed(),
      kind,
      parameters: maskJson(parametersOf(schema), settings.secrets),
      server: id,
      tool: name,
      confirm: kind === "mutation" && !settings.allowMutations,
      timeoutMs: settings.timeoutMs,
    };
  });
  return [...new Map(offered.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
}

function isReadOnly(metadata: Readonly<Record<string, unknown>> | undefined): boolean {
  const annotations = metadata?.["annotations"];
  return typeof annotations === "object" && annotations !== null && "readOnlyHint" in annotations && annotations.readOnlyHint === true;
}

function parametersOf(schema: unknown): Record<string, JsonValue> {
  const text = JSON.stringify(schema, replaceLoneSurrogates);
  return text.length > MAX_SCHEMA_LENGTH ? { type: "object" } : JSON.parse(text);
}

/** What OpenAI's function names may consist of, and how long they may be. */
const FOREIGN = /[^A-Za-z0-9_-]/g;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * The name under which a server's tool is offered: `server__tool`. Where that had to be changed or cut to fit the alphabet and the
 * length of function names, a piece of the hash of both names keeps it apart from others.
 */
export function toolName(server: string, tool: string): string {
  const whole = `${server}__${tool}`;
  const plain = whole.replace(FOREIGN, "_");
  // A name with two underscores could be read as another server's tool.
  const ambiguous = server.includes("__");
  if (plain === whole && plain.length <= MAX_LENGTH && !ambiguous) return plain;
  const hash = createHash("sha256").update(`${server}\n${tool}`, "utf8").digest("hex").slice(0, HASH_LENGTH);
  return `${plain.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

const SNIPPET_LENGTH = 300;
const MAX_SOURCES = 20;
const MAX_TITLE_LENGTH = 200;
const MAX_ERROR_LENGTH = 1_000;
/** The longest JSON that readers are shown, and how many items of it. */
const MAX_JSON_LENGTH = 20_000;
const MAX_ITEMS = 100;
/** The most blocks of an answer that are looked into. */
const MAX_BLOCKS = 1_000;
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
  structuredContent: z.record(z.string(), z.unknown()).optional(),
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
  const said = result.content.slice(0, MAX_BLOCKS).flatMap((block) => itemsInText(block) ?? [block]);
  const structured = structuredIn(result, said);
  const text = cut(readable(said) || readable(structured), maxCharacters);
  const own = called.offered.kind === "query" ? ownSource(text, called) : [];
  const sources = [...own, ...result.content.slice(0, MAX_BLOCKS).flatMap((block) => sourceOf(block, called))].slice(0, MAX_SOURCES);
  const content = boundedItems([...said, ...structured].flatMap((block) => itemsOf(block, maxCharacters)));
  return { text, sources, ...(content.some(({ type }) => type !== "text") && { content }) };
}

/** The items of structured content, or itself as one; without those that stand in `said`, as servers repeat it for clients that read only text. */
function structuredIn({ structuredContent }: Answer, said: readonly Block[]): readonly Block[] {
  if (structuredContent === undefined) return [];
  const items = readContentList(structuredContent) ?? [{ type: "json", json: structuredContent }];
  const known = new Set(said.map((block) => JSON.stringify(block)));
  return items.filter((item) => !known.has(JSON.stringify(item)));
}

function readable(blocks: readonly Block[]): string {
  return blocks
    .map(wordsOf)
    .filter((text) => text !== "")
    .join("\n\n");
}

/** The items of a text that is nothing but a list of them, with components in it; null for any other block. */
function itemsInText(block: Block): readonly Block[] | null {
  const known = ContentBlockSchema.safeParse(block).data;
  const json = known?.type === "text" ? (FENCED.exec(known.text)?.[1] ?? known.text) : "";
  if (!/^\s*[[{]/.test(json)) return null;
  try {
    const items = readContentList(JSON.parse(json));
    // As text, more of it can be read.
    return items?.some((item) => isTooLarge(item)) ? null : items;
  } catch {
    return null;
  }
}

const FENCED = /^\s*```(?:json)?\s*\n([\s\S]*)\n```\s*$/;

function itemsOf(block: Block, maxCharacters: number): ContentItem[] {
  const item = readContentItem(block);
  if (item?.type === "json" && isTooLong(item)) return [];
  if (item !== null && item.type !== "text" && !isTooLong(item)) return [item];
  const text = cut(wordsOf(block), maxCharacters);
  return text === "" ? [] : [{ type: "text", text }];
}

/** No more components than readers can be shown; of the rest, how many there were. */
function boundedItems(items: readonly ContentItem[]): ContentItem[] {
  const left = items.length - MAX_ITEMS;
  return left <= 0 ? [...items] : [...items.slice(0, MAX_ITEMS), { type: "text", text: `(${left} further items, not shown)` }];
}

function failed({ content }: Answer): DossierError {
  const said = content.map(wordsOf).join(" ").replaceAll(/\s+/g, " ").trim();
  return new DossierError("tool_failed", cut(said, MAX_ERROR_LENGTH) || "The tool failed, and its server does not say why.");
}

function isTooLarge(block: Block): boolean {
  const item = readContentItem(block);
  return item !== null && isTooLong(item);
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
  if (item?.type === "json") return JSON.stringify(item.json);
  if (item !== null && isTooLong(item)) return "(a component, too large to be shown)";
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
