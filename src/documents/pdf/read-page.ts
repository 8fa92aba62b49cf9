import { DossierError } from "../../errors.ts";
import { collapse } from "../block-text.ts";
import { type Annotations, type FilledField, readAnnotations } from "./form-fields.ts";
import { type Box, type Glyph, type Pdfium, readFloats, readGlyphs, turned, withMemory } from "./pdfium.ts";

/** `turn` is in quarter turns. Segments with the same `turn` share a coordinate system. */
export interface Page {
  readonly segments: readonly Segment[];
  readonly turn: number;
  readonly edges: Box;
  readonly mapped: number;
  readonly unmapped: number;
  readonly imageShare: number;
  readonly skipped: Annotations["skipped"];
}

const IMAGE = 3;
const MAX_OBJECTS = 500;

/** `number` starts at 0, `form` is that of the document. Returns null if the page cannot be loaded. @throws DossierError `document_too_large` */
export function readPage(pdfium: Pdfium, document: number, form: number, number: number, maxCharacters: number): Page | null {
  const page = pdfium._FPDF_LoadPage(document, number);
  if (page === 0) return null;
  const textPage = pdfium._FPDFText_LoadPage(page);
  try {
    const count = textPage === 0 ? 0 : Math.max(0, pdfium._FPDFText_CountChars(textPage));
    if (count > maxCharacters)
      throw new DossierError("document_too_large", `The PDF was not read: its text is too long from page ${number + 1} on.`);
    const { segments, mapped, unmapped } = toSegments([...readGlyphs(pdfium, textPage, count)]);
    const turn = mainTurn(segments);
    // Text in another direction, such as a stamp, goes last, because it would interrupt lines.
    segments.sort((a, b) => Number(a.turn !== turn) - Number(b.turn !== turn));
    const { fields, skipped } = readAnnotations(pdfium, form, page);
    const placed = fields.map((field) => ({ ...field, box: turned(field.box, turn) }));
    const filled = insertFields(segments, placed, turn);
    const edges = readBox(pdfium, (at) => pdfium._FPDF_GetPageBoundingBox(page, at));
    const imageShare = imageShareOf(pdfium, page, edges);
    return { mapped: mapped + filled, unmapped, segments, turn, edges: turned(edges, turn), imageShare, skipped };
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

function imageShareOf(pdfium: Pdfium, page: number, edges: Box): number {
  let largest = 0;
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), MAX_OBJECTS);
  for (let i = 0; i < count; i++) {
    const object = pdfium._FPDFPage_GetObject(page, i);
    if (pdfium._FPDFPageObj_GetType(object) !== IMAGE) continue;
    const box = readBox(pdfium, (at) => pdfium._FPDFPageObj_GetBounds(object, at, at + 12, at + 8, at + 4));
    largest = Math.max(largest, area(box));
  }
  return largest / Math.max(1, area(edges));
}

function area({ left, right, bottom, top }: Box): number {
  return Math.max(0, right - left) * Math.max(0, top - bottom);
}

/** `fill` writes an FS_RECTF of PDFium: left, top, right, bottom. */
function readBox(pdfium: Pdfium, fill: (pointer: number) => number): Box {
  return withMemory(pdfium, 16, (pointer) => {
    fill(pointer);
    const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdfium, pointer, 4);
    return { left, right, bottom, top };
  });
}

export interface Segment extends Box {
  /** Ends with a soft hyphen if the line breaks a word. */
  readonly text: string;
  readonly size: number;
  readonly bold: boolean;
  readonly turn: number | null;
  readonly vertical: boolean;
  /** Whether somebody filled it in; such text is beside its label, however far. */
  readonly isFilled?: true;
}

const USUAL_SIZE = 10;
/** A multiple of the font size. The label of a mark is this close to its right. */
const MAX_LABEL_GAP = 2;

/** Puts what was filled in behind the label on its line, or behind the line above it. Returns the number of characters. */
function insertFields(segments: Segment[], fields: readonly FilledField[], turn: number): number {
  const ordered = fields.toSorted((a, b) => b.box.top - a.box.top || a.box.left - b.box.left);
  for (const { box, text, isMark } of ordered) {
    const own = segments.filter((one) => one.turn === turn && !one.vertical);
    const inLine = own.filter((one) => Math.min(one.top, box.top) - Math.max(one.bottom, box.bottom) > 0.5 * (one.top - one.bottom));
    const before = nearest(inLine, (one) => box.left - one.right + one.size);
    const after = nearest(inLine, (one) => one.left - box.right + one.size);
    const isLabelled = isMark && after !== undefined && after.left - box.right <= MAX_LABEL_GAP * after.size;
    const beside = isLabelled ? after : (before ?? after);
    const above = nearest(own, (one) => one.bottom - box.top + one.size);
    const size = (beside ?? above)?.size ?? USUAL_SIZE;
    const { top, bottom } = beside ?? { top: box.top, bottom: Math.max(box.bottom, box.top - 1.2 * size) };
    const right = isMark ? box.right : Math.min(box.right, box.left + 0.5 * size * text.length);
    const at = beside ?? above;
    const index = at === undefined ? 0 : segments.indexOf(at) + (at === after ? 0 : 1);
    const shape = { left: box.left, right, top, bottom, size, bold: false, turn, vertical: false };
    segments.splice(index, 0, { ...shape, text: collapse(text), isFilled: true });
  }
  return fields.reduce((sum, { text }) => sum + text.length, 0);
}

/** Returns the segment with the smallest distance that is not negative. */
function nearest(segments: readonly Segment[], distanceOf: (segment: Segment) => number): Segment | undefined {
  const near = segments.map((segment) => ({ segment, distance: distanceOf(segment) })).filter(({ distance }) => distance >= 0);
  return near.reduce<(typeof near)[number] | undefined>((least, one) => (least && least.distance <= one.distance ? least : one), undefined)
    ?.segment;
}

