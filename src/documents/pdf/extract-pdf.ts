import { DossierError } from "../../errors.ts";
import { type BlockDraft, collapse } from "../block-text.ts";
import type { Draft } from "../draft.ts";
import { type LinedPage, withoutFurniture } from "./furniture.ts";
import { createClassifier } from "./headings.ts";
import { joinLines, vocabularyOf } from "./hyphens.ts";
import { toLines } from "./lines.ts";
import { readMetadata } from "./metadata.ts";
import { withOpenPdf } from "./open-pdf.ts";
import { type Page, readPage } from "./pages.ts";
import { type Paragraph, toParagraphs } from "./paragraphs.ts";
import type { Pdfium } from "./pdfium.ts";
import { toRegions } from "./regions.ts";
import { SOFT_HYPHEN } from "./segments.ts";
import { assertText } from "./text-layer.ts";

export interface PdfLimits {
  readonly maxPages: number;
  readonly maxCharacters: number;
}

/**
 * The text of a PDF: what its pages say, in reading order, without headers, footers and page numbers. Nothing in it is
 * executed, fetched or rendered, and attachments are not read.
 * @throws DossierError `blocked` where it asks for a password, `unreadable` where it is damaged or its fonts do not say what
 *   they draw, `empty` without text (a scan), `document_too_large`
 */
export function extractPdf(pdfium: Pdfium, bytes: Uint8Array, limits: PdfLimits): Draft {
  return withOpenPdf(pdfium, bytes, (document) => {
    const pages = readPages(pdfium, document, limits);
    assertText(pages, { encrypted: pdfium._FPDF_GetSecurityHandlerRevision(document) >= 0, bytes });
    const metadata = readMetadata(pdfium, document);
    const drafts = toDrafts(pages);
    return { ...metadata, title: metadata.title ?? titleOf(drafts), language: null, drafts };
  });
}

function readPages(pdfium: Pdfium, document: number, { maxPages, maxCharacters }: PdfLimits): Page[] {
  const count = pdfium._FPDF_GetPageCount(document);
  if (count > maxPages) throw new DossierError("document_too_large", `The PDF has ${count} pages; at most ${maxPages} are read.`);
  const pages: Page[] = [];
  let left = maxCharacters;
  for (let number = 0; number < count; number++) {
    const page = readPage(pdfium, document, number, left);
    if (page === null) continue;
    left -= page.mapped + page.unmapped;
    pages.push(page);
  }
  if (pages.length === 0) throw new DossierError("unreadable", "The PDF is damaged: none of its pages can be opened.");
  return pages;
}

function toDrafts(pages: readonly Page[]): BlockDraft[] {
  const lined: LinedPage[] = pages.map((page) => ({ page, lines: toLines(page.segments) }));
  const paragraphs = toParagraphs(withoutFurniture(lined).map(({ page, lines }) => ({ regions: toRegions(lines), turn: page.turn })));
  const vocabulary = vocabularyOf(paragraphs.flatMap(({ lines }) => lines));
  const classify = createClassifier(paragraphs);
  const texts = paragraphs.map((paragraph) => textOf(paragraph, vocabulary));
  return paragraphs.map((paragraph, i) => ({ ...classify(paragraph, texts[i] ?? "", texts[i + 1]), text: texts[i] ?? "" }));
}

function textOf({ kind, lines }: Paragraph, vocabulary: ReadonlySet<string>): string {
  if (kind === "row") return lines.map((cell) => collapse(joinLines(cell.split("\n"), vocabulary))).join(" | ");
  return collapse(joinLines(lines, vocabulary).replaceAll(SOFT_HYPHEN, "-"));
}

/** The largest heading, where it comes early. */
function titleOf(drafts: readonly BlockDraft[]): string | null {
  return drafts.slice(0, 5).find(({ kind, level }) => kind === "heading" && level === 1)?.text ?? null;
}
