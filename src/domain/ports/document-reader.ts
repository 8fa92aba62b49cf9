import type { ExtractedDocument } from "../document.ts";
import type { Hit } from "../hit.ts";
import type { CallContext } from "./http-fetch.ts";

/** Fetches what a hit points to and extracts its text. */
export interface DocumentReader {
  /** @throws DossierError with a code of the ledger when there is no text to be had. */
  read(hit: Hit, context: CallContext): Promise<ExtractedDocument>;
}

/** Turns the bytes of a file or a page into text with structure. */
export interface DocumentExtractor {
  /**
   * @param input.mediaType as declared, without parameters; empty where unknown, then the content decides
   * @param input.charset as the transport declared it, where it did
   * @param input.whole all text of a page, not only its article
   * @throws DossierError `document_too_large`, `unreadable`, `empty`, `blocked` (it asks for a password), `timeout`, or what
   *   `signal` was aborted with
   */
  extract(
    input: { bytes: Uint8Array; mediaType: string; url: string; charset?: string; whole?: boolean },
    signal?: AbortSignal,
  ): Promise<ExtractedDocument>;
}
