import { resolveLanguage } from "../../ranking/language.ts";
import { withTextFragment } from "../text.ts";
import type { ReportView } from "../view/report-view.ts";
import type { SourceLine } from "../view/source-line.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** Returns a ` lang` attribute if the text is in another language than the page. */
export function languageOf(text: string, view: Pick<ReportView, "language">): string {
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

/** Returns title, publisher and date of the source of a note. The title leads to the quote on the page, in browsers that can find it. */
export function noteSource(source: SourceLine, view: ReportView, quote: string): string {
  const target = source.href === null ? null : withTextFragment(source.href, quote);
  return [linkedTitle(source, view, target), ...source.byline.map(isolated)].join(view.labels.comma);
}

/** Returns title, details and address of a source. @param quote if given, the title leads to it on the page */
export function fullSource(source: SourceLine, view: ReportView, quote?: string): string {
  const target = source.href === null || quote === undefined ? source.href : withTextFragment(source.href, quote);
  const address = source.address === "" ? [] : [source.address];
  return [linkedTitle(source, view, target), ...[...source.details, ...address].map(isolated)].join(view.labels.comma);
}

function linkedTitle({ title, retracted }: SourceLine, view: ReportView, target: string | null): string {
  const alarm = retracted ? `<strong class="alarm">${escapeHtml(view.labels.retracted)}</strong> ` : "";
  const name = `<bdi${languageOf(title, view)}>${escapeHtml(title)}</bdi>`;
  return `${alarm}${target === null ? name : `<a href="${escapeHtml(target)}" rel="noopener noreferrer external">${name}</a>`}`;
}

function isolated(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}
