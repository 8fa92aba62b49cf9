import { escapeHtml } from "../../util/escape-html.ts";
import type { HeadingView } from "../view/block-view.ts";
import {
  type AppendixPart,
  type AppendixTable,
  type Note,
  type QuotedPassage,
  type ReportView,
  referencedNumbers,
} from "../view/report-view.ts";
import type { SourceLine } from "../view/source-line.ts";
import { writeReport } from "../view/write-report.ts";
import { htmlBlocks, numberClass, tableRow } from "./blocks.ts";
import { CONTENT_SECURITY_POLICY, STYLE } from "./style.ts";
import { fullSource, languageOf, noteSource, quotedHtml, titleHtml } from "./text.ts";

/** Returns a page that loads and runs nothing. Hovering or focusing a number shows its quote. A list has all quotes with links back. */
export function toHtml(view: ReportView): string {
  const head = [
    `<meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(CONTENT_SECURITY_POLICY)}">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta name="referrer" content="no-referrer">`,
    `<title>${escapeHtml(view.title)}</title>`,
    `<style>${STYLE}</style>`,
  ];
  const body = [`<main>`, ...contentOf(view, true), `</main>`];
  const language = view.language === "zh" ? "zh-Hans" : view.language;
  return `<!DOCTYPE html>\n<html lang="${language}">\n<head>\n${head.join("\n")}\n</head>\n<body>\n${body.join("\n")}\n</body>\n</html>\n`;
}

/** Attributes that mean something to the page alone. No text has a bare quotation mark, so none looks like one of them. */
const PAGE_ATTRIBUTES = / (?:class|id|role|tabindex|rel|aria-label)="[^"]*"/g;

/** Returns the content alone, for pasting into other programs: the same texts, marks, notes and sources, without style. */
export function toHtmlFragment(view: ReportView): string {
  return `${contentOf(view, false).join("\n")}\n`.replaceAll(PAGE_ATTRIBUTES, "");
}

function contentOf(view: ReportView, isPage: boolean): string[] {
  const line = (text: string, tag = "p"): string => `<${tag} dir="auto"${languageOf(text, view)}>${escapeHtml(text)}</${tag}>`;
  return writeReport<string>(view, {
    blocks: htmlBlocks(view, isPage),
    title: (text) => [`<h1 dir="auto"${languageOf(text, view)}>${titleHtml(text)}</h1>`],
    dated: (text) => [`<p class="dated">${escapeHtml(text)}</p>`],
    standing: (lines) => [`<div class="standing">`, ...lines.map((text) => `<p dir="auto">${escapeHtml(text)}</p>`), `</div>`],
    contents: (headings) => (isPage ? contents(headings, view) : []),
    heading: (text) => [`<h2>${escapeHtml(text)}</h2>`],
    paragraph: (text) => [line(text)],
    list: (lines) => list(lines.map((text) => line(text, "li"))),
    closest: (passages) =>
      list(
        passages.map((passage) => closest(passage, view)),
        "closest",
      ),
    notes: (all) => notes(all, view, isPage),
    sources: (all) =>
      list(
        all.map((source) => sourceItem(source, view, isPage)),
        "sources",
      ),
    appendix: (parts) => (isPage ? appendix(parts, view) : []),
  });
}

function list(items: readonly string[], name = ""): string[] {
  return [`<ul${name === "" ? "" : ` class="${name}"`}>`, ...items, `</ul>`];
}

function contents(headings: readonly HeadingView[], view: ReportView): string[] {
  const items = headings.map(({ depth, number, text }) => {
    const deeper = depth > 1 ? ` class="deeper"` : "";
    return `<li${deeper} dir="auto"${languageOf(text, view)}><a href="#h${number}">${escapeHtml(text)}</a></li>`;
  });
  const label = escapeHtml(view.labels.contents);
  return [`<nav class="contents" aria-label="${label}">`, `<h2>${label}</h2>`, ...list(items), `</nav>`];
}

function closest(passage: QuotedPassage, view: ReportView): string {
  const from = `<span class="from">${fullSource(passage.source, view, passage.quote)}</span>`;
  return `<li>${quoteHtml(passage, view)}${view.labels.from}${from}</li>`;
}

function quoteHtml({ quote }: QuotedPassage, view: ReportView, id = ""): string {
  return `<blockquote${id} dir="auto"${languageOf(quote, view)}>${quotedHtml(quote)}</blockquote>`;
}

function notes(all: readonly Note[], view: ReportView, isPage: boolean): string[] {
  // Without links within the page there is no way back.
  const referenced = isPage ? referencedNumbers(view) : new Set<number>();
  const items = all.map((note) => noteItem(note, referenced.has(note.number), view));
  return [`<h2>${escapeHtml(view.labels.quotes)}</h2>`, `<ol class="notes">`, ...items, `</ol>`];
}

function noteItem(note: Note, isReferenced: boolean, view: ReportView): string {
  const { number, quote, isInText, calculations, source } = note;
  const { labels } = view;
  const label = escapeHtml(`${labels.back} ${number}`);
  const back = `<a class="back" href="#r${number}" role="doc-backlink" aria-label="${label}" title="${escapeHtml(labels.back)}">↑</a>`;
  const parts = [
    `${isReferenced ? `${back}&nbsp;` : ""}${isInText ? `<span id="t${number}">${escapeHtml(labels.inText)}</span>` : quoteHtml(note, view, ` id="t${number}"`)}${labels.from}<span class="from">${noteSource(source, view, quote)}</span>`,
    ...calculations.map((line) => `<span class="calculation">${escapeHtml(line)}</span>`),
  ];
  return `<li id="q${number}" value="${number}">${parts.join(" ")}</li>`;
}

function sourceItem(source: SourceLine, view: ReportView, isPage: boolean): string {
  const numbers = source.notes.map((number) => (isPage ? `<a href="#q${number}">[${number}]</a>` : `[${number}]`)).join(" ");
  return `<li>${fullSource(source, view)} <span class="cited">${numbers}</span></li>`;
}

/** Returns the folded parts at the end. */
function appendix(parts: readonly AppendixPart[], view: ReportView): string[] {
  const folded = parts.flatMap(({ title, tables, lines }) => [
    `<details>`,
    `<summary>${escapeHtml(title)}</summary>`,
    ...tables.flatMap((table) => tableHtml(table, title, view)),
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    `</details>`,
  ]);
  return [`<footer>`, `<h2>${escapeHtml(view.labels.appendix)}</h2>`, ...folded, `</footer>`];
}

function tableHtml({ head, rows, numbers }: AppendixTable, label: string, view: ReportView): string[] {
  const cells = head.map((cell, index) => `<th scope="col"${numberClass(index, numbers)}>${escapeHtml(cell)}</th>`).join("");
  const region = `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}">`;
  const lines = rows.map((row) => tableRow(row, numbers, view));
  return [region, `<table>${cells === "" ? "" : `<thead><tr>${cells}</tr></thead>`}<tbody>`, ...lines, `</tbody></table></div>`];
}
