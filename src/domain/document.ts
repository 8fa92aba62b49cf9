import { hash } from "node:crypto";
import { z } from "zod";

/** Where a text stands in its file. Pages and slides count from 1; a range is written as in `A4:D6`. */
export const PlaceSchema = z.union([
  z.object({ page: z.int().positive() }),
  z.object({ slide: z.int().positive(), notes: z.literal(true).optional() }),
  z.object({ sheet: z.string(), range: z.string() }),
]);
export type Place = z.infer<typeof PlaceSchema>;

/** `start` and `end` (exclusive) are offsets in UTF-16 code units. */
export const BlockSchema = z.object({
  kind: z.enum(["heading", "paragraph", "list-item", "table-row", "code", "quote"]),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  /** The level of a heading (1 to 6), the depth of a list item (from 1), 1 for a table's first row, otherwise 0. */
  level: z.int().nonnegative(),
  place: PlaceSchema.optional(),
});
export type Block = z.infer<typeof BlockSchema>;

/** `text` stands in the document's text; `url` is an absolute web address without a fragment. */
export const DocumentLinkSchema = z.object({ text: z.string(), url: z.string() });
export type DocumentLink = z.infer<typeof DocumentLinkSchema>;

/** The text is well-formed UTF-16 without BOM and NUL. Blocks are in order and do not overlap. */
export const ExtractedDocumentSchema = z.object({
  text: z.string(),
  title: z.string(),
  url: z.string(),
  language: z.string().nullable(),
  publishedAt: z.string().nullable(),
  author: z.string().nullable(),
  incomplete: z.string().optional(),
  blocks: z.array(BlockSchema),
  links: z.array(DocumentLinkSchema).optional(),
});
export type ExtractedDocument = z.infer<typeof ExtractedDocumentSchema>;

export const StoredDocumentSchema = ExtractedDocumentSchema.extend({ contentHash: z.string().regex(/^[0-9a-f]{64}$/) });
export type StoredDocument = z.infer<typeof StoredDocumentSchema>;

export function contentHashOf(text: string): string {
  return hash("sha256", text);
}

/** Returns the place of what stands from `start` to `end`, as far as the blocks tell. Several rows of a sheet are one range. */
export function placeOfSpan(blocks: readonly Block[], { start, end }: { readonly start: number; readonly end: number }): Place | undefined {
  const places = blocks.filter((block) => block.start < end && block.end > start).flatMap(({ place }) => place ?? []);
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined || !("sheet" in first && "sheet" in last) || first.sheet !== last.sheet) return first;
  const [[from = ""], to] = [first.range.split(":"), last.range.split(":").at(-1) ?? ""];
  return { sheet: first.sheet, range: from === to ? from : `${from}:${to}` };
}
