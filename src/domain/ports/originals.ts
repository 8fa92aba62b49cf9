import type { StoredDocument } from "../document.ts";

/** A file as it is on the server's disk, or as a user has sent it. */
export interface OriginalFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly name: string;
}

export interface Originals {
  /** Returns the file that a document was read from, if it has not changed since. @throws DossierError `not_found` */
  original(document: Pick<StoredDocument, "url" | "text">, signal: AbortSignal): Promise<OriginalFile>;
}
