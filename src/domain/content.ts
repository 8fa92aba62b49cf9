import { z } from "zod";

/** A custom element of HTML, as its standard names them (lower case, with a hyphen). */
const TAG = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/;
const MAX_NAME_LENGTH = 100;

const PropsSchema = z.record(z.string().max(MAX_NAME_LENGTH), z.json());

/**
 * One item of what a tool answers, for readers who show more than text. A component is one of the reader's own; a web component is a
 * custom element with its properties. Neither carries markup or code.
 */
export const ContentItemSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("json"), json: z.json() }),
  z.object({ type: z.literal("component"), component: z.string().min(1).max(MAX_NAME_LENGTH), props: PropsSchema }),
  z.object({ type: z.literal("webcomponent"), tag: z.string().max(MAX_NAME_LENGTH).regex(TAG), props: PropsSchema }),
]);
export type ContentItem = z.infer<typeof ContentItemSchema>;

/** An item that is shown rather than read. */
export type ShownItem = Extract<ContentItem, { type: "component" | "webcomponent" }>;

/** Whether readers are told of an item by an event of its own. */
export function isShown(item: ContentItem): item is ShownItem {
  return item.type === "component" || item.type === "webcomponent";
}
