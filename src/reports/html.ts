import { createHash } from "node:crypto";
import { resolveLanguage } from "../ranking/language.ts";
import { withTextFragment } from "./text.ts";
import type { Note, QuotedPassage, ReportView, Section, Sentence, SourceLine } from "./view/report-view.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1e21; --soft: #5b626b; --paper: #fff; --wash: #f4f5f7; --line: #d7dbe0; --link: #1558b0; --alarm: #a3180f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6e9; --soft: #a2a9b2; --paper: #16181b; --wash: #22262b; --line: #3a4048; --link: #8ab8f5; --alarm: #ff9a8f; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 46rem; background: var(--paper); color: var(--ink); line-height: 1.6;
  font-family: system-ui, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Source Han Sans SC", sans-serif;
  overflow-wrap: anywhere; line-break: strict; }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 .75rem; }
h2 { font-size: 1.2rem; line-height: 1.35; margin: 2.25rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
a { color: var(--link); }
a:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.verified { margin: 0; padding: .5rem .75rem; border-left: 3px solid var(--link); background: var(--wash); font-size: .9rem; }
.sentences { padding-left: 1.25rem; }
.sentences > li { position: relative; margin: .5rem 0; }
.mark { white-space: nowrap; font-size: .8em; }
.mark > a { padding: .1em .15em; text-decoration: none; }
.tip { position: absolute; z-index: 1; left: 0; right: 0; top: 100%; display: none; padding: .6rem .8rem; border: 1px solid var(--line);
  border-radius: .4rem; background: var(--wash); color: var(--ink); box-shadow: 0 .3rem 1rem #0004; font-size: .85rem; white-space: normal;
  max-height: 16rem; overflow: auto; }
.mark:hover > .tip, .mark:focus-within > .tip { display: block; }
.tip .from { display: block; color: var(--soft); }
.alarm { color: var(--alarm); font-weight: 700; font-size: .8em; letter-spacing: .02em; }
.unsupported { border-left: 3px solid var(--alarm); padding-left: .6rem; }
.notes { padding-left: 2.25rem; }
.closest { padding-left: .75rem; border-left: 3px solid var(--line); list-style: none; }
.notes > li, .closest > li { margin: .75rem 0; }
.notes > li:target, .sentences > li:has(:target) { background: var(--wash); outline: .4rem solid var(--wash); }
blockquote { margin: 0; }
.from, .place, .left-out { color: var(--soft); font-size: .9rem; }
.place { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .8rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; }
th, td { text-align: start; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: end; white-space: nowrap; padding-right: 0; padding-left: .6rem; }
th:first-child, td:first-child { white-space: nowrap; }
.receipt th { font-weight: 400; color: var(--soft); width: 12rem; }
@media print {
  :root { --ink: #000; --soft: #444; --paper: #fff; --wash: #fff; --line: #999; --link: #000; --alarm: #000; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  .tip, .back { display: none !important; }
  h2, h3 { break-after: avoid; }
  li, tr { break-inside: avoid; }
  :is(.notes, .closest) a[href^="http"]::after { content: " <" attr(href) ">"; font-size: .8em; }
  .scroll { overflow: visible; }
}
`;

export const CONTENT_SECURITY_POLICY: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE, "utf8").digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

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
  const body = [
    `<main>`,
    `<h1 dir="auto"${languageOf(view.title, view)}>${escapeHtml(view.title)}</h1>`,
    ...verified(view),
    ...noAnswer(view),
    ...view.uncitedParagraphs.map((line) => `<p dir="auto"${languageOf(line, view)}>${escapeHtml(line)}</p>`),
    ...sections(view),
    ...unanswered(view),
    ...closest(view),
    ...notes(view),
    `</main>`,
    ...appendix(view),
  ];
  const language = view.language === "zh" ? "zh-Hans" : view.language;
  return `<!DOCTYPE html>\n<html lang="${language}">\n<head>\n${head.join("\n")}\n</head>\n<body>\n${body.join("\n")}\n</body>\n</html>\n`;
}

function verified(view: ReportView): string[] {
  const notices = [view.cutOff, view.verified, ...view.rulesNotices].filter((line) => line !== null);
  return notices.map((line) => `<p class="verified">${escapeHtml(line)}</p>`);
}

function noAnswer({ noAnswer: lines, notReached, labels }: ReportView): string[] {
  const why = lines.map((line) => `<p dir="auto">${escapeHtml(line)}</p>`);
  if (notReached.length === 0) return why;
  const items = notReached.map((line) => `<li dir="auto">${escapeHtml(line)}</li>`);
  return [...why, `<p>${escapeHtml(labels.notReached)}</p>`, `<ul>`, ...items, `</ul>`];
}

function sections(view: ReportView): string[] {
  const byNumber = new Map(view.notes.map((note) => [note.number, note]));
  const anchored = new Set<number>();
  const anchor = (number: number): string => {
    if (anchored.has(number)) return "";
    anchored.add(number);
    return ` id="r${number}"`;
  };
  return view.sections.flatMap((section) => sectionLines(section, view, (sentence) => marksOf(sentence, byNumber, anchor, view)));
}

function unanswered(view: ReportView): string[] {
  if (view.unanswered.length === 0) return [];
  const items = view.unanswered.map((line) => `<li dir="auto"${languageOf(line, view)}>${escapeHtml(line)}</li>`);
  return [`<h2>${escapeHtml(view.labels.unanswered)}</h2>`, `<ul>`, ...items, `</ul>`];
}

function sectionLines({ heading, sentences }: Section, view: ReportView, marks: (sentence: Sentence) => string): string[] {
  const title = heading === "" ? [] : [`<h2 dir="auto"${languageOf(heading, view)}>${escapeHtml(heading)}</h2>`];
  const items = sentences.map((sentence) => {
    const text = `<bdi${languageOf(sentence.text, view)}>${escapeHtml(sentence.text)}</bdi>`;
    const alarm = sentence.supported ? "" : `<strong class="alarm">${escapeHtml(view.labels.unsupported)}</strong> `;
    return `<li dir="auto"${sentence.supported ? "" : ` class="unsupported"`}>${alarm}${text} ${marks(sentence)}${sentence.origins === "" ? "" : ` ${escapeHtml(sentence.origins)}`}</li>`;
  });
  return [...title, `<ul class="sentences">`, ...items, `</ul>`];
}

function marksOf({ marks }: Sentence, notes: ReadonlyMap<number, Note>, anchor: (number: number) => string, view: ReportView): string {
  return marks
    .map(({ number, retracted }) => {
      const note = notes.get(number);
      const tip = note === undefined ? "" : `<span class="tip" role="tooltip" dir="auto">${tipOf(note, view)}</span>`;
      const alarm = retracted ? ` <strong class="alarm">${escapeHtml(view.labels.retracted)}</strong>` : "";
      const link = `<a${anchor(number)} href="#q${number}" role="doc-noteref" aria-describedby="t${number}">[${number}]</a>`;
      return `<span class="mark">${note === undefined ? `[${number}]` : link}${alarm}${tip}</span>`;
    })
    .join("");
}

function tipOf({ quote, source }: Note, view: ReportView): string {
  return `<bdi${languageOf(quote, view)}>“${escapeHtml(quote)}”</bdi> <span class="from"><bdi>${escapeHtml(source.title)}</bdi></span>`;
}

function closest(view: ReportView): string[] {
  if (view.closest.length === 0) return [];
  const items = view.closest.map((passage) => [`<li>`, ...quoteLines(passage, view), `</li>`].join("\n"));
  return [`<h2>${escapeHtml(view.labels.closest)}</h2>`, `<ul class="closest">`, ...items, `</ul>`];
}

function quoteLines({ quote, source, hash, offsets }: QuotedPassage, view: ReportView, id = ""): string[] {
  return [
    `<blockquote${id} dir="auto"${languageOf(quote, view)}>“<bdi>${escapeHtml(quote)}</bdi>”</blockquote>`,
    `<span class="from">${sourceText(source, view, quote)}</span>`,
    `<span class="place">${escapeHtml(hash)} ${escapeHtml(offsets)}</span>`,
  ];
}

function notes(view: ReportView): string[] {
  if (view.notes.length === 0) return [];
  return [`<h2>${escapeHtml(view.labels.quotes)}</h2>`, `<ol class="notes">`, ...view.notes.map((note) => noteItem(note, view)), `</ol>`];
}

function noteItem(note: Note, view: ReportView): string {
  const { number } = note;
  const used = view.sections.some(({ sentences }) => sentences.some(({ marks }) => marks.some((mark) => mark.number === number)));
  const back = used
    ? ` <a class="back" href="#r${number}" role="doc-backlink" aria-label="${escapeHtml(`${view.labels.back} ${number}`)}" title="${escapeHtml(view.labels.back)}">↩</a>`
    : "";
  const lines = quoteLines(note, view, ` id="t${number}"`).join("\n");
  return [`<li id="q${number}" value="${number}">`, `${lines}${back}`, `</li>`].join("\n");
}

/** @param quote if given, the link leads to this quote on the page */
function sourceText({ title, retracted, details, address, href }: SourceLine, view: ReportView, quote?: string): string {
  const alarm = retracted ? `<strong class="alarm">${escapeHtml(view.labels.retracted)}</strong> ` : "";
  const name = `<bdi${languageOf(title, view)}>${escapeHtml(title)}</bdi>`;
  const target = href === null ? null : quote === undefined ? href : withTextFragment(href, quote);
  const linked = target === null ? name : `<a href="${escapeHtml(target)}" rel="noopener noreferrer external">${name}</a>`;
  const place = address === "" || (href !== null && quote !== undefined) ? [] : [`<bdi>${escapeHtml(address)}</bdi>`];
  return [`${alarm}${linked}`, ...details.map((detail) => `<bdi>${escapeHtml(detail)}</bdi>`), ...place].join(", ");
}

function languageOf(text: string, view: ReportView): string {
  const detected = resolveLanguage("auto", text);
  const language = detected === "en" && isChineseWithNames(text) ? "zh" : detected;
  return language === view.language ? "" : ` lang="${language === "zh" ? "zh-Hans" : language}"`;
}

/** Whether a text has at least as many Han characters as Latin words. Latin names may have more letters than the Chinese around them. */
function isChineseWithNames(text: string): boolean {
  const ideographs = text.match(/\p{sc=Han}/gu)?.length ?? 0;
  const words = text.match(/[\p{sc=Latin}\p{N}][\p{sc=Latin}\p{N}_.'’/:@-]*/gu)?.length ?? 0;
  return ideographs > 0 && ideographs >= words;
}

function appendix(view: ReportView): string[] {
  const parts = [...sources(view), ...ledger(view), ...receipt(view)];
  return parts.length === 0 ? [] : [`<footer>`, ...parts, `</footer>`];
}

function sources(view: ReportView): string[] {
  if (view.sources.length === 0) return [];
  const items = view.sources.map((source) => {
    const numbers = source.notes.map((number) => `<a href="#q${number}">[${number}]</a>`).join(" ");
    return `<li>${sourceText(source, view)} <span class="mark">${numbers}</span></li>`;
  });
  return [`<h2>${escapeHtml(view.labels.sources)}</h2>`, `<ul>`, ...items, `</ul>`];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportView): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ what, place, outcome, ms }) => row([what, place, outcome, ms], [3]));
  const more = ledgerLeftOut > 0 ? [`<p class="left-out">${escapeHtml(labels.more(ledgerLeftOut))}</p>`] : [];
  return [`<h2>${escapeHtml(labels.ledger)}</h2>`, ...table(labels.ledgerHead, [3], lines, labels.ledger), ...more];
}

function receipt({ labels, receipt: given }: ReportView): string[] {
  if (given === null) return [];
  const rows = given.rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td dir="auto">${escapeHtml(value)}</td></tr>`,
  );
  const numbers = [1, 2, 3, 4, 5];
  const models = given.models.map((cells) => row(cells, numbers));
  return [
    `<h2>${escapeHtml(labels.receipt)}</h2>`,
    `<table class="receipt"><tbody>`,
    ...rows,
    `</tbody></table>`,
    ...(models.length === 0 ? [] : table(labels.modelsHead, numbers, models, labels.receipt)),
  ];
}

function table(head: readonly string[], numbers: readonly number[], rows: readonly string[], label: string): string[] {
  const cells = head.map((cell, index) => `<th scope="col"${numberClass(index, numbers)}>${escapeHtml(cell)}</th>`).join("");
  const region = `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}">`;
  return [region, `<table><thead><tr>${cells}</tr></thead><tbody>`, ...rows, `</tbody></table></div>`];
}

function row(cells: readonly string[], numbers: readonly number[]): string {
  return `<tr>${cells.map((cell, index) => `<td dir="auto"${numberClass(index, numbers)}>${escapeHtml(cell)}</td>`).join("")}</tr>`;
}

function numberClass(index: number, numbers: readonly number[]): string {
  return numbers.includes(index) ? ` class="number"` : "";
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
