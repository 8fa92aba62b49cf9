import { type Box, type Pdfium, readFloats, withMemory } from "./pdfium.ts";

/** What somebody filled in, and the box in points that it has on the page. */
export interface FilledField {
  readonly box: Box;
  readonly text: string;
  /** A sign such as ☒, whose label stands beside it. */
  readonly isMark: boolean;
}

/** What the annotations of a page hold (fpdf_annot.h). Links are texts of the page, and popups belong to notes. */
const [LINK, FREE_TEXT, POPUP, WIDGET] = [2, 3, 16, 20];
/** Flags of annotations that are not shown: `Invisible`, `Hidden` and `NoView` (ISO 32000-1, 12.5.3). */
const NOT_SHOWN = 1 | 2 | 32;
/** The flag of text fields for passwords (ISO 32000-1, 12.7.4.3). */
const PASSWORD = 1 << 13;
/** Types of form fields (fpdf_formfill.h). */
const [CHECK_BOX, RADIO_BUTTON, COMBO_BOX, LIST_BOX, TEXT_FIELD] = [2, 3, 4, 5, 6];
const MAX_FIELDS = 5_000;
const MAX_TEXT_BYTES = 200_000;
const FORM_INFO_BYTES = 1_024;

/** Calls `work` with a handle for the form of a document. The form has no scripts, and nothing in it is called. */
export function withForm<T>(pdfium: Pdfium, document: number, work: (form: number) => T): T {
  return withMemory(pdfium, FORM_INFO_BYTES, (info) => {
    pdfium.HEAPU8.fill(0, info, info + FORM_INFO_BYTES);
    // The first version of the structure is that of builds without XFA.
    pdfium.HEAPU8[info] = 1;
    const form = pdfium._FPDFDOC_InitFormFillEnvironment(document, info);
    try {
      return work(form);
    } finally {
      if (form !== 0) pdfium._FPDFDOC_ExitFormFillEnvironment(form);
    }
  });
}

export interface Annotations {
  readonly fields: readonly FilledField[];
  /** What was not read: the numbers of passwords and of notes with a text. */
  readonly skipped: { readonly passwords: number; readonly notes: number };
}

/** Returns the values of the form fields of a page, and the text that was typed onto it, whether or not the file says how they look. */
export function readAnnotations(pdfium: Pdfium, form: number, page: number): Annotations {
  const fields: FilledField[] = [];
  const skipped = { passwords: 0, notes: 0 };
  const count = Math.min(pdfium._FPDFPage_GetAnnotCount(page), MAX_FIELDS);
  for (let i = 0; i < count; i++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, i);
    if (annotation === 0) continue;
    const field = readAnnotation(pdfium, form, annotation);
    if (typeof field === "string") skipped[field] += 1;
    else if (field !== null && field.text.trim() !== "") fields.push(field);
    pdfium._FPDFPage_CloseAnnot(annotation);
  }
  return { fields, skipped };
}

function readAnnotation(pdfium: Pdfium, form: number, annotation: number): FilledField | keyof Annotations["skipped"] | null {
  const subtype = pdfium._FPDFAnnot_GetSubtype(annotation);
  if (subtype === LINK || subtype === POPUP || (pdfium._FPDFAnnot_GetFlags(annotation) & NOT_SHOWN) !== 0) return null;
  if (subtype !== WIDGET && subtype !== FREE_TEXT) return entryOf(pdfium, annotation, "Contents").trim() === "" ? null : "notes";
  const box = boxOf(pdfium, annotation);
  if (subtype === FREE_TEXT) return { box, text: entryOf(pdfium, annotation, "Contents"), isMark: false };
  const type = form === 0 ? 0 : pdfium._FPDFAnnot_GetFormFieldType(form, annotation);
  if (type === CHECK_BOX || type === RADIO_BUTTON) return { box, text: isChecked(pdfium, form, annotation) ? "☒" : "☐", isMark: true };
  const isSecret = type === TEXT_FIELD && (pdfium._FPDFAnnot_GetFormFieldFlags(form, annotation) & PASSWORD) !== 0;
  const value = wideText(pdfium, (at, size) => pdfium._FPDFAnnot_GetFormFieldValue(form, annotation, at, size));
  if (isSecret) return value === "" ? null : "passwords";
  if (type === COMBO_BOX || type === LIST_BOX) return { box, text: chosenOf(pdfium, form, annotation).join(", ") || value, isMark: false };
  return type === TEXT_FIELD ? { box, text: value, isMark: false } : null;
}

/** A list may show other words than the value that it stores. */
function chosenOf(pdfium: Pdfium, form: number, annotation: number): string[] {
  const count = Math.min(pdfium._FPDFAnnot_GetOptionCount(form, annotation), MAX_FIELDS);
  const chosen = Array.from({ length: Math.max(0, count) }, (_, i) => i).filter(
    (i) => pdfium._FPDFAnnot_IsOptionSelected(form, annotation, i) === 1,
  );
  return chosen.map((i) => wideText(pdfium, (at, size) => pdfium._FPDFAnnot_GetOptionLabel(form, annotation, i, at, size)));
}

/** PDFium finds only marks that the file says the looks of. */
function isChecked(pdfium: Pdfium, form: number, annotation: number): boolean {
  const state = entryOf(pdfium, annotation, "AS") || entryOf(pdfium, annotation, "V");
  return pdfium._FPDFAnnot_IsChecked(form, annotation) === 1 || (state !== "" && state !== "Off");
}

function entryOf(pdfium: Pdfium, annotation: number, entry: string): string {
  const key = Buffer.from(`${entry}\0`);
  return withMemory(pdfium, key.length, (name) => {
    pdfium.HEAPU8.set(key, name);
    return wideText(pdfium, (at, size) => pdfium._FPDFAnnot_GetStringValue(annotation, name, at, size));
  });
}

/** `read` writes UTF-16LE with a final zero to an address, if there is room, and returns its length in bytes. */
function wideText(pdfium: Pdfium, read: (at: number, size: number) => number): string {
  const size = Math.min(read(0, 0), MAX_TEXT_BYTES);
  if (size <= 2) return "";
  return withMemory(pdfium, size, (at) => {
    pdfium.HEAPU8.fill(0, at, at + size);
    read(at, size);
    return new TextDecoder("utf-16le").decode(pdfium.HEAPU8.subarray(at, at + size)).replace(/\0+$/, "");
  });
}

/** PDFium gives left, top, right and bottom. */
function boxOf(pdfium: Pdfium, annotation: number): Box {
  return withMemory(pdfium, 16, (at) => {
    pdfium._FPDFAnnot_GetRect(annotation, at);
    const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdfium, at, 4);
    return { left, right, bottom, top };
  });
}
