import { DossierError } from "../../errors.ts";
import { type BlockDraft, collapse, type Draft } from "../block-text.ts";
import { withForm } from "./form-fields.ts";
import { removeHeadersAndFooters, toLines } from "./lines.ts";
import { LIST_MARK, type Paragraph, toParagraphs } from "./paragraphs.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";
import { type Page, readPage, SOFT_HYPHEN } from "./read-page.ts";
import { toRegions } from "./regions.ts";

type NumberedPage = Page & { readonly number: number };

interface PdfLimits {
  readonly maxPages: number;
  readonly maxCharacters: number;
}

/**
 * Extracts text in reading order, without headers and footers.
 * @throws DossierError `blocked` (password), `unreadable`, `empty` (no text, such as a scan) or `document_too_large`
 */
export function extractPdf(pdfium: Pdfium, bytes: Uint8Array, limits: PdfLimits): Draft {
  return withOpenPdf(pdfium, bytes, (document) => {
    const { pages, damaged } = withForm(pdfium, document, (form) => readPages(pdfium, document, form, limits));
    assertText(pages, { encrypted: pdfium._FPDF_GetSecurityHandlerRevision(document) >= 0, bytes });
    const metadata = readMetadata(pdfium, document);
    const drafts = toDrafts(pages);
    const heading = drafts.slice(0, 5).find(({ kind, level }) => kind === "heading" && level === 1);
    const incomplete = missingParts(pages, damaged, pdfium._FPDF_GetFormType(document) === DYNAMIC_FORM);
    return {
      ...metadata,
      title: metadata.title ?? heading?.text ?? null,
      language: null,
      drafts,
      ...(incomplete !== null && { incomplete }),
    };
  });
}

function readPages(
  pdfium: Pdfium,
  document: number,
  form: number,
  { maxPages, maxCharacters }: PdfLimits,
): { pages: NumberedPage[]; damaged: number[] } {
  const count = pdfium._FPDF_GetPageCount(document);
  if (count > maxPages)
    throw new DossierError("document_too_large", `The PDF was not read: ${count} pages exceed the limit of ${maxPages}.`);
  const pages: NumberedPage[] = [];
  const damaged: number[] = [];
  let left = maxCharacters;
  for (let number = 1; number <= count; number++) {
    const page = readPage(pdfium, document, form, number - 1, left);
    left -= page === null ? 0 : page.mapped + page.unmapped;
    if (page === null) damaged.push(number);
    else pages.push({ ...page, number });
  }
  if (pages.length === 0) throw new DossierError("unreadable", "The PDF is damaged: none of its pages can be opened.");
  return { pages, damaged };
}

/** The type of a form that has its content outside of the pages (fpdf_formfill.h). */
const DYNAMIC_FORM = 2;

function missingParts(pages: readonly NumberedPage[], damaged: readonly number[], isDynamic: boolean): string | null {
  const scans = pages.filter(isScan).map(({ number }) => number);
  const count = pages.length + damaged.length;
  const passwords = pages.reduce((sum, { skipped }) => sum + skipped.passwords, 0);
  const notes = pages.reduce((sum, { skipped }) => sum + skipped.notes, 0);
  const reasons = [
    ...(scans.length > 0 ? [`${pageRanges(scans)} of ${count} without a text layer`] : []),
    ...(damaged.length > 0 ? [`${pageRanges(damaged)} of ${count} damaged`] : []),
    ...(isDynamic ? ["its dynamic form (XFA) was not read"] : []),
    ...(passwords > 0 ? [`passwords in its form (${passwords}) were not read`] : []),
    ...(notes > 0 ? [`notes pinned to its pages (${notes}) were not read`] : []),
  ];
  return reasons.length === 0 ? null : `Only a part of its PDF: ${reasons.join("; ")}.`;
}

const MAX_RANGES = 8;

function pageRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const named = ranges.slice(0, MAX_RANGES).map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
  return `${numbers.length > 1 ? "pages" : "page"} ${[...named, ...(ranges.length > MAX_RANGES ? ["…"] : [])].join(", ")}`;
}

function toDrafts(pages: readonly NumberedPage[]): BlockDraft[] {
  const lined = pages.map((page) => ({ page, lines: toLines(page.segments) }));
  const paragraphs = toParagraphs(
    removeHeadersAndFooters(lined).map(({ page, lines }) => ({ regions: toRegions(lines), turn: page.turn, number: page.number })),
  );
  const vocabulary = vocabularyOf(paragraphs.flatMap(({ lines }) => lines));
  const classify = createClassifier(paragraphs);
  const texts = paragraphs.map((paragraph) => textOf(paragraph, vocabulary));
  return paragraphs.map((paragraph, i) => ({
    ...classify(paragraph, texts[i] ?? "", texts[i + 1]),
    text: texts[i] ?? "",
    place: { page: paragraph.page },
  }));
}

