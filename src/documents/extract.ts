import type { ExtractedDocument } from "../domain/document.ts";
import type { DocumentExtractor } from "../domain/ports/sources.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { evidentLanguage, scriptOf } from "../ranking/language.ts";
import { assemble, collapse, type Draft } from "./block-text.ts";
import { type DecodedText, decodeBytes } from "./decode-text.ts";
import { type DocumentKind, documentKind, isPdf, nameOf } from "./document-kind.ts";
import { extractText } from "./extract-text.ts";
import { shrinkHtml } from "./html/shrink-html.ts";
import { resolveLinks } from "./links.ts";

const DEFAULT_LIMITS = { maxBytes: 5_000_000, maxHtmlBytes: 20_000_000, maxPdfBytes: 25_000_000 };
const SHRUNK_ABOVE_BYTES = 2_000_000;
const MAX_PDF_PAGES = 1_000;
const MAX_TITLE_LENGTH = 1_000;

type Input = Parameters<DocumentExtractor["extract"]>[0];
type Limits = Readonly<typeof DEFAULT_LIMITS>;

/**
 * Reads PDF, DOCX, XLSX, PPTX, HTML, Markdown, CSV and plain text in this process. Use `createIsolatedExtractor` for untrusted documents.
 * @throws DossierError from `extract`: `document_too_large`, `unreadable`, `empty` or `blocked`
 */
export function createExtractor(limits: Partial<Limits> = {}): DocumentExtractor {
  const all = { ...DEFAULT_LIMITS, ...limits };
  return { extract: async (input) => toDocument(await draftOf(input, all), input.url) };
}

async function draftOf(input: Input, limits: Limits): Promise<Draft> {
  try {
    assertSize(input.bytes.byteLength, limits[isPdf(input.bytes) ? "maxPdfBytes" : "maxHtmlBytes"]);
    const kind = documentKind(input);
    if (kind === "pdf") return await pdfDraft(input, limits);
    if (kind === "html") return await htmlDraft(input, limits);
    if (kind === "docx") return await (await import("./office/extract-docx.ts")).extractDocx(input.bytes, limits.maxBytes);
    if (kind === "xlsx") return await (await import("./office/extract-xlsx.ts")).extractXlsx(input.bytes, limits.maxBytes);
    if (kind === "pptx") return (await import("./office/extract-pptx.ts")).extractPptx(input.bytes, limits.maxBytes);
    assertSize(input.bytes.byteLength, limits.maxBytes);
    const decoded = decodeBytes(input.bytes, input.charset);
    return withDoubt(await textDraft(kind, decoded.text, limits), decoded);
  } catch (error) {
    // A hostile document may overflow the stack of a parser.
    throw toDossierError(error, "unreadable");
  }
}

async function textDraft(kind: DocumentKind, text: string, { maxBytes }: Limits): Promise<Draft> {
  if (kind === "csv") return (await import("./extract-csv.ts")).extractCsv(text, maxBytes);
  return kind === "markdown" ? (await import("./extract-markdown.ts")).extractMarkdown(text) : extractText(text);
}

function withDoubt(draft: Draft, { doubtful }: DecodedText): Draft {
  if (doubtful === null) return draft;
  const doubt = `The text does not tell its encoding, which was guessed: ${doubtful}. If letters are wrong, save it as UTF-8.`;
  return { ...draft, incomplete: draft.incomplete === undefined ? doubt : `${draft.incomplete} ${doubt}` };
}

// Parsers are imported on demand, because loading one takes longer than reading most documents.

async function pdfDraft({ bytes }: Input, { maxBytes }: Limits): Promise<Draft> {
  const [{ extractPdf }, { loadPdfium }] = await Promise.all([import("./pdf/extract-pdf.ts"), import("./pdf/pdfium.ts")]);
  return extractPdf(await loadPdfium(), bytes, { maxPages: MAX_PDF_PAGES, maxCharacters: maxBytes });
}

async function htmlDraft(input: Input, limits: Limits): Promise<Draft> {
  const decoded = decodeBytes(input.bytes, input.charset);
  const page = pageOf(input, decoded.text, limits);
  const { extractHtml, extractPage } = await import("./html/extract-html.ts");
  return withDoubt(input.whole === true ? extractPage(page) : extractHtml(page), decoded);
}

function pageOf({ bytes }: Input, html: string, { maxBytes }: Limits): string {
  if (bytes.byteLength <= SHRUNK_ABOVE_BYTES) {
    assertSize(bytes.byteLength, maxBytes);
    return html;
  }
  const shrunk = shrinkHtml(html);
  assertSize(Buffer.byteLength(shrunk), maxBytes, " without scripts, styles and pictures");
  return shrunk;
}

function assertSize(size: number, maxBytes: number, how = ""): void {
  if (size <= maxBytes) return;
  throw new DossierError("document_too_large", `The document was not read: ${size} bytes${how} exceed the limit of ${maxBytes}.`);
}

function toDocument(draft: Draft, url: string): ExtractedDocument {
  const { text, blocks } = assemble(draft.drafts);
  if (text === "") throw new DossierError("empty", "The document contains no text.");
  const links = resolveLinks(
    draft.drafts.flatMap(({ links = [] }) => links),
    url,
    draft.base,
  );
  return {
    text,
    title: (collapse(draft.title ?? "") || collapse(nameOf(url)) || url).slice(0, MAX_TITLE_LENGTH).toWellFormed(),
    url,
    language: documentLanguage(draft.language, text),
    publishedAt: draft.publishedAt,
    author: draft.author === null ? null : collapse(draft.author) || null,
    ...(draft.incomplete !== undefined && { incomplete: draft.incomplete }),
    blocks,
    ...(links.length > 0 && { links }),
  };
}

/** Ignores a declared language whose script the text does not have, because many templates declare `en`. */
function documentLanguage(declared: string | null, text: string): string | null {
  const tag = canonicalTag(declared);
  const shown = evidentLanguage(text);
  if (tag === null || shown === null) return tag ?? shown;
  const script = scriptOf(tag) ?? "";
  // Chinese has several scripts, and a Japanese text may have few kana.
  return script === scriptOf(shown) || (shown === "zh" && /^(?:Han[it]|Bopo|Jpan)$/.test(script)) ? tag : shown;
}

function canonicalTag(declared: string | null): string | null {
  try {
    const tag = Intl.getCanonicalLocales((declared ?? "").trim().replaceAll("_", "-"))[0] ?? null;
    return tag === "und" ? null : tag;
  } catch {
    return null;
  }
}
