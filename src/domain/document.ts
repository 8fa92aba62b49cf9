import { hash } from "node:crypto";
import { z } from "zod";

/** `start` and `end` (exclusive) are offsets in UTF-16 code units. */
export const BlockSchema = z.object({
  kind: z.enum(["heading", "paragraph", "list-item", "table-row", "code", "quote"]),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  /** The level of a heading (1 to 6), the depth of a list item (from 1), 1 for a table's first row, otherwise 0. */
  level: z.int().nonnegative(),
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
