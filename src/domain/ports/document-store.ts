import type { ExtractedDocument, StoredDocument } from "../document.ts";

/** Content-addressed texts. One text is stored once, however many runs point at it. */
export interface DocumentStore {
  /** Stores the text under its hash and remembers that `runId` uses it. Done before the promise resolves. */
  put(runId: string, document: ExtractedDocument): Promise<StoredDocument>;
  /** @throws DossierError `not_found` */
  get(contentHash: string): Promise<StoredDocument>;
}
