import type { Table, Text } from "./pdfmake.ts";
import type { FontRun, Typesetter } from "./typesetter.ts";

/** What may be said of a stretch of text beside its letters. */
export type Look = Omit<Text, "text" | "font">;

/** Ink and links, as in the other formats. */
export const LINK = "#1558b0";
export const SOFT = "#5b626b";
export const ALARM = "#a3180f";
const LINE = "#d7dbe0";

export const LINE_HEIGHT = 1.3;
/** Lines of Chinese alone would stand farther apart than others: its font is higher. */
const CHINESE_LINE_HEIGHT = LINE_HEIGHT * 0.94;

/** Longer words are broken anywhere: so many letters of their size have room in a line, and in the narrowest column of text. */
const LONGEST_WORD = 40;
const LONGEST_WORD_OF_CELL = 20;

/** Makes the parts of a PDF out of texts, each letter in the font that has it. */
export interface Setting {
  text(text: string, look?: Look): Text[];
  paragraph(text: string | readonly Text[], look?: Look): Text;
  heading(text: string, level: 1 | 2): Text;
  /** `head` is null where there is none; `numbers` are the columns that are flush right. */
  table(
    head: readonly string[] | null,
    rows: readonly (readonly string[])[],
    widths: readonly (number | "*")[],
    numbers: readonly number[],
  ): Table;
}

export function settingFor(typesetter: Typesetter): Setting {
  const runs = (content: string, look: Look, longest: number): Text[] =>
    breakLongWords(typesetter.runsOf(content), longest).map((run) => ({
      ...look,
      ...run,
      ...(run.font === "chinese" && { lineHeight: CHINESE_LINE_HEIGHT }),
    }));
  const text: Setting["text"] = (content, look = {}) => runs(content, look, LONGEST_WORD);
  const paragraph: Setting["paragraph"] = (content, look = {}) => ({
    ...look,
    text: typeof content === "string" ? text(content) : content,
  });

  const heading: Setting["heading"] = (content, level) => {
    const look: Look = level === 1 ? { fontSize: 14, margin: [0, 18, 0, 6] } : { fontSize: 11, margin: [0, 14, 0, 4] };
    return paragraph(content, { ...look, bold: true, outline: true, outlineText: content, headlineLevel: level });
  };

  const table: Setting["table"] = (head, rows, widths, numbers) => {
    const line = (cells: readonly string[], bold: boolean): Text[] =>
      cells.map((content, column) =>
        paragraph(runs(content, {}, LONGEST_WORD_OF_CELL), { bold, fontSize: 8.5, alignment: numbers.includes(column) ? "right" : "left" }),
      );
    return {
      table: {
        headerRows: head === null ? 0 : 1,
        dontBreakRows: true,
        widths,
        body: [...(head === null ? [] : [line(head, true)]), ...rows.map((cells) => line(cells, false))],
      },
      layout: { hLineWidth: () => 0.5, vLineWidth: () => 0, hLineColor: () => LINE, paddingLeft: () => 2, paddingRight: () => 6 },
      margin: [0, 0, 0, 8],
    };
  };

  return { text, paragraph, heading, table };
}

/** A stretch without a place where lines may be broken: no blank, hyphen, slash or ideograph. Without surrogates, which may not be parted. */
const UNBROKEN = String.raw`[^\s\-/\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\ud800-\udfff]`;

type BrokenRun = FontRun & { readonly wordBreak?: "break-all" };

/**
 * Marks words of `longest` letters and more, such as addresses and hashes, to be broken anywhere. Else they make columns wider than
 * the page, and the layout measures their rest once for each letter.
 */
function breakLongWords(runs: readonly FontRun[], longest: number): BrokenRun[] {
  const long = new RegExp(`(${UNBROKEN}{${longest},})`);
  return runs.flatMap(({ text, font }) =>
    text
      .split(long)
      .map((part, index) => (index % 2 === 0 ? { text: part, font } : { text: part, font, wordBreak: "break-all" as const }))
      .filter((run) => run.text !== ""),
  );
}
