import { z } from "zod";

/** A custom element of HTML, as its standard names them (lower case, with a hyphen). */
const TAG = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/;
const MAX_NAME_LENGTH = 100;
/** The longest HTML that is handed on, in UTF-16 code units. It is kept whole or not at all. */
const MAX_HTML_LENGTH = 100_000;

const PropsSchema = z.record(z.string().max(MAX_NAME_LENGTH), z.json());

/**
 * One item of what a tool answers, for readers who show more than text. A component is one of the reader's own; a web component is a
 * custom element with its properties, or HTML as the tool wrote it: that is not to be trusted, and whoever shows it cleans it first.
 */
export const ContentItemSchema = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("json"), json: z.json() }),
  z.object({ type: z.literal("component"), component: z.string().min(1).max(MAX_NAME_LENGTH), props: PropsSchema }),
  z.object({ type: z.literal("webcomponent"), tag: z.string().max(MAX_NAME_LENGTH).regex(TAG), props: PropsSchema }),
  z.object({ type: z.literal("webcomponent"), html: z.string().max(MAX_HTML_LENGTH), untrusted: z.literal(true) }),
]);
export type ContentItem = z.infer<typeof ContentItemSchema>;

/** An item that is shown rather than read. */
export type ShownItem = Extract<ContentItem, { type: "component" | "webcomponent" }>;

/** Whether readers are told of an item by an event of its own. */
export function isShown(item: ContentItem): item is ShownItem {
  return item.type === "component" || item.type === "webcomponent";
}

/** Where servers put the name of a component, and the HTML of a web component. */
const NAMES = ["component", "name"];
const HTML = ["html", "webcomponent", "template", "content"];

/** An item as a server may write it: properties beside the name instead of under `props`, HTML under one of several names. Null for anything else. */
export function readContentItem(value: unknown): ContentItem | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { type, props, ...rest } = value as Readonly<Record<string, unknown>>;
  const strict = ContentItemSchema.safeParse(value);
  if (strict.success) return strict.data;
  const named = NAMES.find((key) => typeof rest[key] === "string");
  if (type === "component" && named !== undefined) {
    const { [named]: component, ...flat } = rest;
    return ContentItemSchema.safeParse({ type, component, props: props ?? flat }).data ?? null;
  }
  const html = HTML.map((key) => rest[key]).find((one) => typeof one === "string");
  return type === "webcomponent" ? (ContentItemSchema.safeParse({ type, html, untrusted: true }).data ?? null) : null;
}

/** The items of a list, or of one item; null where anything in it is none, or nothing in it is shown. */
export function readContentList(value: unknown): ContentItem[] | null {
  const items = (Array.isArray(value) ? value : [value]).map(readContentItem);
  const known = items.filter((item) => item !== null);
  return known.length === items.length && known.some(isShown) ? known : null;
}
