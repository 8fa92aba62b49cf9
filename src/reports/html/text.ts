import { resolveLanguage } from "../../ranking/language.ts";
import { codeIn, splitCode } from "../../util/code-spans.ts";
import { escapeHtml } from "../../util/escape-html.ts";
import { withTextFragment } from "../../util/text-fragment.ts";
import { isChinese, quotedText } from "../text.ts";
import type { ReportView } from "../view/report-view.ts";
import type { SourceLine } from "../view/source-line.ts";
import { amountParts } from "../view/unbroken.ts";

const PUNCTUATION = /^[^\p{L}\p{N}]+$/u;

/** Returns a title as HTML. In Chinese, lines break between words and behind punctuation only. */
export function titleHtml(title: string): string {
  if (!/\p{sc=Han}/u.test(title)) return escapeHtml(title);
  const words = Array.from(new Intl.Segmenter("zh", { granularity: "word" }).segment(title), ({ segment }) => segment);
  const html = words.map((word, i) => `${i === 0 || PUNCTUATION.test(word) ? "" : "<wbr>"}${escapeHtml(word)}`);
  return `<span class="words">${html.join("")}</span>`;
}

/** Returns text as HTML whose code spans are code, whose amounts stay on one line, and which is copied as it is. */
export function textHtml(text: string): string {
  return splitCode(text)
    .map((part) => (part.isCode ? `<code>${escapeHtml(codeIn(part.text))}</code>` : proseHtml(part.text)))
    .join("");
}

function proseHtml(text: string): string {
  return amountParts(text)
    .map((part) => (part.isAmount ? `<span class="amount">${escapeHtml(part.text)}</span>` : escapeHtml(part.text)))
    .join("");
}

/** Returns a quote between quotation marks, which stay beside it in any direction of writing. */
export function quotedHtml(quote: string): string {
  return `“<bdi>${escapeHtml(quotedText(quote).slice(1, -1))}</bdi>”`;
}

/** Returns a ` lang` attribute if the text is in another language than the page. */
export function languageOf(text: string, view: Pick<ReportView, "language">): string {
  const detected = resolveLanguage("auto", text);
  const language = detected === "en" && isChinese(text) ? "zh" : detected;
  return language === view.language ? "" : ` lang="${language === "zh" ? "zh-Hans" : language}"`;
}

/** Returns title, publisher and date of the source of a note. The title leads to the quote on the page, in browsers that can find it. */
export function noteSource(source: SourceLine, view: ReportView, quote: string): string {
  const target = source.href === null ? null : withTextFragment(source.href, quote);
  return joined(linkedTitle(source, view, target), source.byline, [], view);
}

/** Returns title, details and address of a source. @param quote if given, the title leads to it on the page */
export function fullSource(source: SourceLine, view: ReportView, quote?: string): string {
  const target = source.href === null || quote === undefined ? source.href : withTextFragment(source.href, quote);
  const address = source.address === "" ? [] : [linked(isolated(source.address), target)];
  return joined(linkedTitle(source, view, target), source.details, address, view);
}

/** Joins by commas. A comma stands inside the element of its part, so that it begins no line. */
function joined(title: string, parts: readonly string[], address: readonly string[], { labels: { comma } }: ReportView): string {
  const last = parts.length + address.length;
  const sign = (index: number): string => (index === last ? "" : comma.trimEnd());
  const kept = parts.map((text, index) => isolated(`${text}${sign(index + 1)}`));
  return [`${title}${sign(0)}`, ...kept, ...address].join(comma.endsWith(" ") ? " " : "");
}

function linkedTitle({ title, retracted }: SourceLine, view: ReportView, target: string | null): string {
  const alarm = retracted ? `<strong class="alarm">${escapeHtml(view.labels.retracted)}</strong> ` : "";
  const name = `<bdi${languageOf(title, view)}>${escapeHtml(title)}</bdi>`;
  return `${alarm}${linked(name, target)}`;
}

function linked(html: string, target: string | null): string {
  return target === null ? html : `<a href="${escapeHtml(target)}" rel="noopener noreferrer external">${html}</a>`;
}

function isolated(text: string): string {
  return `<bdi class="whole">${escapeHtml(text)}</bdi>`;
}
