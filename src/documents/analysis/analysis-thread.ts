// analyzed-documents.ts runs this file in worker threads.
import { serialize } from "node:v8";
import type { ExtractedDocument } from "../../domain/document.ts";
import { analyzeText } from "../../ranking/analyze-text.ts";

export function analyze(document: Pick<ExtractedDocument, "text" | "blocks">): Buffer {
  return serialize(analyzeText(document));
}
