import { contentHashOf, type ExtractedDocument } from "../domain/document.ts";

/** `details` is a document without its text, as JSON. Equal documents have equal keys. */
export interface DescribedDocument {
  readonly contentHash: string;
  readonly key: string;
  readonly details: string;
}

export function describeDocument({ text, ...rest }: ExtractedDocument): DescribedDocument {
  const contentHash = contentHashOf(text);
  const details = JSON.stringify(rest);
  return { contentHash, key: contentHashOf(`${contentHash} ${details}`), details };
}
