import type { Box, Glyph } from "./glyphs.ts";

/** A stretch of one line without a gap that no space between words would fill. */
export interface Segment extends Box {
  /** Ends in a soft hyphen where the line breaks a word. */
  readonly text: string;
  /** The font size of most of its characters, in points. */
  readonly size: number;
  readonly bold: boolean;
  readonly turn: number | null;
  /** Its characters stand below each other. */
  readonly vertical: boolean;
}

/** In font sizes; few spaces of justified lines are wider, few gaps between columns or cells are narrower. */
const GAP = 0.75;
/** How PDFium marks the hyphen of a word that goes on in the next line. */
const LINE_HYPHENS = ["\u0002", "\ufffe"];
const RIGHT_TO_LEFT = /[\p{sc=Arabic}\p{sc=Hebrew}]/u;
const STACKED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff00-\uffef]/u;

export const SOFT_HYPHEN = "\u00ad";

/** The segments of a page in the order of its content, and how many characters could not be told or could. */
export function toSegments(glyphs: Iterable<Glyph>): { segments: Segment[]; mapped: number; unmapped: number } {
  const segments: Segment[] = [];
  let mapped = 0;
  let unmapped = 0;
  let open: Glyph[] = [];
  let last: Glyph | undefined;
  const said = new Set<string>();
  const close = (): void => {
    const segment = toSegment(open, said);
    if (segment !== null) segments.push(segment);
    open = [];
    last = undefined;
  };
  for (const glyph of glyphs) {
    if (glyph.character === "\n" || glyph.character === "\r") {
      close();
      said.clear();
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
  if (stacks(last, next)) return true;
  const gap = Math.max(next.left - last.right, last.left - next.right);
  const overlap = Math.min(last.top, next.top) - Math.max(last.bottom, next.bottom);
  return gap <= GAP * Math.max(last.style.size, next.style.size) && overlap > 0;
}

/** Whether two characters stand below each other, as in vertical writing. */
function stacks(above: Glyph, below: Glyph): boolean {
  const { size } = above.style;
  const sideways = Math.abs((above.left + above.right) / 2 - (below.left + below.right) / 2);
  const down = above.bottom - below.top;
  return STACKED.test(above.character) && STACKED.test(below.character) && sideways < size / 4 && Math.abs(down) < size / 2;
}

function toSegment(glyphs: readonly Glyph[], said: Set<string>): Segment | null {
  const inked = glyphs.filter(({ character }) => character !== " " && character !== SOFT_HYPHEN);
  const [first] = inked;
  if (first === undefined) return null;
  const text = textOf(glyphs, said);
  if (text === "") return null;
  const vertical = inked.some((glyph, i) => i > 0 && stacks(inked[i - 1] ?? glyph, glyph));
  const box = inked.reduce<Box>(union, first);
  // A single sign of another font may be taller than the line is.
  const usual = usualGlyph(inked);
  const height = vertical ? box : usual;
  return {
    left: box.left,
    right: box.right,
    bottom: height.bottom,
    top: height.top,
    text,
    size: Math.round(usual.style.size * 10) / 10,
    bold: inked.filter(({ style }) => style.bold).length > inked.length * 0.8,
    turn: first.style.turn,
    vertical,
  };
}

export function union(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    right: Math.max(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
    top: Math.max(a.top, b.top),
  };
}

/** One of the glyphs that are set like most of them. */
function usualGlyph(glyphs: readonly Glyph[]): Glyph {
  const counts = new Map<string, { glyph: Glyph; count: number }>();
  for (const glyph of glyphs) {
    const key = `${Math.round(glyph.style.size * 10)} ${Math.round(glyph.bottom)} ${Math.round(glyph.top)}`;
    const entry = counts.get(key) ?? { glyph, count: 0 };
    entry.count++;
    counts.set(key, entry);
  }
  return [...counts.values()].reduce((most, entry) => (entry.count > most.count ? entry : most)).glyph;
}

/**
 * The characters as one string. Several right-to-left characters in one place are the text a producer declared for them
 * ("ActualText"), which PDFium turns round as if it were drawn, and says once for each object that draws it.
 */
function textOf(glyphs: readonly Glyph[], said: Set<string>): string {
  let text = "";
  for (let i = 0; i < glyphs.length; ) {
    const place = glyphs[i];
    let end = i + 1;
    while (end < glyphs.length && glyphs[end]?.left === place?.left && glyphs[end]?.right === place?.right) end++;
    const characters = glyphs.slice(i, end).map(({ character }) => character);
    const declared = characters.length > 2 && characters.every((character) => RIGHT_TO_LEFT.test(character) || /\p{M}|\s/u.test(character));
    const piece = declared ? characters.reverse().join("").trim() : characters.join("");
    if (!declared || !said.has(piece)) text += piece;
    if (declared) said.add(piece);
    i = end;
  }
  return text.replaceAll(/ +/g, " ").trim();
}
