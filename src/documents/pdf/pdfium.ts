import { PDFiumModule } from "@hyzyla/pdfium";
import { DossierError } from "../../errors.ts";

/** The used functions of PDFium. Their pointers are offsets in the memory of the WebAssembly module. */
const FUNCTIONS = [
  ...(["_FPDF_InitLibraryWithConfig", "_FPDF_LoadMemDocument", "_FPDF_CloseDocument", "_FPDF_GetLastError"] as const),
  ...(["_FPDF_GetSecurityHandlerRevision", "_FPDF_GetMetaText", "_FPDF_GetPageCount", "_FPDF_LoadPage", "_FPDF_ClosePage"] as const),
  ...(["_FPDF_GetPageBoundingBox", "_FPDFPage_CountObjects", "_FPDFPage_GetObject", "_FPDFPageObj_GetType"] as const),
  ...(["_FPDFPageObj_GetBounds", "_FPDFText_LoadPage", "_FPDFText_ClosePage", "_FPDFText_CountChars", "_FPDFText_GetUnicode"] as const),
  ...(["_FPDFText_IsGenerated", "_FPDFText_HasUnicodeMapError", "_FPDFText_GetLooseCharBox", "_FPDFText_GetTextObject"] as const),
  ...(["_FPDFText_GetFontSize", "_FPDFText_GetFontWeight", "_FPDFText_GetFontInfo", "_FPDFText_GetMatrix"] as const),
  ...(["_FPDF_GetFormType", "_FPDFDOC_InitFormFillEnvironment", "_FPDFDOC_ExitFormFillEnvironment", "_FPDFPage_GetAnnotCount"] as const),
  ...(["_FPDFPage_GetAnnot", "_FPDFPage_CloseAnnot", "_FPDFAnnot_GetSubtype", "_FPDFAnnot_GetFlags", "_FPDFAnnot_GetRect"] as const),
  ...(["_FPDFAnnot_GetStringValue", "_FPDFAnnot_GetFormFieldType", "_FPDFAnnot_GetFormFieldFlags", "_FPDFAnnot_IsChecked"] as const),
  ...(["_FPDFAnnot_GetFormFieldValue", "_FPDFAnnot_GetOptionCount", "_FPDFAnnot_IsOptionSelected", "_FPDFAnnot_GetOptionLabel"] as const),
];

type Functions = Readonly<Record<(typeof FUNCTIONS)[number], (...values: number[]) => number>>;

interface Memory {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(size: number): number; free(pointer: number): void };
}

/** The library's wrapper is not used, because it gives neither positions nor sizes of characters. */
export type Pdfium = Functions & Memory;

let loading: Promise<Pdfium> | undefined;

/** Returns the only instance. After a failure inside PDFium its state is unknown, so the process must end. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= start();
  return loading;
}

async function start(): Promise<Pdfium> {
  const library: object = await PDFiumModule({});
  if (!isPdfium(library)) throw new DossierError("internal", "The installed PDFium has the wrong version. Run npm ci to replace it.");
  // Zeros tell PDFium to use no system fonts and run no scripts.
  const config = library.wasmExports.malloc(64);
  library.HEAPU8.fill(0, config, config + 64);
  library.HEAPU8[config] = 2;
  library._FPDF_InitLibraryWithConfig(config);
  return library;
}

function isPdfium(library: object): library is Pdfium {
  const named = new Map<string, unknown>(Object.entries(library));
  return FUNCTIONS.every((name) => typeof named.get(name) === "function");
}

/** Call it before any other PDFium function, which may move the memory. */
export function readFloats({ HEAPU8 }: Pdfium, pointer: number, length: number): number[] {
  const view = new DataView(HEAPU8.buffer, HEAPU8.byteOffset + pointer, length * 4);
  return Array.from({ length }, (_, i) => view.getFloat32(i * 4, true));
}

export function withMemory<T>({ wasmExports }: Pdfium, size: number, work: (pointer: number) => T): T {
  const pointer = wasmExports.malloc(size);
  if (pointer === 0) throw new DossierError("document_too_large", "The PDF was not read: it needs more memory than the limit.");
  try {
    return work(pointer);
  } finally {
    wasmExports.free(pointer);
  }
}

export interface Style {
  readonly size: number;
  readonly bold: boolean;
  readonly turn: number | null;
}

