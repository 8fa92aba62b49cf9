import type { StoredDocument } from "../domain/document.ts";
import type { DocumentStore } from "../domain/ports/documents.ts";
import { DossierError } from "../errors.ts";

/** The documents of a recording; nothing can be added. */
export function createMemoryDocumentStore(documents: readonly StoredDocument[]): DocumentStore {
  const byHash = new Map(documents.map((document) => [document.contentHash, document]));
  return {
    async put() {
      throw new DossierError("internal", "A replay stores no documents.");
    },
    async get(_, contentHash) {
      const document = byHash.get(contentHash);
      if (document === undefined) throw new DossierError("not_found", `The recording holds no document ${contentHash}.`);
      return document;
    },
  };
}
