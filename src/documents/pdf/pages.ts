import { DossierError } from "../../errors.ts";
import { type Box, readGlyphs, turned } from "./glyphs.ts";
import { type Pdfium, readFloats, withMemory } from "./pdfium.ts";
import { type Segment, toSegments } from "./segments.ts";

/** What stands on one page. Segments of one `turn` share coordinates; the ones of the page's main turn come first. */
export interface Page {
  readonly segments: readonly Segment[];
  readonly turn: number;
  /** The page's own edges in the coordinates of its main turn. */
  readonly edges: Box;
  readonly mapped: number;
  readonly unmapped: number;
  /** The share of the page that its largest picture covers. */
  readonly pictured: number;
}

const IMAGE = 3;
/** A page with more objects than this is a drawing; its pictures are not looked for any further. */
const MAX_OBJECTS = 500;

/** Reads page `number` (from 0). A page that cannot be loaded is null. @throws DossierError `document_too_large` above `maxCharacters` */
export function readPage(pdfium: Pdfium, document: number, number: number, maxCharacters: number): Page | null {
  const page = pdfium._FPDF_LoadPage(document, number);
  if (page === 0) return null;
  const textPage = pdfium._FPDFText_LoadPage(page);
  try {
    const count = textPage === 0 ? 0 : Math.max(0, pdfium._FPDFText_CountChars(textPage));
    if (count > maxCharacters) throw new DossierError("document_too_large", `Page ${number + 1} of the PDF alone has ${count} characters.`);
    const { segments, ...counts } = toSegments(readGlyphs(pdfium, textPage, count));
    const turn = mainTurn(segments);
    const edges = readBox(pdfium, (at) => pdfium._FPDF_GetPageBoundingBox(page, at), [0, 3, 2, 1]);
    return {
      ...counts,
      segments: turnedTo(segments, turn),
      turn,
      edges: turned(edges, turn),
      pictured: picturedShare(pdfium, page, edges),
    };
  } finally {
    if (textPage !== 0) pdfium._FPDFText_ClosePage(textPage);
    pdfium._FPDF_ClosePage(page);
  }
}

function mainTurn(segments: readonly Segment[]): number {
  const lengths = [0, 0, 0, 0];
  for (const { turn, text } of segments) if (turn !== null) lengths[turn] = (lengths[turn] ?? 0) + text.length;
  return lengths.indexOf(Math.max(...lengths));
}

/** Text in another direction (a stamp at the margin, a label) is none of the lines it crosses. */
function turnedTo(segments: readonly Segment[], turn: number): Segment[] {
  return [...segments.filter((segment) => segment.turn === turn), ...segments.filter((segment) => segment.turn !== turn)];
}

function picturedShare(pdfium: Pdfium, page: number, edges: Box): number {
  let largest = 0;
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), MAX_OBJECTS);
  for (let i = 0; i < count; i++) {
    const object = pdfium._FPDFPage_GetObject(page, i);
    if (pdfium._FPDFPageObj_GetType(object) !== IMAGE) continue;
    const box = readBox(pdfium, (at) => pdfium._FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12), [0, 1, 2, 3]);
    largest = Math.max(largest, area(box));
  }
  return largest / Math.max(1, area(edges));
}

function area({ left, right, bottom, top }: Box): number {
  return Math.max(0, right - left) * Math.max(0, top - bottom);
}

/** `order` says at which place of four numbers left, bottom, right and top stand. */
function readBox(pdfium: Pdfium, fill: (pointer: number) => number, order: readonly [number, number, number, number]): Box {
  return withMemory(pdfium, 16, (pointer) => {
    fill(pointer);
    const values = readFloats(pdfium, pointer, 4);
    const [left, bottom, right, top] = order.map((place) => values[place] ?? 0);
    return { left: left ?? 0, right: right ?? 0, bottom: bottom ?? 0, top: top ?? 0 };
  });
}
