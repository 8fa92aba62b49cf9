import { z } from "zod";
import { type Fields, fieldsOf, isFields, parseJson } from "../util/json-fields.ts";

const TAG = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/;
const MAX_NAME_LENGTH = 100;
/** In UTF-16 code units. Longer HTML is dropped, not cut. */
const MAX_HTML_LENGTH = 100_000;

const TagSchema = z.string().max(MAX_NAME_LENGTH).regex(TAG);
const PropsSchema = z.record(z.string().max(MAX_NAME_LENGTH), z.json());

/** A part of a tool result that clients show. Clients must sanitize the HTML of a web component. */
export const ContentItemSchema = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("json"), json: z.json() }),
  z.object({ type: z.literal("component"), component: z.string().min(1).max(MAX_NAME_LENGTH), props: PropsSchema }),
  z.object({
    type: z.literal("webcomponent"),
    html: z.string().max(MAX_HTML_LENGTH),
    untrusted: z.literal(true),
    tag: TagSchema.optional(),
    props: PropsSchema.optional(),
  }),
  z.object({ type: z.literal("webcomponent"), tag: TagSchema, props: PropsSchema }),
]);
export type ContentItem = z.infer<typeof ContentItemSchema>;

export type ShownItem = Extract<ContentItem, { type: "component" | "webcomponent" }>;

export function isShown(item: ContentItem): item is ShownItem {
  return item.type === "component" || item.type === "webcomponent";
}

const NAME_FIELDS = ["component", "name"];
const HTML_FIELDS = ["html", "webcomponent", "template", "value", "content"];
/** The fields of a text and of JSON, and those of which an item may have any. */
const VALUE_FIELDS: Readonly<Record<string, readonly string[]>> = { text: ["text", "value", "content"], json: ["json", "value"] };
const REMARKS = ["annotations", "_meta"];
const MAX_DEPTH = 64;

/** Returns null for what is no item, so that the caller can show it as it is. */
export function readContentItem(value: unknown): ContentItem | null {
  if (!isFields(value) || isDeep(value, MAX_DEPTH)) return null;
  const { type, props, ...rest } = value;
  if (type === "text" || type === "json") return readValue(type, value);
  const nameField = (props === undefined ? NAME_FIELDS.slice(0, 1) : NAME_FIELDS).find((key) => typeof rest[key] === "string");
  const { html: inner, ...others } = fieldsOf(props);
  const html = [...HTML_FIELDS.map((key) => rest[key]), inner].find((one) => typeof one === "string");
  const tag = [rest["tag"], rest["component"]].find((one) => TagSchema.safeParse(one).success);
  const isHtml = type === "webcomponent" || (type === "component" && nameField !== undefined && rest[nameField] === "webcomponent");
  const element = { ...(tag !== undefined && { tag }), ...(Object.keys(others).length > 0 && { props: others }) };
  if (isHtml && html !== undefined) return parseItem({ type: "webcomponent", html, untrusted: true, ...element });
  if (type === "webcomponent") return parseItem({ type, tag, props: props ?? {} });
  if (type !== "component" || nameField === undefined) return null;
  const { [nameField]: component, ...flat } = rest;
  const beside = Object.entries(flat).filter(([key, one]) => !REMARKS.includes(key) && one !== null);
  return parseItem({ type, component, props: isFields(props) ? { ...Object.fromEntries(beside), ...props } : (props ?? flat) });
}

function readValue(type: "text" | "json", item: Fields): ContentItem | null {
  const present = Object.keys(item).filter((key) => key !== "type" && item[key] !== null && !REMARKS.includes(key));
  const [field = ""] = present;
  if (present.length !== 1 || VALUE_FIELDS[type]?.includes(field) !== true) return null;
  const value = item[field];
  if (type === "json") return parseItem({ type, json: typeof value === "string" ? (parseJson(value) ?? value) : value });
  return typeof value === "object" ? parseItem({ type: "json", json: value }) : parseItem({ type, text: String(value) });
}

const MAX_LIST = 1_000;
const RESULT_FIELDS = ["content", "type", "isError", "_meta"];

/** Accepts a list, an object with a list `content`, or one item. Returns null unless one of them is an item; the others become text and JSON. */
export function readContentList(value: unknown): readonly TypedFields[] | null {
  const isWrapped = isFields(value) && Array.isArray(value["content"]) && Object.keys(value).every((key) => RESULT_FIELDS.includes(key));
  const list = isWrapped ? value["content"] : value;
  const items: readonly unknown[] = Array.isArray(list) ? list : [list];
  if (items.length > MAX_LIST || items.every((item) => readContentItem(item) === null)) return null;
  return items.map((item) => {
    if (isTyped(item)) return item;
    return typeof item === "string" ? { type: "text", text: item } : { type: "json", json: item };
  });
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
