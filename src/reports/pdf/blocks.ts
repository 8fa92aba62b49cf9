import {
  type BlockView,
  type CodeView,
  gapBefore,
  gapBehind,
  isDoubtful,
  type ListView,
  type Sentence,
  splitStop,
  type TableView,
} from "../view/block-view.ts";
import type { ReportView } from "../view/report-view.ts";
import { ALARM, type Content, HALF_WIDTH, LINK, type PdfBuilder, SOFT, type Text } from "./typesetter.ts";

/** Superscripts are set at 58 % of this size. */
const RAISED = { sup: true, fontSize: 12 } as const;
const DOUBTFUL = { decoration: "underline", decorationStyle: "dotted", decorationColor: ALARM } as const;
/** A narrow space at which no line breaks keeps marks on the line of their sentence. */
const JOINED = "\u202f";

/** Returns the blocks of the report. Numbers lead to the notes `q1`, `q2` and so on. Heading 3 has the id `h3`. */
export function pdfBlocks(view: ReportView, pdf: PdfBuilder): Content[] {
  const known = new Set(view.notes.map(({ number }) => number));
  const marks = (sentence: Sentence): Text[] => marksOf(sentence, known, view, pdf);
  return view.blocks.map((block): Content => blockOf(block, marks, pdf));
}

type Marks = (sentence: Sentence) => Text[];

function blockOf(block: BlockView, marks: Marks, pdf: PdfBuilder): Content {
  if (block.kind === "heading") {
    const heading = pdf.heading(block.text, block.depth, { id: `h${block.number}` });
    return block.mark === null ? heading : { ...heading, text: [...[heading.text].flat(), ...alarmOf(block.mark, pdf)] };
  }
  if (block.kind === "code") return codeOf(block, pdf);
  if (block.kind === "paragraph") return pdf.paragraph(joined(block.sentences, marks, pdf), { margin: [0, 0, 0, 7] });
  if (block.kind === "list") return listOf(block, marks, pdf);
  const caption = block.caption === "" ? [] : [pdf.paragraph(pdf.prose(block.caption), { margin: [0, 0, 0, 3] })];
  return { stack: [...caption, tableOf(block, marks, pdf)] };
}

/** The width of a space of code, in points. */
const SPACE = 2.4;
const MAX_INDENT = 40;

function codeOf({ lines, remark }: CodeView, pdf: PdfBuilder): Content {
  // Spaces at the beginning of a line would be dropped.
  const shown = lines.map((line) => {
    const indent = Math.min(line.length - line.trimStart().length, MAX_INDENT);
    return pdf.paragraph(pdf.text(line.trimStart() || "\u00a0"), { fontSize: 9, margin: [10 + indent * SPACE, 0, 0, 0] });
  });
  return {
    stack: [...shown, pdf.paragraph(pdf.text(remark, { color: SOFT, fontSize: 8.5 }), { margin: [10, 2, 0, 7] })],
  };
}

function joined(sentences: readonly Sentence[], marks: Marks, pdf: PdfBuilder): Text[] {
  return sentences.flatMap((sentence, index) => {
    const look = isDoubtful(sentence) ? DOUBTFUL : {};
    const [text, stop] = splitStop(sentence);
    return [
      ...pdf.text(gapBehind(sentences[index - 1])),
      ...pdf.prose(text, look),
      ...pdf.text(stop, { ...look, fontFeatures: HALF_WIDTH }),
      ...marks(sentence),
    ];
  });
}

function marksOf({ citations, mark, remarks }: Sentence, known: ReadonlySet<number>, view: ReportView, pdf: PdfBuilder): Text[] {
  const numbers = citations.flatMap(({ number, retracted }) => [
    ...pdf.text(`${JOINED}[${number}]`, { ...RAISED, ...(known.has(number) && { color: LINK, linkToDestination: `q${number}` }) }),
    ...(retracted ? pdf.text(` ${view.labels.retracted}`, { bold: true, color: ALARM, fontSize: 8 }) : []),
  ]);
  const witnesses = remarks === "" ? [] : pdf.text(`${gapBefore(remarks)}${remarks}`, { color: SOFT, fontSize: 8.5 });
  return [...numbers, ...alarmOf(mark, pdf), ...witnesses];
}

function alarmOf(mark: string | null, pdf: PdfBuilder): Text[] {
  return mark === null ? [] : pdf.text(`${gapBefore(mark)}${mark}`, { bold: true, color: ALARM, fontSize: 8.5 });
}

function tableOf({ head, mark, rows, numbers, shares }: TableView, marks: Marks, pdf: PdfBuilder): Content {
  const withAfter = (cells: readonly string[], after: readonly Text[]) =>
    cells.map((text, index) => (index === 0 ? { text, after } : text));
  const body = rows.map(({ cells, sentence }) => withAfter(cells, marks(sentence)));
  return pdf.table({ head: withAfter(head, alarmOf(mark, pdf)), rows: body, shares, numbers }, { fontSize: 9, isFramed: true });
}

interface Item {
  readonly number: number | null;
  readonly text: Text;
  readonly children: Item[];
}

function listOf({ start, items }: ListView, marks: Marks, pdf: PdfBuilder): Content {
  const top: Item[] = [];
  const parents: Item[][] = [top];
  for (const { level, number, sentences } of items) {
    const item: Item = { number, text: pdf.paragraph(joined(sentences, marks, pdf), { margin: [0, 0, 0, 3] }), children: [] };
    parents[level]?.push(item);
    parents[level + 1] = item.children;
  }
  const look = { margin: [0, 0, 0, 7], markerColor: SOFT };
  return start === null ? { ul: top.map(nested), ...look } : { ol: top.map(nested), start, ...look };
}

function nested({ text, children }: Item): Content {
  const [first] = children;
  if (first === undefined) return text;
  const inner = children.map(nested);
  return { stack: [text, { ...(first.number === null ? { ul: inner } : { ol: inner, start: first.number }), markerColor: SOFT }] };
}
