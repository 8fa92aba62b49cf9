import { AlignmentType, type ILevelsOptions, type INumberingOptions, LevelFormat, LineRuleType } from "docx";
import type { ReportView } from "../view/report-view.ts";

/** Fonts that come with Word. Other programs and systems put a similar one in their place. */
const FONT = { ascii: "Arial", hAnsi: "Arial", cs: "Arial", eastAsia: "Microsoft YaHei" };
const INK = "1C1E21";
const TEXT_SIZE = 21;
/** The look of citation numbers and signs. Their size is that before raising, which shrinks them further. */
export const MARK = { superScript: true, size: TEXT_SIZE, color: "1558B0" } as const;
/** Takes the blank half from a full-width stop, in twentieths of a point. */
export const HALF_WIDTH = -90;

/** Returns the styles of title, headings, text and footnotes. Sizes are in half-points, spaces in twentieths of a point. */
export function stylesOf() {
  const heading = (size: number, before: number) => ({
    run: { size, bold: true, color: INK, font: FONT },
    paragraph: { spacing: { before, after: 100, line: 276, lineRule: LineRuleType.AUTO }, keepNext: true },
  });
  return {
    default: {
      document: {
        run: { font: FONT, size: TEXT_SIZE, color: INK, language: { value: "en-US", eastAsia: "zh-CN" } },
        paragraph: { spacing: { after: 140, line: 300, lineRule: LineRuleType.AUTO } },
      },
      title: {
        ...heading(38, 0),
        paragraph: { spacing: { before: 0, after: 160, line: 276, lineRule: LineRuleType.AUTO }, keepNext: true },
      },
      heading1: heading(28, 320),
      heading2: heading(24, 240),
      heading3: heading(22, 200),
      heading4: heading(21, 180),
      heading5: heading(21, 160),
      footnoteReference: { run: MARK },
      footnoteText: { run: { size: 17, font: FONT }, paragraph: { spacing: { after: 40, line: 250, lineRule: LineRuleType.AUTO } } },
    },
  };
}

const DEEPEST = 5;
const POINTS = "points";
const BULLET = "•";

export const indentOf = (level: number) => ({ left: 500 + level * 400, hanging: 380 });

const levelOf = (level: number, more: Pick<ILevelsOptions, "format" | "text" | "start">): ILevelsOptions => ({
  level,
  alignment: AlignmentType.LEFT,
  style: { run: { size: TEXT_SIZE, font: FONT }, paragraph: { indent: indentOf(level) } },
  ...more,
});

function bullets(from: number): ILevelsOptions[] {
  const levels = Array.from({ length: DEEPEST + 1 }, (_, level) => level).slice(from);
  return levels.map((level) => levelOf(level, { format: LevelFormat.BULLET, text: BULLET }));
}

/** Returns the kinds of lists of the report: one with points, and one for each number at which a numbered list begins. */
export function listsOf({ blocks }: ReportView): INumberingOptions {
  const starts = new Set(blocks.flatMap((block) => (block.kind === "list" && block.start !== null ? [block.start] : [])));
  const numbered = [...starts].map((start) => {
    const first = levelOf(0, { format: LevelFormat.DECIMAL, text: "%1.", start: Math.min(start, 32_767) });
    return { reference: `from-${start}`, levels: [first, ...bullets(1)] };
  });
  return { config: [{ reference: POINTS, levels: bullets(0) }, ...numbered] };
}

/** Returns the numbering of an item. Lists with different `instance` count separately. */
export function numberingOf(start: number | null, level: number, instance: number) {
  return start === null ? { reference: POINTS, level } : { reference: `from-${start}`, level, instance };
}
