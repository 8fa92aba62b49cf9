import type { ExtractedDocument } from "../../domain/document.ts";
import { addressOf } from "../../domain/hit.ts";
import type { DocumentExtractor, DocumentReader } from "../../domain/ports/document-reader.ts";
import type { HttpFetch, HttpReply } from "../../domain/ports/http-fetch.ts";
import { toDossierError } from "../../errors.ts";
import { judgeAnswer, judgeText } from "./judge-page.ts";

/** More than any extractor reads; a PDF may be this large. */
const MAX_BYTES = 20_000_000;
const ACCEPT = "text/html, application/xhtml+xml, application/pdf, text/plain, text/markdown;q=0.9, */*;q=0.5";

/**
 * Reads what a hit points to from the web: its open full text where the finder knows one, otherwise its page.
 * @throws DossierError from `read`: what the fetch and the extractor throw, and `not_found`, `blocked`, `rate_limited`,
 *   `paywalled`, `unreachable`, `empty` by what the answer says
 */
export function createWebReader(fetch: HttpFetch, extractor: DocumentExtractor): DocumentReader {
  return {
    async read(hit, context) {
      const request = { url: addressOf(hit), maxBytes: MAX_BYTES, headers: { accept: ACCEPT } };
      const reply = await fetch.follow(hit.foundBy, request, context);
      const wall = judgeAnswer(reply);
      if (wall !== null) throw wall;
      const document = await extract(extractor, reply, context.signal);
      const shortened = judgeText(reply, document.text);
      if (shortened !== null) throw shortened;
      return document;
    },
  };
}

/** A page without a text may be the one that a paywall or a login leaves. */
async function extract(extractor: DocumentExtractor, reply: HttpReply, signal: AbortSignal): Promise<ExtractedDocument> {
  try {
    return await extractor.extract({ bytes: reply.body, url: reply.url, ...contentTypeOf(reply) }, signal);
  } catch (error) {
    throw (toDossierError(error).code === "empty" ? judgeText(reply, "") : null) ?? error;
  }
}

function contentTypeOf({ headers }: HttpReply): { mediaType: string; charset?: string } {
  const declared = headers["content-type"] ?? "";
  const charset = /;\s{0,5}charset\s{0,5}=\s{0,5}"?([\w:.-]+)/i.exec(declared)?.[1];
  return { mediaType: declared.split(";")[0]?.trim().toLowerCase() ?? "", ...(charset !== undefined && { charset }) };
}
