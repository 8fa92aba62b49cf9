import { z } from "zod";
import { type Fields, fieldsOf, isFields } from "../util/json-fields.ts";

const TAG = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/;
const MAX_NAME_LENGTH = 100;
/** In UTF-16 code units. Longer HTML is dropped, not cut. */
const MAX_HTML_LENGTH = 100_000;

const PropsSchema = z.record(z.string().max(MAX_NAME_LENGTH), z.json());

/** A part of a tool result that clients show. Clients must sanitize the HTML of a web component. */
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

const NAME_FIELDS = ["component", "name"];
const HTML_FIELDS = ["html", "webcomponent", "template", "content"];
const MAX_DEPTH = 64;

export function readContentItem(value: unknown): ContentItem | null {
  if (!isFields(value) || isDeep(value, MAX_DEPTH)) return null;
  const { type, props, tag, ...rest } = value;
  const nameField = (props === undefined ? NAME_FIELDS.slice(0, 1) : NAME_FIELDS).find((key) => typeof rest[key] === "string");
  const html = [...HTML_FIELDS.map((key) => rest[key]), fieldsOf(props)["html"]].find((one) => typeof one === "string");
  const isHtml = type === "webcomponent" || (type === "component" && nameField !== undefined && rest[nameField] === "webcomponent");
  if (isHtml && html !== undefined) return parseItem({ type: "webcomponent", html, untrusted: true });
  if (type === "webcomponent") return parseItem({ type, tag, props: props ?? {} });
  if (type !== "component" || nameField === undefined) return parseItem(value);
  const { [nameField]: component, ...flat } = rest;
  return parseItem({ type, component, props: props ?? flat });
}

const MAX_LIST = 1_000;
const SHOWN_TYPES = ["component", "webcomponent"];
const RESULT_FIELDS = ["content", "type", "isError", "_meta"];

/** Accepts a list, an object with a list `content`, or one item. Returns null unless an item is a component. */
export function readContentList(value: unknown): readonly TypedFields[] | null {
  const isWrapped = isFields(value) && Array.isArray(value["content"]) && Object.keys(value).every((key) => RESULT_FIELDS.includes(key));
  const list = isWrapped ? value["content"] : value;
  const items: readonly unknown[] = Array.isArray(list) ? list : [list];
  if (items.length > MAX_LIST || !items.every(isTyped)) return null;
  const known = items.filter(({ type }) => SHOWN_TYPES.includes(type)).map(readContentItem);
  return known.length > 0 && known.every((item) => item !== null) ? items : null;
}

type TypedFields = Fields & { readonly type: string };

function isTyped(value: unknown): value is TypedFields {
  return typeof fieldsOf(value)["type"] === "string";
}

function parseItem(value: unknown): ContentItem | null {
  return ContentItemSchema.safeParse(value).data ?? null;
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeep(one, levels - 1));
}
