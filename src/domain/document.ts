import { createHash } from "node:crypto";
import { z } from "zod";

/** Offsets are UTF-16 code units, end exclusive. */
export const BlockSchema = z.object({
  kind: z.enum(["heading", "paragraph", "list-item", "table-row", "code", "quote"]),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  /** Headings: 1 to 6. List items: nesting depth from 1. First row of a table: 1. Otherwise 0. */
  level: z.int().nonnegative(),
});
export type Block = z.infer<typeof BlockSchema>;

/** The text of a file or page: well-formed UTF-16 without BOM and NUL, so it survives UTF-8. Blocks are in order and do not overlap. */
export const ExtractedDocumentSchema = z.object({
  text: z.string(),
  title: z.string(),
  url: z.string(),
  language: z.string().nullable(),
  publishedAt: z.string().nullable(),
  author: z.string().nullable(),
  /** Says which part of the document the text lacks; absent if complete. */
  incomplete: z.string().optional(),
  blocks: z.array(BlockSchema),
});
export type ExtractedDocument = z.infer<typeof ExtractedDocumentSchema>;

export const StoredDocumentSchema = ExtractedDocumentSchema.extend({ contentHash: z.string().regex(/^[0-9a-f]{64}$/) });
export type StoredDocument = z.infer<typeof StoredDocumentSchema>;

/** SHA-256 of the UTF-8 bytes, in lower-case hex. */
export function contentHashOf(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