function textOf({ kind, lines }: Paragraph, vocabulary: ReadonlySet<string>): string {
  if (kind === "row") return lines.map((cell) => collapse(joinLines(cell.split("\n"), vocabulary))).join(" | ");
  return collapse(joinLines(lines, vocabulary).replaceAll(SOFT_HYPHEN, "-"));
}

const MIN_HEADING_RATIO = 1.12;
const MAX_HEADING_LENGTH = 160;
const MAX_BOLD_HEADING_LENGTH = 100;
const MAX_LEVEL = 6;
const NO_HEADING_END = /[.,;:。，；、：]$/u;
const CHAPTER = /^第[一二三四五六七八九十百零\d]+[章节編篇部]|^[一二三四五六七八九十]+、/u;
const SECTION_NUMBER = /^(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\p{Lu}/u;
const MIN_SECTION_LENGTH = 120;
const HAS_LETTER = /\p{L}{2}|\p{sc=Han}/u;

function bodySize(paragraphs: readonly Paragraph[]): number {
  const lengths = new Map<number, number>();
  for (const { kind, size, lines } of paragraphs) {
    if (kind === "text") lengths.set(size, (lengths.get(size) ?? 0) + lines.reduce((sum, line) => sum + line.length, 0));
  }
  return [...lengths].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0];
}

type Classifier = (paragraph: Paragraph, text: string, next?: string) => Pick<BlockDraft, "kind" | "level">;

function createClassifier(paragraphs: readonly Paragraph[]): Classifier {
  const body = bodySize(paragraphs);
  const large = paragraphs.filter((paragraph) => isLarger(paragraph, paragraph.lines.join(" "), body));
  const sizes = [...new Set(large.map(({ size }) => Math.round(size)))].toSorted((a, b) => b - a);
  return (paragraph, text, next = "") => {
    if (paragraph.kind === "row") return { kind: "table-row", level: 0 };
    if (isLarger(paragraph, text, body) || isBoldHeading(paragraph, text, body)) {
      const rank = sizes.indexOf(Math.round(paragraph.size));
      return { kind: "heading", level: Math.min(MAX_LEVEL, (rank < 0 ? sizes.length : rank) + 1) };
    }
    const number = SECTION_NUMBER.exec(text)?.[1];
    if (number !== undefined && isSectionTitle(paragraph, text, next))
      return { kind: "heading", level: Math.min(MAX_LEVEL, sizes.length + number.split(".").length) };
    return LIST_MARK.test(text) ? { kind: "list-item", level: 1 } : { kind: "paragraph", level: 0 };
  };
}

function isLarger({ kind, size, aside }: Paragraph, text: string, body: number): boolean {
  const titled = text.length <= MAX_HEADING_LENGTH && HAS_LETTER.test(text) && !/[,;，；、]$/u.test(text);
  return kind === "text" && !aside && size >= MIN_HEADING_RATIO * body && titled;
}

function isBoldHeading(paragraph: Paragraph, text: string, body: number): boolean {
  if (paragraph.aside || text.length > MAX_BOLD_HEADING_LENGTH || paragraph.lines.length > 2 || !HAS_LETTER.test(text)) return false;
  return paragraph.size >= 0.95 * body && !NO_HEADING_END.test(text) && (paragraph.bold || CHAPTER.test(text));
}

function isSectionTitle({ lines, aside }: Paragraph, text: string, next: string): boolean {
  if (aside || lines.length > 1 || text.length > MAX_BOLD_HEADING_LENGTH || NO_HEADING_END.test(text)) return false;
  const number = SECTION_NUMBER.exec(text)?.[1] ?? "";
  return SECTION_NUMBER.exec(next)?.[1]?.startsWith(`${number}.`) ?? (next.length >= MIN_SECTION_LENGTH && !LIST_MARK.test(next));
}

const WORD = /\p{L}+(?:[-‐]\p{L}+)*/gu;
const BROKEN_END = new RegExp(String.raw`(\p{L}+(?:[-‐]\p{L}+)*)[-‐${SOFT_HYPHEN}]$`, "u");
const CONTINUED_START = /^\p{L}+/u;

function vocabularyOf(lines: Iterable<string>): ReadonlySet<string> {
  const words = new Set<string>();
  for (const line of lines)
    for (const [word] of line.replace(BROKEN_END, "").matchAll(WORD)) words.add(word.toLowerCase().replaceAll("‐", "-"));
  return words;
}

function joinLines(lines: readonly string[], vocabulary: ReadonlySet<string>): string {
  return lines.reduce((text, line) => joinTwo(text, line, vocabulary));
}