/** A character and its box in points, turned so that text runs to the right and y points upwards. */
export interface Glyph extends Box {
  readonly character: string;
  readonly unmapped: boolean;
  readonly style: Style;
}

const SCRATCH_BYTES = 256;
const FONT_NAME_BYTES = 128;
const BOLD_NAME = /bold|black|heavy|demi|medi\b|semibold/i;
const BOLD_WEIGHT = 600;
/** In radians. Text that is further away from a multiple of 90° is slanted. */
const MAX_SLANT = 0.12;

export function* readGlyphs(pdfium: Pdfium, textPage: number, count: number): Generator<Glyph> {
  const scratch = pdfium.wasmExports.malloc(SCRATCH_BYTES);
  // PDFium gives no style for spaces that it adds, so they take the last style.
  let style: Style = { size: 1, bold: false, turn: 0 };
  let current = 0;
  let box = new Float32Array(pdfium.HEAPU8.buffer, scratch, 4);
  try {
    for (let i = 0; i < count; i++) {
      const code = pdfium._FPDFText_GetUnicode(textPage, i);
      const object = pdfium._FPDFText_GetTextObject(textPage, i);
      if (object !== 0 && object !== current && pdfium._FPDFText_IsGenerated(textPage, i) !== 1) {
        style = readStyle(pdfium, textPage, i, scratch);
        current = object;
      }
      pdfium._FPDFText_GetLooseCharBox(textPage, i, scratch);
      if (box.buffer !== pdfium.HEAPU8.buffer) box = new Float32Array(pdfium.HEAPU8.buffer, scratch, 4);
      const [left = 0, top = 0, right = 0, bottom = 0] = box;
      yield {
        character: characterOf(code),
        unmapped: pdfium._FPDFText_HasUnicodeMapError(textPage, i) === 1,
        ...turned({ left, right, bottom, top }, style.turn ?? 0),
        style,
      };
    }
  } finally {
    pdfium.wasmExports.free(scratch);
  }
}

const DRAWN_FORMS = /[\u2f00-\u2fd5\ufb00-\ufb4f\ufb50-\ufdff\ufe70-\ufefc]/;
const SYMBOL_BULLETS = /[\uf06c\uf06e\uf075\uf076\uf0a7\uf0b7\uf0d8\uf0fc]/;

function characterOf(code: number): string {
  if (code <= 0 || code > 0x10ffff) return "";
  const character = String.fromCodePoint(code);
  if (SYMBOL_BULLETS.test(character)) return "•";
  return DRAWN_FORMS.test(character) ? character.normalize("NFKC") : character;
}

function readStyle(pdfium: Pdfium, textPage: number, i: number, scratch: number): Style {
  pdfium._FPDFText_GetMatrix(textPage, i, scratch);
  const [a = 1, b = 0, c = 0, d = 1] = readFloats(pdfium, scratch, 4);
  const nominal = pdfium._FPDFText_GetFontSize(textPage, i);
  const weight = pdfium._FPDFText_GetFontWeight(textPage, i);
  return {
    size: nominal * Math.hypot(c, d) || nominal,
    bold: weight >= BOLD_WEIGHT || BOLD_NAME.test(fontName(pdfium, textPage, i)),
    turn: quarterTurns(Math.atan2(b, a)),
  };
}

function fontName(pdfium: Pdfium, textPage: number, i: number): string {
  return withMemory(pdfium, FONT_NAME_BYTES + 8, (pointer) => {
    const length = pdfium._FPDFText_GetFontInfo(textPage, i, pointer + 8, FONT_NAME_BYTES, pointer);
    if (length <= 1 || length > FONT_NAME_BYTES) return "";
    return new TextDecoder("latin1").decode(pdfium.HEAPU8.subarray(pointer + 8, pointer + 7 + length));
  });
}

function quarterTurns(angle: number): number | null {
  const turns = Math.round(angle / (Math.PI / 2));
  return Math.abs(angle - turns * (Math.PI / 2)) <= MAX_SLANT ? (turns + 4) % 4 : null;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

export function turned({ left, right, bottom, top }: Box, turn: number): Box {
  if (turn === 1) return { left: bottom, right: top, bottom: -right, top: -left };
  if (turn === 2) return { left: -right, right: -left, bottom: -top, top: -bottom };
  if (turn === 3) return { left: -top, right: -bottom, bottom: left, top: right };
  return { left, right, bottom, top };
}
