import { z } from "zod";

/** The name of an HTML custom element: lower case, with a hyphen. */
const TAG = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/;
const MAX_NAME_LENGTH = 100;
/** In UTF-16 code units. Longer HTML is dropped, not cut. */
const MAX_HTML_LENGTH = 100_000;

const PropsSchema = z.record(z.string().max(MAX_NAME_LENGTH), z.json());

/** For clients that show more than text. Clients must sanitize the HTML of a web component. */
export const ContentItemSchema = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("json"), json: z.json() }),
  z.object({ type: z.literal("component"), component: z.string().min(1).max(MAX_NAME_LENGTH), props: PropsSchema }),
  z.object({ type: z.literal("webcomponent"), tag: z.string().max(MAX_NAME_LENGTH).regex(TAG), props: PropsSchema }),
  z.object({ type: z.literal("webcomponent"), html: z.string().max(MAX_HTML_LENGTH), untrusted: z.literal(true) }),
]);
export type ContentItem = z.infer<typeof ContentItemSchema>;

export type ShownItem = Extract<ContentItem, { type: "component" | "webcomponent" }>;

export function isShown(item: ContentItem): item is ShownItem {
  return item.type === "component" || item.type === "webcomponent";
}

/** Fields in which servers put a component's name and a web component's HTML. */
const NAMES = ["component", "name"];
const HTML = ["html", "webcomponent", "template", "content"];
const MAX_DEPTH = 64;

/** Reads the forms that servers use: properties beside the name, HTML under other names. Null for others and deep nesting. */
export function readContentItem(value: unknown): ContentItem | null {
  const fields = fieldsOf(value);
  if (fields === null || isDeep(fields, MAX_DEPTH)) return null;
  const { type, props, tag, ...rest } = fields;
  // `name` without `props` may name anything.
  const named = (props === undefined ? NAMES.slice(0, 1) : NAMES).find((key) => typeof rest[key] === "string");
  const html = [...HTML.map((key) => rest[key]), fieldsOf(props)?.["html"]].find((one) => typeof one === "string");
  const isHtml = type === "webcomponent" || (type === "component" && named !== undefined && rest[named] === "webcomponent");
  if (isHtml && html !== undefined) return read({ type: "webcomponent", html, untrusted: true });
  if (type === "webcomponent") return read({ type, tag, props: props ?? {} });
  if (type !== "component" || named === undefined) return read(fields);
  const { [named]: component, ...flat } = rest;
  return read({ type, component, props: props ?? flat });
}

/** Longer lists are data. */
const MAX_LIST = 1_000;
const SHOWN_TYPES = ["component", "webcomponent"];
const BESIDE = ["content", "type", "isError", "_meta"];

/** The items of a list, a wrapped list or a single item; null if an item has no type, or none is a component. */
export function readContentList(value: unknown): readonly TypedFields[] | null {
  const fields = fieldsOf(value);
  const isList = fields !== null && Array.isArray(fields["content"]) && Object.keys(fields).every((key) => BESIDE.includes(key));
  const list = isList ? fields["content"] : value;
  const items: readonly unknown[] = Array.isArray(list) ? list : [list];
  if (items.length > MAX_LIST || !items.every(isTyped)) return null;
  const known = items.filter(({ type }) => SHOWN_TYPES.includes(type)).map(readContentItem);
  return known.length > 0 && known.every((item) => item !== null) ? items : null;
}

type TypedFields = Fields & { readonly type: string };

function isTyped(value: unknown): value is TypedFields {
  return typeof fieldsOf(value)?.["type"] === "string";
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function read(value: unknown): ContentItem | null {
  return ContentItemSchema.safeParse(value).data ?? null;
}

function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((one) => isDeep(one, left - 1));
}