/** Joins two lines. A hyphen between them stays if the document also contains the hyphenated word. */
function joinTwo(text: string, line: string, vocabulary: ReadonlySet<string>): string {
  const broken = BROKEN_END.exec(text.slice(-80))?.[1];
  const rest = CONTINUED_START.exec(line)?.[0];
  const cut = text.slice(0, -1);
  if (broken === undefined) return text.endsWith(SOFT_HYPHEN) ? `${cut}-${line}` : `${text}\n${line}`;
  if (rest === undefined) return `${cut}-${line}`;
  const compound = `${broken}-${rest}`.toLowerCase();
  const whole = `${broken}${rest}`.toLowerCase();
  const hyphenated = vocabulary.has(compound) || (!vocabulary.has(whole) && !/^\p{Ll}/u.test(rest));
  return hyphenated ? `${cut}-${line}` : `${cut}${line}`;
}

/** Error codes of PDFium (fpdfview.h). */
const PASSWORD = 4;
const SECURITY = 5;

function withOpenPdf<T>(pdfium: Pdfium, bytes: Uint8Array, work: (document: number) => T): T {
  return withMemory(pdfium, bytes.byteLength, (pointer) => {
    pdfium.HEAPU8.set(bytes, pointer);
    const document = pdfium._FPDF_LoadMemDocument(pointer, bytes.byteLength, 0);
    if (document === 0) throw failureOf(pdfium._FPDF_GetLastError());
    try {
      return work(document);
    } finally {
      pdfium._FPDF_CloseDocument(document);
    }
  });
}

function failureOf(error: number): DossierError {
  if (error === PASSWORD) return new DossierError("blocked", "The PDF is encrypted and needs a password. Remove the password first.");
  if (error === SECURITY)
    return new DossierError("unreadable", "The PDF uses an encryption that is not supported. Save it without encryption first.");
  return new DossierError("unreadable", "The PDF is damaged: its structure cannot be read.");
}

/** A scanned page has an image of at least this share of its area, and at most the text of a stamp. */
const MIN_SCAN_SHARE = 0.5;
const MAX_STAMP_CHARACTERS = 40;
const MIN_MAPPED_SHARE = 0.5;

function isScan({ imageShare, mapped }: Page): boolean {
  return imageShare >= MIN_SCAN_SHARE && mapped <= MAX_STAMP_CHARACTERS;
}

function assertText(pages: readonly Page[], source: { readonly encrypted: boolean; readonly bytes: Uint8Array }): void {
  const mapped = pages.reduce((sum, page) => sum + page.mapped, 0);
  const total = mapped + pages.reduce((sum, page) => sum + page.unmapped, 0);
  if (total > 0 && mapped < MIN_MAPPED_SHARE * total) {
    throw new DossierError("unreadable", `The fonts of the PDF lack Unicode values: only ${mapped} of ${total} characters can be read.`);
  }
  if (pages.some(isScan) && pages.every((page) => isScan(page) || (page.imageShare < MIN_SCAN_SHARE && page.mapped === 0))) {
    const found = mapped === 0 ? "without a text layer" : `with only ${mapped} characters of text`;
    throw new DossierError("empty", `The PDF is a scan: its pages are pictures ${found}. Run OCR on the file first.`);
  }
  if (mapped > 0) return;
  // PDFium ignores a damaged encryption dictionary and then finds no text.
  if (!source.encrypted && Buffer.from(source.bytes).includes("/Encrypt")) {
    throw new DossierError("unreadable", "The PDF is encrypted, and its encryption dictionary is damaged.");
  }
  throw new DossierError("empty", "The PDF contains no text: its pages are blank or drawings.");
}

const MAX_METADATA_BYTES = 4_096;
const NO_TITLE =
  /^microsoft (?:word|powerpoint|excel) - |^(?:untitled|document\d*|title|无标题|未命名)$|^\S+\.\w{2,5}$|\.(?:docx?|pdf|indd|pptx?|qxd)$|^doi:/i;
const NO_AUTHOR = /^(?:administrator|admin|user|owner|unknown|author|root|anonymous)$/i;

/** The date of the file says when it was written, not when its text was published. */
function readMetadata(pdfium: Pdfium, document: number): Pick<Draft, "title" | "author" | "publishedAt"> {
  const title = collapse(readMetaText(pdfium, document, "Title"));
  const author = collapse(readMetaText(pdfium, document, "Author"));
  return {
    title: title === "" || NO_TITLE.test(title) ? null : title,
    author: author === "" || NO_AUTHOR.test(author) ? null : author,
    publishedAt: null,
  };
}

function readMetaText(pdfium: Pdfium, document: number, key: string): string {
  return withMemory(pdfium, MAX_METADATA_BYTES + key.length + 1, (buffer) => {
    const name = buffer + MAX_METADATA_BYTES;
    pdfium.HEAPU8.set(Buffer.from(`${key}\0`), name);
    const length = pdfium._FPDF_GetMetaText(document, name, buffer, MAX_METADATA_BYTES);
    if (length < 2 || length > MAX_METADATA_BYTES) return "";
    return new TextDecoder("utf-16le").decode(pdfium.HEAPU8.subarray(buffer, buffer + length - 2)).replaceAll("\0", "");
  });
}
