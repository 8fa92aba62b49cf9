import { type Pdfium, readFloats, withMemory } from "./pdfium.ts";

/** How the characters of one text object are set. `turn` counts quarter turns counter-clockwise; null for slanted text. */
export interface Style {
  /** Height of the font in points as it is on the page. */
  readonly size: number;
  readonly bold: boolean;
  readonly turn: number | null;
}

/** A character at its place in points, in coordinates in which its line runs to the right and the page upwards. */
export interface Glyph {
  readonly character: string;
  /** What it is cannot be known: its font maps it to no Unicode character. */
  readonly unmapped: boolean;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  readonly style: Style;
}

const SCRATCH_BYTES = 256;
const FONT_NAME_BYTES = 128;
const BOLD_NAME = /bold|black|heavy|demi|medi\b|semibold/i;
const BOLD_WEIGHT = 600;
/** Radians off a quarter turn that a scanner or a hand may cause. */
const SLANT = 0.12;

/** The characters of a page in the order of its content, with the spaces and line breaks that PDFium puts between them. */
export function* readGlyphs(pdfium: Pdfium, textPage: number, count: number): Generator<Glyph> {
  const scratch = pdfium.wasmExports.malloc(SCRATCH_BYTES);
  // What PDFium puts in belongs to no object.
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
      // The memory moves when it grows.
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

/** Ligatures, positional forms of Arabic letters and radicals that stand for the ideographs they look like. */
const DRAWN_FORMS = /[\u2f00-\u2fd5\ufb00-\ufb4f\ufb50-\ufdff\ufe70-\ufefc]/;
/** The bullets of symbol fonts, which lie in the private use area. */
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
  return Math.abs(angle - turns * (Math.PI / 2)) <= SLANT ? (turns + 4) % 4 : null;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** The box as it lies when the page is turned back by `turn` quarter turns. */
export function turned({ left, right, bottom, top }: Box, turn: number): Box {
  if (turn === 1) return { left: bottom, right: top, bottom: -right, top: -left };
  if (turn === 2) return { left: -right, right: -left, bottom: -top, top: -bottom };
  if (turn === 3) return { left: -top, right: -bottom, bottom: left, top: right };
  return { left, right, bottom, top };
}
