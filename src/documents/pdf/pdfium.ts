import { PDFiumModule } from "@hyzyla/pdfium";
import { DossierError } from "../../errors.ts";

/** The functions of PDFium (fpdfview.h, fpdf_text.h, fpdf_doc.h, fpdf_edit.h) that are used here; all pointers are offsets. */
const FUNCTIONS = [
  "_FPDF_InitLibraryWithConfig",
  "_FPDF_LoadMemDocument",
  "_FPDF_CloseDocument",
  "_FPDF_GetLastError",
  "_FPDF_GetSecurityHandlerRevision",
  "_FPDF_GetMetaText",
  "_FPDF_GetPageCount",
  "_FPDF_LoadPage",
  "_FPDF_ClosePage",
  "_FPDF_GetPageBoundingBox",
  "_FPDFPage_CountObjects",
  "_FPDFPage_GetObject",
  "_FPDFPageObj_GetType",
  "_FPDFPageObj_GetBounds",
  "_FPDFText_LoadPage",
  "_FPDFText_ClosePage",
  "_FPDFText_CountChars",
  "_FPDFText_GetUnicode",
  "_FPDFText_IsGenerated",
  "_FPDFText_HasUnicodeMapError",
  "_FPDFText_GetLooseCharBox",
  "_FPDFText_GetTextObject",
  "_FPDFText_GetFontSize",
  "_FPDFText_GetFontWeight",
  "_FPDFText_GetFontInfo",
  "_FPDFText_GetMatrix",
] as const;

type Functions = Readonly<Record<(typeof FUNCTIONS)[number], (...values: number[]) => number>>;

interface Memory {
  /** A new view whenever the memory has grown. */
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(size: number): number; free(pointer: number): void };
}

/** PDFium, compiled to WebAssembly, without its wrapper, which knows neither places nor sizes of characters. */
export type Pdfium = Functions & Memory;

let loading: Promise<Pdfium> | undefined;

/** The one instance of this process; a failure inside it leaves it in no known state, and the process has to end. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= start();
  return loading;
}

async function start(): Promise<Pdfium> {
  const library: object = await PDFiumModule({});
  if (!isPdfium(library)) throw new DossierError("internal", "The PDF library lacks functions that this version needs.");
  // A structure of zeros: no fonts of the machine, no scripts (this build has no V8).
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

/** `length` numbers at `pointer`, read before anything else is called: the memory moves when it grows. */
export function readFloats({ HEAPU8 }: Pdfium, pointer: number, length: number): number[] {
  const view = new DataView(HEAPU8.buffer, HEAPU8.byteOffset + pointer, length * 4);
  return Array.from({ length }, (_, i) => view.getFloat32(i * 4, true));
}

/** Runs `work` with `size` bytes of scratch memory. */
export function withMemory<T>({ wasmExports }: Pdfium, size: number, work: (pointer: number) => T): T {
  const pointer = wasmExports.malloc(size);
  if (pointer === 0) throw new DossierError("document_too_large", "The PDF needs more memory than documents are given.");
  try {
    return work(pointer);
  } finally {
    wasmExports.free(pointer);
  }
}

/** A null-terminated ASCII string in PDFium's memory. */
export function withString<T>(pdfium: Pdfium, text: string, work: (pointer: number) => T): T {
  return withMemory(pdfium, text.length + 1, (pointer) => {
    pdfium.HEAPU8.set(new TextEncoder().encode(`${text}\0`), pointer);
    return work(pointer);
  });
}
