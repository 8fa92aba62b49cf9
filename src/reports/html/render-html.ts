import { escapeHtml } from "../../util/escape-html.ts";
import { type Note, type QuotedPassage, type ReportView, referencedNumbers } from "../view/report-view.ts";
import { htmlAppendix } from "./appendix.ts";
import { htmlBlocks } from "./blocks.ts";
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
  const body = [`<main>`, ...contentOf(view, true), `</main>`, ...htmlAppendix(view)];
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
  const blocks = htmlBlocks(view, isPage);
  return [
    `<h1 dir="auto"${languageOf(view.title, view)}>${titleHtml(view.title)}</h1>`,
    ...(view.dated === null ? [] : [`<p class="dated">${escapeHtml(view.dated)}</p>`]),
    ...blocks.slice(0, view.leadLength).flat(),
    ...view.uncitedParagraphs.map((line) => `<p dir="auto"${languageOf(line, view)}>${escapeHtml(line)}</p>`),
    ...standing(view),
    ...noAnswer(view),
    ...(isPage ? contents(view) : []),
    ...blocks.slice(view.leadLength).flat(),
    ...unanswered(view),
    ...closest(view),
    ...notes(view, isPage),
    ...sources(view, isPage),
  ];
}

function standing({ standing: lines }: ReportView): string[] {
  if (lines.length === 0) return [];
  return [`<div class="standing">`, ...lines.map((line) => `<p dir="auto">${escapeHtml(line)}</p>`), `</div>`];
}

function noAnswer({ noAnswer: lines, notReached }: ReportView): string[] {
  const paragraphs = lines.map((line) => `<p dir="auto">${escapeHtml(line)}</p>`);
  const items = (missed: readonly string[]) => list(missed.map((line) => `<li dir="auto">${escapeHtml(line)}</li>`));
  return [...paragraphs, ...notReached.flatMap(({ title, lines: missed }) => [`<p>${escapeHtml(title)}</p>`, ...items(missed)])];
}

function list(items: readonly string[], name = ""): string[] {
  return [`<ul${name === "" ? "" : ` class="${name}"`}>`, ...items, `</ul>`];
}

function contents(view: ReportView): string[] {
  if (view.contents.length === 0) return [];
  const items = view.contents.map(({ depth, number, text }) => {
    const deeper = depth > 1 ? ` class="deeper"` : "";
    return `<li${deeper} dir="auto"${languageOf(text, view)}><a href="#h${number}">${escapeHtml(text)}</a></li>`;
  });
  const label = escapeHtml(view.labels.contents);
  return [`<nav class="contents" aria-label="${label}">`, `<h2>${label}</h2>`, ...list(items), `</nav>`];
}

function unanswered(view: ReportView): string[] {
  if (view.unanswered.length === 0) return [];
  const items = view.unanswered.map((line) => `<li dir="auto"${languageOf(line, view)}>${escapeHtml(line)}</li>`);
  return [`<h2>${escapeHtml(view.labels.unanswered)}</h2>`, ...list(items)];
}

function closest(view: ReportView): string[] {
  if (view.closest.length === 0) return [];
  const items = view.closest.map((passage) => {
    return `<li>${quoteHtml(passage, view)}${view.labels.from}<span class="from">${fullSource(passage.source, view, passage.quote)}</span></li>`;
  });
  return [`<h2>${escapeHtml(view.labels.closest)}</h2>`, ...list(items, "closest")];
}

function quoteHtml({ quote }: QuotedPassage, view: ReportView, id = ""): string {
  return `<blockquote${id} dir="auto"${languageOf(quote, view)}>${quotedHtml(quote)}</blockquote>`;
}

function notes(view: ReportView, isPage: boolean): string[] {
  if (view.notes.length === 0) return [];
  // Without links within the page there is no way back.
  const referenced = isPage ? referencedNumbers(view) : new Set<number>();
  const items = view.notes.map((note) => noteItem(note, referenced.has(note.number), view));
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

function sources(view: ReportView, isPage: boolean): string[] {
  if (view.sources.length === 0) return [];
  const items = view.sources.map((source) => {
    const numbers = source.notes.map((number) => (isPage ? `<a href="#q${number}">[${number}]</a>` : `[${number}]`)).join(" ");
    return `<li>${fullSource(source, view)} <span class="cited">${numbers}</span></li>`;
  });
  return [`<h2>${escapeHtml(view.labels.sources)}</h2>`, ...list(items, "sources")];
}
