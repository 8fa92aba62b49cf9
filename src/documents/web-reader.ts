import type { ExtractedDocument } from "../domain/document.ts";
import type { Hit } from "../domain/hit.ts";
import type { DocumentExtractor, DocumentReader } from "../domain/ports/document-reader.ts";
import type { CallContext, HttpFetch, HttpReply } from "../domain/ports/http-fetch.ts";
import { judgePage } from "./judge-page.ts";

/** More than any extractor reads; a PDF may be this large. */
const MAX_BYTES = 20_000_000;
const ACCEPT = "text/html, application/xhtml+xml, application/pdf, text/plain, text/markdown;q=0.9, */*;q=0.5";

/**
 * Reads what a hit points to from the web: its open full text where the finder knows one, otherwise its page.
 * @throws DossierError from `read`: what the fetch and the extractor throw, and `not_found`, `blocked`, `rate_limited`,
 *   `paywalled`, `unreachable` by what the answer says
 */
export function createWebReader(fetch: HttpFetch, extractor: DocumentExtractor): DocumentReader {
  return {
    async read(hit: Hit, context: CallContext): Promise<ExtractedDocument> {
      const url = hit.publication?.fullTextUrl ?? hit.url;
      const reply = await fetch.follow(hit.foundBy, { url, maxBytes: MAX_BYTES, headers: { accept: ACCEPT } }, context);
      const error = judgePage(reply);
      if (error !== null) throw error;
      return extractor.extract({ bytes: reply.body, url: reply.url, ...contentTypeOf(reply) }, context.signal);
    },
  };
}

function contentTypeOf({ headers }: HttpReply): { mediaType: string; charset?: string } {
  const declared = headers["content-type"] ?? "";
  const charset = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(declared)?.[1];
  return { mediaType: declared.split(";")[0]?.trim().toLowerCase() ?? "", ...(charset !== undefined && { charset }) };
}
