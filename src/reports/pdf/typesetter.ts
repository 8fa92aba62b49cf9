import { createRequire } from "node:module";
import { characterSetOf, type FontName } from "../fonts.ts";
import { isChinese } from "../text.ts";
import { amountParts } from "../view/unbroken.ts";

export interface Text {
  readonly text: string | readonly Text[];
  readonly font?: string;
  readonly fontSize?: number;
  readonly lineHeight?: number;
  readonly bold?: boolean;
  readonly italics?: boolean;
  readonly sup?: boolean;
  readonly decoration?: "underline";
  readonly decorationStyle?: "dotted";
  readonly decorationColor?: string;
  readonly color?: string;
  readonly alignment?: "left" | "center" | "right";
  readonly margin?: readonly [left: number, top: number, right: number, bottom: number];
  readonly width?: number;
  readonly wordBreak?: "break-all";
  readonly noWrap?: boolean;
  /** OpenType features. */
  readonly fontFeatures?: readonly string[];
  readonly link?: string;
  readonly linkToDestination?: string;
  readonly id?: string;
  readonly outline?: boolean;
  readonly outlineText?: string;
  readonly headlineLevel?: number;
  readonly pageReference?: string;
}

export type Content = Text | Readonly<Record<string, unknown>>;

export interface LaidOut {
  readonly headlineLevel?: number;
  readonly startPosition: { readonly verticalRatio: number };
}

export interface FollowingNodes {
  getFollowingNodesOnPage(): readonly LaidOut[];
}

interface Pdfmake {
  setFonts(fonts: object): void;
  setUrlAccessPolicy(mayFetch: (url: string) => boolean): void;
  setLocalAccessPolicy(mayRead: (path: string) => boolean): void;
  createPdf(definition: Readonly<Record<string, unknown>>): { getBuffer(): Promise<Buffer> };
}

/** pdfmake's published types include those of browsers, which clash with Node's. */
export const pdfmake: Pdfmake = createRequire(import.meta.url)("pdfmake");

export const REPLACEMENT = "□";
const MAX_NAMED = 24;

const CHINESE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\u3000-\u303f\uff00-\uffef]/u;
/** Characters of both scripts. In Chinese text they come from the Chinese font. */
const SHARED = /^[“”‘’…—·]$/u;
/** Full-width punctuation with a blank half, which is halved where other punctuation adds its own. */
const OPENING = /^[“‘（《〈【「『]$/u;
const CLOSING = /^[”’）》〉】」』。，、；：]$/u;
/** The OpenType feature of alternate half widths. */
export const HALF_WIDTH = ["halt"];
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

interface FontRun {
  readonly text: string;
  readonly font: FontName;
  readonly fontFeatures?: readonly string[];
}

type FontSplitter = ReturnType<typeof createFontSplitter>;

export function createFontSplitter() {
  const letters: Readonly<Record<FontName, ReadonlySet<number>>> = { latin: characterSetOf("latin"), chinese: characterSetOf("chinese") };
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const missing = new Set<string>();
  let count = 0;

  const has = (font: FontName, cluster: string): boolean => [...cluster].every((letter) => letters[font].has(letter.codePointAt(0) ?? 0));

  function fontOf(cluster: string, isChineseText: boolean): FontName | null {
    const order: readonly FontName[] =
      CHINESE.test(cluster) || (isChineseText && SHARED.test(cluster)) ? ["chinese", "latin"] : ["latin", "chinese"];
    return order.find((font) => has(font, cluster)) ?? null;
  }

  function replace(cluster: string): FontRun {
    count += 1;
    if (missing.size < MAX_NAMED) missing.add([...cluster].map(nameOf).join("+"));
    return { text: REPLACEMENT, font: "chinese" };
  }

  return {
    runsOf(text: string): FontRun[] {
      const clusters = [...segmenter.segment(text.normalize("NFC").replace(INVISIBLE, ""))].map(({ segment }) => segment);
      const isChineseText = isChinese(text) || /——/.test(text);
      const runs = clusters.map((cluster, index): FontRun => {
        const font = fontOf(cluster, isChineseText);
        if (font === null) return replace(cluster);
        const isHalved = font === "chinese" && hasBlankBeside(cluster, clusters[index - 1] ?? "", clusters[index + 1] ?? "");
        return { text: cluster, font, ...(isHalved && { fontFeatures: HALF_WIDTH }) };
      });
      return joined(runs);
    },
    replaced: () => ({ count, characters: `${[...missing].join(" ")}${count > missing.size && missing.size === MAX_NAMED ? " …" : ""}` }),
  };
}

function hasBlankBeside(cluster: string, before: string, after: string): boolean {
  if (OPENING.test(cluster)) return before === "" || OPENING.test(before) || CLOSING.test(before);
  return CLOSING.test(cluster) && (CLOSING.test(after) || after === "—");
}