/** A multiple of the font size. A wider gap ends a segment. Spaces are usually narrower, and column gaps wider. */
const MAX_GAP = 0.75;
const LINE_HYPHENS = ["\u0002", "\ufffe"];
const RIGHT_TO_LEFT_LETTER = /[\p{sc=Arabic}\p{sc=Hebrew}]/u;
const VERTICAL_SCRIPT = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff00-\uffef]/u;

export const SOFT_HYPHEN = "\u00ad";

function toSegments(glyphs: readonly Glyph[]): { segments: Segment[]; mapped: number; unmapped: number } {
  const segments: Segment[] = [];
  let mapped = 0;
  let unmapped = 0;
  let open: Glyph[] = [];
  let last: Glyph | undefined;
  const seen = new Set<string>();
  const close = (): void => {
    const segment = toSegment(open, seen);
    if (segment !== null) segments.push(segment);
    open = [];
    last = undefined;
  };
  for (const glyph of glyphs) {
    if (glyph.character === "\n" || glyph.character === "\r") {
      close();
      seen.clear();
    } else if (LINE_HYPHENS.includes(glyph.character)) {
      open.push({ ...glyph, character: SOFT_HYPHEN });
      close();
    } else if (isBlank(glyph.character)) {
      if (glyph.unmapped) unmapped++;
      if (open.length > 0) open.push({ ...glyph, character: " " });
    } else if (glyph.unmapped) unmapped++;
    else {
      mapped++;
      if (last !== undefined && !continues(last, glyph)) close();
      if (last !== undefined && isExponent(last, glyph)) {
        if (open.at(-1)?.character === " ") open.pop();
        open.push({ ...glyph, character: "^" });
      }
      open.push(glyph);
      last = glyph;
    }
  }
  close();
  return { segments, mapped, unmapped };
}

function isBlank(character: string): boolean {
  return character.trim() === "" || character < " ";
}

function continues(last: Glyph, next: Glyph): boolean {
  if (last.style.turn !== next.style.turn) return false;
  if (isBelow(last, next)) return true;
  const overlap = Math.min(last.top, next.top) - Math.max(last.bottom, next.bottom);
  return gapBetween(last, next) <= MAX_GAP * Math.max(last.style.size, next.style.size) && overlap > 0;
}

function isExponent(base: Glyph, raised: Glyph): boolean {
  const isSmaller = raised.style.size < 0.9 * base.style.size && raised.bottom - base.bottom > 0.15 * base.style.size;
  return isSmaller && /^\d$/.test(base.character) && /^[\d+−–-]$/.test(raised.character);
}

/** Returns the horizontal gap in points. It is negative if the boxes overlap. */
export function gapBetween(a: Box, b: Box): number {
  return Math.max(b.left - a.right, a.left - b.right);
}

function isBelow(above: Glyph, below: Glyph): boolean {
  const { size } = above.style;
  const sideways = Math.abs((above.left + above.right) / 2 - (below.left + below.right) / 2);
  const down = above.bottom - below.top;
  return VERTICAL_SCRIPT.test(above.character) && VERTICAL_SCRIPT.test(below.character) && sideways < size / 4 && Math.abs(down) < size / 2;
}

function toSegment(glyphs: readonly Glyph[], seen: Set<string>): Segment | null {
  const inked = glyphs.filter(({ character }) => character !== " " && character !== SOFT_HYPHEN);
  const [first] = inked;
  const text = textOf(glyphs, seen);
  if (first === undefined || text === "") return null;
  const vertical = inked.some((glyph, i) => i > 0 && isBelow(inked[i - 1] ?? glyph, glyph));
  const box = inked.reduce<Box>(union, first);
  // A single character of another font may be taller than the line, so the most frequent glyph size gives the height.
  const usual = usualGlyph(inked) ?? first;
  const { bottom, top } = vertical ? box : usual;
  return {
    ...box,
    bottom,
    top,
    text,
    size: Math.round(usual.style.size * 10) / 10,
    bold: inked.filter(({ style }) => style.bold).length > inked.length * 0.8,
    turn: first.style.turn,
    vertical,
  };
}

/** Starts a new group at each item that does not belong to the item before it. */
export function grouped<T>(items: readonly T[], belongs: (last: T, next: T) => boolean): T[][] {
  const groups: T[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last !== undefined && belongs(last, item)) group.push(item);
    else groups.push([item]);
  }
  return groups;
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}

export function union(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    right: Math.max(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
    top: Math.max(a.top, b.top),
  };
}

function usualGlyph(glyphs: readonly Glyph[]): Glyph | undefined {
  const alike = Map.groupBy(glyphs, ({ style, bottom, top }) => `${Math.round(style.size * 10)} ${Math.round(bottom)} ${Math.round(top)}`);
  return [...alike.values()].reduce((most, group) => (group.length > most.length ? group : most), [])[0];
}

/** PDFium returns right-to-left replacement text (ActualText) reversed, repeated and at a single position. */
function textOf(glyphs: readonly Glyph[], seen: Set<string>): string {
  let text = "";
  for (const place of grouped(glyphs, (last, next) => last.left === next.left && last.right === next.right)) {
    const characters = place.map(({ character }) => character);
    const declared =
      characters.length > 2 && characters.every((character) => RIGHT_TO_LEFT_LETTER.test(character) || /\p{M}|\s/u.test(character));
    const piece = declared ? characters.reverse().join("").trim() : characters.join("");
    if (!declared || !seen.has(piece)) text += piece;
    if (declared) seen.add(piece);
  }
  return text.replaceAll(/ +/g, " ").trim();
}
