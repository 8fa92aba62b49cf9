import type { ExtractedDocument, StoredDocument } from "../document.ts";

/** Content-addressed texts. One text is stored once, however many runs point at it. */
export interface DocumentStore {
  /** Stores the text under its hash and remembers that `runId` uses it. Done before the promise resolves. */
  put(runId: string, document: ExtractedDocument): Promise<StoredDocument>;
  /**
   * A text that the run uses, with the title, the address and the blocks under which this run found it.
   * @throws DossierError `not_found`, also for a text that only other runs use
   */
  get(runId: string, contentHash: string): Promise<StoredDocument>;
}
