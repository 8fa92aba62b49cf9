import type { ExtractedDocument } from "../domain/document.ts";
import type { DocumentExtractor } from "../domain/ports/document-reader.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { assemble, collapse } from "./block-text.ts";
import { decodeText } from "./decode.ts";
import { documentKind, isPdf, nameOf } from "./document-kind.ts";
import { documentLanguage } from "./document-language.ts";
import type { Draft } from "./draft.ts";
import { extractText } from "./extract-text.ts";
import { extractHtml } from "./html/extract-html.ts";
import { extractPage } from "./html/extract-page.ts";
import { extractMarkdown } from "./markdown/extract-markdown.ts";
import { extractPdf } from "./pdf/extract-pdf.ts";
import { loadPdfium } from "./pdf/pdfium.ts";

export const DEFAULT_MAX_DOCUMENT_BYTES = 5_000_000;
/** Of most PDFs the greater part is pictures and fonts. */
export const DEFAULT_MAX_PDF_BYTES = 25_000_000;
const MAX_PDF_PAGES = 1_000;

const EXTRACTORS = { html: extractHtml, markdown: extractMarkdown, text: extractText } as const;

type Input = Parameters<DocumentExtractor["extract"]>[0];
interface Limits {
  readonly maxBytes: number;
  readonly maxPdfBytes: number;
}

/**
 * Reads PDF, HTML, Markdown and plain text in this process; nothing of a document is executed or loaded. The same bytes, media
 * type and address always give the same document, with a title (the file's name where it has no other). For documents
 * that may be hostile see `createIsolatedExtractor`.
 * @throws DossierError from `extract`: `document_too_large` above `maxBytes`, of which a PDF's text may have as many
 *   characters, above `maxPdfBytes` or 1,000 pages; `unreadable`, `empty`, `blocked`
 */
export function createExtractor(limits: Partial<Limits> = {}): DocumentExtractor {
  const all = { maxBytes: DEFAULT_MAX_DOCUMENT_BYTES, maxPdfBytes: DEFAULT_MAX_PDF_BYTES, ...limits };
  return { extract: async (input) => toDocument(await draftOf(input, all), input.url) };
}

async function draftOf(input: Input, { maxBytes, maxPdfBytes }: Limits): Promise<Draft> {
  try {
    assertSize(input, isPdf(input.bytes) ? maxPdfBytes : maxBytes);
    const kind = documentKind(input);
    if (kind === "pdf") return extractPdf(await loadPdfium(), input.bytes, { maxPages: MAX_PDF_PAGES, maxCharacters: maxBytes });
    const extract = kind === "html" && input.whole === true ? extractPage : EXTRACTORS[kind];
    return extract(decodeText(input.bytes, input.charset));
  } catch (error) {
    // Parsers recurse: a RangeError (stack) of theirs means a document nobody wrote by hand.
    throw toDossierError(error, "unreadable");
  }
}

function assertSize({ bytes }: Input, maxBytes: number): void {
  if (bytes.byteLength <= maxBytes) return;
  throw new DossierError("document_too_large", `The document has ${bytes.byteLength} bytes; at most ${maxBytes} are read.`);
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
