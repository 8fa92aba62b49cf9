import type { ExtractedDocument } from "../domain/document.ts";
import type { DocumentExtractor } from "../domain/ports/document-reader.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { assemble, collapse } from "./block-text.ts";
import { decodeText } from "./decode.ts";
import { documentKind, nameOf } from "./document-kind.ts";
import { documentLanguage } from "./document-language.ts";
import type { Draft } from "./draft.ts";
import { extractHtml } from "./extract-html.ts";
import { extractMarkdown } from "./extract-markdown.ts";
import { extractPage } from "./extract-page.ts";
import { extractText } from "./extract-text.ts";

export const DEFAULT_MAX_DOCUMENT_BYTES = 5_000_000;

const EXTRACTORS = { html: extractHtml, markdown: extractMarkdown, text: extractText } as const;

type Input = Parameters<DocumentExtractor["extract"]>[0];

/**
 * Reads HTML, Markdown and plain text; nothing of a document is executed or loaded. The same bytes, media type and
 * address always give the same document, with a title (the file's name where it has no other).
 * @throws DossierError from `extract`: `document_too_large` above `maxBytes`, `unreadable`, `empty`
 */
export function createExtractor({ maxBytes = DEFAULT_MAX_DOCUMENT_BYTES }: { maxBytes?: number } = {}): DocumentExtractor {
  return {
    async extract(input) {
      if (input.bytes.byteLength > maxBytes) {
        throw new DossierError("document_too_large", `The document has ${input.bytes.byteLength} bytes; at most ${maxBytes} are read.`);
      }
      return toDocument(draftOf(input), input.url);
    },
  };
}

function draftOf(input: Input): Draft {
  try {
    const kind = documentKind(input);
    const extract = kind === "html" && input.whole === true ? extractPage : EXTRACTORS[kind];
    return extract(decodeText(input.bytes, input.charset));
  } catch (error) {
    // Parsers recurse: a RangeError (stack) of theirs means a document nobody wrote by hand.
    throw toDossierError(error, "unreadable");
  }
}

function toDocument(draft: Draft, url: string): ExtractedDocument {
  const { text, blocks } = assemble(draft.drafts);
  if (text === "") throw new DossierError("empty", "The document holds no text.");
  return {
    text,
    title: collapse(draft.title ?? "") || collapse(nameOf(url)) || url,
    url,
    language: documentLanguage(draft.language, text),
    publishedAt: draft.publishedAt,
    author: draft.author === null ? null : collapse(draft.author) || null,
    blocks,
  };
}
