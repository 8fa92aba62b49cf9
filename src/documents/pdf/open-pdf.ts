import { DossierError } from "../../errors.ts";
import { type Pdfium, withMemory } from "./pdfium.ts";

/** FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY of fpdfview.h. */
const PASSWORD = 4;
const SECURITY = 5;

/** Opens a PDF, with an empty password where it has one, and closes it after `work`. @throws DossierError `blocked`, `unreadable` */
export function withOpenPdf<T>(pdfium: Pdfium, bytes: Uint8Array, work: (document: number) => T): T {
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
  if (error === PASSWORD) return new DossierError("blocked", "The PDF is encrypted and asks for a password.");
  if (error === SECURITY) return new DossierError("unreadable", "The PDF is encrypted in a way that this version does not know.");
  return new DossierError("unreadable", "The PDF is damaged: its structure cannot be read.");
}
