import { LRUCache } from "lru-cache";
import type { AnalyzedDocument } from "../../domain/analysis.ts";
import type { StoredDocument } from "../../domain/document.ts";
import { DOCUMENTS_SOURCE, type Hit, sourceIdOf } from "../../domain/hit.ts";
import type { ThreadMaterialStore, ThreadPlace } from "../../domain/ports/material.ts";
import type { CallContext, DocumentReader, SearchSource } from "../../domain/ports/sources.ts";
import { uploadedHash } from "../../domain/upload.ts";
import { DossierError } from "../../errors.ts";
import { findPassages } from "./find-passages.ts";

/** In UTF-16 code units. */
const MAX_CACHED_LENGTH = 8_000_000;

interface ThreadDocumentsDeps {
  readonly store: ThreadMaterialStore;
  readonly analyze: (document: StoredDocument) => Promise<AnalyzedDocument>;
}

/**
 * The documents that the user gave to the thread of a run, as a source. It ignores the days of a query: the user wants these documents.
 * Methods throw DossierError `not_found` if the document or the run is gone, `out_of_scope`.
 */
export function createThreadDocuments({ store, analyze }: ThreadDocumentsDeps): SearchSource & DocumentReader {
  const known = new LRUCache<string, StoredDocument>({ maxSize: MAX_CACHED_LENGTH });

  async function load(place: ThreadPlace, contentHash: string): Promise<StoredDocument> {
    // One text may be in several threads, with other names.
    const key = JSON.stringify([place.tenant, place.threadId, contentHash]);
    const document = known.get(key) ?? (await store.document(place, contentHash));
    if (document === null) throw new DossierError("not_found", "The document is no longer in the thread.");
    known.set(key, document, { size: Math.max(1, document.text.length) });
    return document;
  }

  async function placeOf({ runId = "", scope }: CallContext): Promise<ThreadPlace> {
    if (!scope.includes(DOCUMENTS_SOURCE))
      throw new DossierError("out_of_scope", `The documents of the thread were not read: the scope of the run is ${scope.join(", ")}.`);
    const place = await store.placeOf(runId);
    if (place === null) throw new DossierError("not_found", "The run is gone, and so are the documents of its thread.");
    return place;
  }

  return {
    id: DOCUMENTS_SOURCE,
    kind: "upload",
    title: "Documents of the thread",
    async search({ text, context: earlier = "", limit }, context) {
      const place = await placeOf(context);
      const analyzed: AnalyzedDocument[] = [];
      for (const { contentHash } of (await store.list(place)).documents) {
        context.signal.throwIfAborted();
        analyzed.push(await analyze(await load(place, contentHash)));
      }
      const found = findPassages(`${text} ${earlier}`.trim(), analyzed);
      return { hits: found.slice(0, limit).map(({ document, snippet }) => toHit(document, snippet)), gaps: null, sent: text };
    },
    async read({ url }, context) {
      const contentHash = uploadedHash(url);
      if (contentHash === null) throw new DossierError("not_found", `${url} is not a document of the thread.`);
      const place = await placeOf(context);
      if (!(await store.list(place)).documents.some((one) => one.contentHash === contentHash))
        throw new DossierError("not_found", "The document is no longer in the thread.");
      const { contentHash: _, ...document } = await load(place, contentHash);
      return document;
    },
  };
}

function toHit({ title, url, publishedAt }: StoredDocument, snippet: string): Hit {
  return { id: sourceIdOf(url), kind: "upload", title, url, publishedAt, foundBy: DOCUMENTS_SOURCE, contentHash: null, snippet };
}
