import { ExternalHyperlink, type ParagraphChild, TextRun } from "docx";
import type { ReportForm, SourceLine } from "../form/report-form.ts";

/** Where something comes from: title and address, those of the web as links, and what is known of a publication. */
export function sourceRuns({ title, retracted, details, address, href }: SourceLine, { labels }: ReportForm): ParagraphChild[] {
  const alarm = retracted ? [new TextRun({ text: `${labels.retracted} `, bold: true, color: "A3180F" })] : [];
  const rest = new TextRun([title, ...details, ""].join(", "));
  if (href === null) return [...alarm, address === "" ? new TextRun([title, ...details].join(", ")) : rest, new TextRun(address)];
  return [...alarm, rest, new ExternalHyperlink({ link: href, children: [new TextRun({ text: address, style: "Hyperlink" })] })];
}
