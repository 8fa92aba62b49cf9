import { createHash } from "node:crypto";
import type { ExtractedDocument, StoredDocument } from "../domain/document.ts";

/** SHA-256 of the UTF-8 bytes of `text`, 64 lower-case hex digits. */
export function contentHash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** The document under the name of its content. */
export function toStored(document: ExtractedDocument): StoredDocument {
  return { ...document, contentHash: contentHash(document.text) };
}