function joined(runs: readonly FontRun[]): FontRun[] {
  const all: { text: string[]; look: Omit<FontRun, "text"> }[] = [];
  for (const { text, ...look } of runs) {
    const last = all.at(-1);
    if (last?.look.font === look.font && last.look.fontFeatures === look.fontFeatures) last.text.push(text);
    else all.push({ text: [text], look });
  }
  return all.map(({ text, look }) => ({ ...look, text: text.join("") }));
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

export type Look = Omit<Text, "text" | "font">;

export const LINK = "#1558b0";
export const SOFT = "#5b626b";
export const ALARM = "#a3180f";
export const LINE = "#d7dbe0";
const STRONG_LINE = "#8d949e";

/** In points, as all lengths here: A4 less the margins. */
export const MARGIN = 56;
export const TEXT_WIDTH = 595.28 - 2 * MARGIN;
const CELL_GAP = 9;
/** Font size and space above of headings, by depth. */
const HEADINGS: readonly (readonly [fontSize: number, above: number])[] = [
  [14, 16],
  [12, 12],
  [11, 10],
];

/** The text of a cell, and what follows it in another look. */
type Cell = string | { readonly text: string; readonly after: readonly Text[] };

interface TableContent {
  readonly head: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
  /** The width of each column as a share of the text width. */
  readonly shares: readonly number[];
  /** Indices of columns that are aligned right. */
  readonly numbers: readonly number[];
}

interface TableLook {
  readonly fontSize: number;
  /** Whether strong lines frame the table and its head. */
  readonly isFramed?: boolean;
}

export const LINE_HEIGHT = 1.3;
const CHINESE_LINE_HEIGHT = LINE_HEIGHT * 0.94;

/** In characters. A word of this length or longer may break anywhere, so that it fits a line or a narrow table cell. */
const LONGEST_WORD = 40;
const LONGEST_WORD_OF_CELL = 20;

export type PdfBuilder = ReturnType<typeof createPdfBuilder>;

export function createPdfBuilder(splitter: FontSplitter) {
  const runs = (content: string, look: Look, longest: number): Text[] =>
    breakLongWords(splitter.runsOf(content), longest).map((run) => ({
      ...look,
      ...run,
      ...(run.font === "chinese" && { lineHeight: CHINESE_LINE_HEIGHT }),
    }));
  const text = (content: string, look: Look = {}): Text[] => runs(content, look, LONGEST_WORD);
  /** Returns text whose amounts stay on one line. */
  const prose = (content: string, look: Look = {}, longest = LONGEST_WORD): Text[] =>
    amountParts(content).flatMap((part) =>
      runs(part.text, part.isAmount && part.text.length < longest ? { ...look, noWrap: true } : look, longest),
    );
  const paragraph = (content: string | readonly Text[], look: Look = {}): Text => ({
    ...look,
    text: typeof content === "string" ? prose(content) : content,
  });

  /** pdfmake fails on a bookmark to a paragraph without visible characters. */
  const outlined = (content: string): Look => (text(content).length === 0 ? {} : { outline: true, outlineText: content });
  /** @param depth 1 for the headings of the highest level below the title */
  const heading = (content: string, depth: number, more: Look = {}): Text => {
    const [fontSize, above] = HEADINGS[depth - 1] ?? [10.5, 8];
    const look: Look = { fontSize, margin: [0, above, 0, 5], lineHeight: 1, bold: true, headlineLevel: depth };
    return paragraph(content, { ...look, ...outlined(content), ...more });
  };

  const table = ({ head, rows, shares, numbers }: TableContent, { fontSize, isFramed = false }: TableLook): Content => {
    const last = shares.length - 1;
    const widths = shares.map((share, column) => share * TEXT_WIDTH - (column === last ? 0 : CELL_GAP));
    const line = (cells: readonly Cell[], bold: boolean): Text[] =>
      cells.map((cell, column) => {
        // Letters are about half as wide as high.
        const longest = Math.min(LONGEST_WORD_OF_CELL, Math.max(2, Math.floor(((widths[column] ?? 0) / fontSize) * 1.6)));
        const words = prose(typeof cell === "string" ? cell : cell.text, {}, longest);
        const content = typeof cell === "string" ? words : [...words, ...cell.after];
        return paragraph(content, {
          bold,
          fontSize,
          lineHeight: isFramed ? 1.2 : 1.1,
          alignment: numbers.includes(column) ? "right" : "left",
        });
      });
    const strong = (index: number, all: { readonly table: { readonly body: readonly unknown[] } }): boolean =>
      isFramed && (index < 2 || index === all.table.body.length);
    return {
      table: {
        headerRows: Math.min(head.length, 1),
        keepWithHeaderRows: Math.min(rows.length, 1),
        dontBreakRows: true,
        widths,
        body: [...(head.length === 0 ? [] : [line(head, true)]), ...rows.map((cells) => line(cells, false))],
      },
      layout: {
        hLineWidth: (index: number, all: never) => (strong(index, all) ? 0.9 : 0.5),
        hLineColor: (index: number, all: never) => (strong(index, all) ? STRONG_LINE : LINE),
        vLineWidth: () => 0,
        paddingLeft: () => 0,
        paddingRight: (column: number) => (column === last ? 0 : CELL_GAP),
        paddingTop: () => (isFramed ? 4 : 1.5),
        paddingBottom: () => (isFramed ? 4 : 1),
      },
      margin: isFramed ? [0, 4, 0, 12] : [0, 0, 0, 8],
    };
  };

  return { text, prose, paragraph, heading, outlined, table };
}

/** A character of a long word. Surrogates are excluded, because their pairs must stay together. */
const UNBROKEN = String.raw`[^\s\-/\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\ud800-\udfff]`;

/** Lets words of at least `longest` characters, such as hashes, break anywhere. Otherwise they would widen columns beyond the page. */
function breakLongWords(runs: readonly FontRun[], longest: number) {
  const long = new RegExp(`(${UNBROKEN}{${longest},})`);
  return runs.flatMap(({ text, ...look }) =>
    text
      .split(long)
      .map((part, index) => (index % 2 === 0 ? { ...look, text: part } : { ...look, text: part, wordBreak: "break-all" as const }))
      .filter((run) => run.text !== ""),
  );
}
