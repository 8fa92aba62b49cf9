import { escapeHtml } from "../../util/escape-html.ts";
import {
  type BlockView,
  gapBefore,
  gapBehind,
  type HeadingView,
  isDoubtful,
  type ListView,
  type Sentence,
  splitStop,
  type TableView,
} from "../view/block-view.ts";
import type { Note, ReportView } from "../view/report-view.ts";
import { languageOf, noteSource, quotedHtml, textHtml } from "./text.ts";

/**
 * Returns the blocks of the report as HTML. The first reference to note 3 has the id `r3`, heading 2 the id `h2`.
 * @param isPage false leaves out links within the page and the quotes that appear over the text
 */
export function htmlBlocks(view: ReportView, isPage = true): string[][] {
  const marks = createMarks(view, isPage);
  const write = (sentence: Sentence): string => sentenceHtml(sentence, view, marks(sentence));
  return view.blocks.map((block) => blockHtml(block, view, write, marks));
}

/** Keeps marks on the line of their sentence, also behind Chinese. */
const WORD_JOINER = "&#8288;";

type Marks = (sentence: Sentence) => string;

function blockHtml(block: BlockView, view: ReportView, write: Marks, marks: Marks): string[] {
  if (block.kind === "heading") return [headingHtml(block, view)];
  if (block.kind === "code") {
    const code = `<pre class="code" dir="ltr" tabindex="0"><code>${escapeHtml(block.lines.join("\n"))}</code></pre>`;
    return [code, `<p class="soft" dir="auto">${escapeHtml(block.remark)}</p>`];
  }
  if (block.kind === "paragraph") return [`<p dir="auto">${joined(block.sentences, write)}</p>`];
  return block.kind === "table" ? tableHtml(block, view, marks) : listHtml(block, write);
}

function headingHtml({ depth, number, text, mark }: HeadingView, view: ReportView): string {
  const level = `h${depth + 1}`;
  return `<${level} id="h${number}" dir="auto"${languageOf(text, view)}>${textHtml(text)}${alarmOf(mark)}</${level}>`;
}

function joined(sentences: readonly Sentence[], write: Marks): string {
  return sentences.map((sentence, index) => `${gapBehind(sentences[index - 1])}${write(sentence)}`).join("");
}

function sentenceHtml(sentence: Sentence, view: ReportView, marks: string): string {
  const doubtful = isDoubtful(sentence) ? ` class="unverified"` : "";
  return `<bdi${doubtful}${languageOf(sentence.text, view)}>${textHtml(sentence.text)}</bdi>${marks}`;
}

function alarmOf(mark: string | null): string {
  return mark === null ? "" : `${gapBefore(mark)}<strong class="alarm">${escapeHtml(mark)}</strong>`;
}

function remarksHtml(remarks: string): string {
  return remarks === "" ? "" : `${gapBefore(remarks)}<span class="remarks">${escapeHtml(remarks)}</span>`;
}

function createMarks(view: ReportView, isPage: boolean): Marks {
  const notes = new Map(isPage ? view.notes.map((note) => [note.number, note]) : []);
  const anchored = new Set<number>();
  const anchor = (number: number): string => {
    if (anchored.has(number)) return "";
    anchored.add(number);
    return ` id="r${number}"`;
  };
  return (sentence) => {
    const { citations, mark, remarks } = sentence;
    const numbers = citations.map(({ number, retracted }) => {
      const note = notes.get(number);
      const alarm = retracted ? ` <strong class="alarm">${escapeHtml(view.labels.retracted)}</strong>` : "";
      const link = `<a${anchor(number)} href="#q${number}" role="doc-noteref" aria-describedby="t${number}">[${number}]</a>`;
      return `<span class="mark">${note === undefined ? `[${number}]` : `${link}${tipOf(note, sentence, view)}`}${alarm}</span>`;
    });
    const signs = numbers.join("");
    return `${signs === "" ? "" : `<sup class="marks${splitStop(sentence)[1] === "" ? "" : " behind-stop"}">${WORD_JOINER}${signs}</sup>`}${alarmOf(mark)}${remarksHtml(remarks)}`;
  };
}

function tipOf({ number, quote, source }: Note, { citations, calculation }: Sentence, view: ReportView): string {
  const others = citations.flatMap((cited) => (cited.number === number ? [] : [cited.number]));
  const about = calculation === null ? [] : [view.labels.support.calculation(calculation, others)];
  const lines = [
    `<span>[${number}] <span${languageOf(quote, view)}>${quotedHtml(quote)}</span></span>`,
    `<span class="from">${noteSource({ ...source, href: null }, view, quote)}</span>`,
    ...about.map((line) => `<span class="from">${escapeHtml(line)}</span>`),
  ];
  return `<span class="tip" role="tooltip" dir="auto">${lines.join("")}</span>`;
}

function listHtml({ start, items }: ListView, write: Marks): string[] {
  const lines: string[] = [];
  const open: string[] = [];
  for (const { level, number, sentences } of items) {
    const first = level === 0 ? start : number;
    if (level === open.length) {
      open.push(first === null ? "ul" : "ol");
      lines.push(first === null ? "<ul>" : `<ol start="${first}">`);
    } else {
      lines.push("</li>");
      while (open.length > level + 1) lines.push(`</${open.pop()}>`, "</li>");
    }
    lines.push(`<li dir="auto"${number === null ? "" : ` value="${number}"`}>${joined(sentences, write)}`);
  }
  while (open.length > 0) lines.push("</li>", `</${open.pop()}>`);
  return lines;
}

function tableHtml({ caption, head, mark, rows, numbers }: TableView, view: ReportView, marks: Marks): string[] {
  const body = rows.map(({ cells, sentence }) => {
    return tableRow(cells, numbers, view, { after: marks(sentence), class: isDoubtful(sentence) ? "unverified" : "" });
  });
  const label = head.filter((cell) => cell !== "").join(", ");
  const cells = head.map((cell, index) => {
    const text = `${textHtml(cell)}${index === 0 ? alarmOf(mark) : ""}`;
    return `<th scope="col"${numberClass(index, numbers)}${languageOf(cell, view)}>${text}</th>`;
  });
  const region = `<div class="figure"><div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}">`;
  const title = caption === "" ? "" : `<caption dir="auto"${languageOf(caption, view)}>${textHtml(caption)}</caption>`;
  return [region, `<table>${title}<thead><tr>${cells.join("")}</tr></thead><tbody>`, ...body, `</tbody></table></div></div>`];
}

interface RowOptions {
  /** Markup behind the first cell. */
  readonly after?: string;
  readonly class?: string;
}

/** Returns a row of a table, with the numbers of the columns in `numbers` at the end of their cells. */
export function tableRow(cells: readonly string[], numbers: readonly number[], view: ReportView, options: RowOptions = {}): string {
  const { after = "", class: name = "" } = options;
  const all = cells.map((cell, index) => {
    const text = `<bdi${name === "" ? "" : ` class="${name}"`}${languageOf(cell, view)}>${textHtml(cell)}</bdi>`;
    return `<td dir="auto"${numberClass(index, numbers)}>${text}${index === 0 ? after : ""}</td>`;
  });
  return `<tr>${all.join("")}</tr>`;
}

export function numberClass(index: number, numbers: readonly number[]): string {
  return numbers.includes(index) ? ` class="number"` : "";
}
