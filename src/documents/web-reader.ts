import type { ExtractedDocument } from "../domain/document.ts";
import type { Hit } from "../domain/hit.ts";
import type { DocumentExtractor, DocumentReader } from "../domain/ports/document-reader.ts";
import type { CallContext, HttpFetch, HttpReply } from "../domain/ports/http-fetch.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { judgeAnswer, judgeText } from "./judge-page.ts";

/** More than any extractor reads; a PDF may be this large. */
const MAX_BYTES = 20_000_000;
const ACCEPT = "text/html, application/xhtml+xml, application/pdf, text/plain, text/markdown;q=0.9, */*;q=0.5";

/**
 * Reads what a hit points to from the web: its open full text where the finder knows one, and its page where that cannot
 * be had.
 * @throws DossierError from `read`: what the fetch and the extractor throw, and `not_found`, `blocked`, `rate_limited`,
 *   `paywalled`, `unreachable` by what the answer says; of a hit with two addresses, what was said of its page
 */
export function createWebReader(fetch: HttpFetch, extractor: DocumentExtractor): DocumentReader {
  async function readPage(url: string, hit: Hit, context: CallContext): Promise<ExtractedDocument> {
    const reply = await fetch.follow(hit.foundBy, { url, maxBytes: MAX_BYTES, headers: { accept: ACCEPT } }, context);
    const error = judgeAnswer(reply);
    if (error !== null) throw error;
    try {
      const document = await extractor.extract({ bytes: reply.body, url: reply.url, ...contentTypeOf(reply) });
      const shortened = judgeText(reply, document.text);
      if (shortened !== null) throw shortened;
      return document;
    } catch (cause) {
      const { code } = toDossierError(cause);
      throw (code === "empty" ? judgeText(reply, "") : null) ?? cause;
    }
  }

  return {
    async read(hit, context) {
      const fullText = hit.publication?.fullTextUrl ?? null;
      if (fullText === null || fullText === hit.url) return readPage(hit.url, hit, context);
      try {
        return await readPage(fullText, hit, context);
      } catch (error) {
        context.signal.throwIfAborted();
        // Outside of its scope a run has no second address either.
        if (error instanceof DossierError && error.code === "out_of_scope") throw error;
        return readPage(hit.url, hit, context);
      }
    },
  };
}

function contentTypeOf({ headers }: HttpReply): { mediaType: string; charset?: string } {
  const declared = headers["content-type"] ?? "";
  const charset = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(declared)?.[1];
  return { mediaType: declared.split(";")[0]?.trim().toLowerCase() ?? "", ...(charset !== undefined && { charset }) };
}
